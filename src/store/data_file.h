// SPDX-License-Identifier: Apache-2.0
// A data file, mapped: records by their places, and all records in order.
//
// Memory that was handed out stays valid as long as the DataFile, also while the file grows.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "store/file_header.h"
#include "store/record_frame.h"
#include "twinsift/result.h"

namespace twinsift {

struct StoredRecord {
  std::uint64_t offset = 0;
  RecordFrame frame;
  std::span<const std::byte> payload;  // without padding; begins at a multiple of 8
  [[nodiscard]] RecordType type() const { return static_cast<RecordType>(frame.type); }
  [[nodiscard]] std::uint64_t end() const { return offset + frame.record_bytes(); }
};

// Threads may share one; grow() may be called beside readers of what was there before.
class DataFile {
  struct Key {};  // only open() may make one

 public:
  explicit DataFile(Key) {}
  // `capacity`: how far the file may grow; 0: not at all.
  static Result<std::unique_ptr<DataFile>> open(const std::string& path,
                                                std::uint64_t capacity = 0);
  // With a header that is known from elsewhere; for files whose own is damaged.
  static Result<std::unique_ptr<DataFile>> open_as(const std::string& path,
                                                   const FileHeader& header);
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;
  ~DataFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const FileHeader& header() const { return header_; }
  [[nodiscard]] std::uint64_t size() const { return size_.load(std::memory_order_acquire); }
  // The bytes up to here are in the file, and are good.
  void grow(std::uint64_t size);
  // Nothing behind this is looked at.
  void shrink(std::uint64_t size);

  // The frame at this place, whatever the payload is; nothing if there is no record.
  [[nodiscard]] std::optional<StoredRecord> look(std::uint64_t offset) const;
  [[nodiscard]] bool is_good(const StoredRecord& record) const;
  // A record whose place is known: kCorrupt if it is not there or not good.
  [[nodiscard]] Result<StoredRecord> read(std::uint64_t offset) const;
  // "FILE: is damaged at byte N".
  [[nodiscard]] Error damaged(std::uint64_t offset, std::string_view what) const;

 private:
  static Result<std::unique_ptr<DataFile>> map(const std::string& path, std::uint64_t capacity);

  std::string path_;
  FileHeader header_;
  std::uint32_t salt_crc_ = 0;
  const std::byte* data_ = nullptr;
  std::uint64_t mapped_ = 0;
  std::atomic<std::uint64_t> size_ = 0;
};

// Calls take() for every record from `begin` on and returns where they end.  What is bad before
// byte `known`, or before a later mark that says the disk had it, is damage: kCorrupt.  What is bad
// after that is a write that was cut off; nothing from there on counts.
Result<std::uint64_t> replay(const DataFile& file, std::uint64_t begin, std::uint64_t known,
                             std::uint64_t last_sequence,
                             const std::function<Status(const StoredRecord&)>& take);

// A stretch of bytes that once were records.
struct Damage {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::optional<RecordFrame> frame{};  // if only the payload is bad
};

// The same, for what is left of a damaged file: passes over damage, and tells of it.
Result<std::uint64_t> salvage(const DataFile& file, std::uint64_t known,
                              const std::function<Status(const StoredRecord&)>& take,
                              const std::function<void(const Damage&)>& lost);

}  // namespace twinsift
