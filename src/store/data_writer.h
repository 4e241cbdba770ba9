// SPDX-License-Identifier: Apache-2.0
// Appends records to a data file, any number with one system call; records that could not be
// written whole are taken back, so that a full disk leaves the file as it was.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "store/file_header.h"
#include "store/record.h"
#include "twinsift/result.h"

namespace twinsift {

// Not thread-safe.
class DataWriter {
 public:
  // A new file, on the disk with its header; its name is only there for sure after the folder
  // has been synced.
  static Result<DataWriter> create(const std::string& path, const FileHeader& header);
  // An old file whose good records end at `end`: what is behind is cut off, on the disk, too.
  static Result<DataWriter> reopen(const std::string& path, const FileHeader& header,
                                   std::uint64_t end);

  [[nodiscard]] std::uint64_t end() const { return end_; }
  // So many bytes are on the disk for sure.
  [[nodiscard]] std::uint64_t on_disk() const { return on_disk_; }
  // Returns the place of the record.
  Result<std::uint64_t> append(const RecordBytes& record, std::uint64_t sequence);
  // All or none; the first gets the sequence number, the others those that follow.
  Result<std::vector<std::uint64_t>> append(std::span<const RecordBytes> records,
                                            std::uint64_t sequence);
  // All that was appended is on the disk, and a mark says so in the file.  `sequence`: that of the
  // last record.
  Status sync(std::uint64_t sequence);

 private:
  DataWriter(std::string path, Fd fd, const FileHeader& header, std::uint64_t end);
  Error fail(const Error& error);
  void start_writeback();

  std::string path_;
  Fd fd_;
  std::uint32_t salt_crc_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t on_disk_ = 0;
  std::uint64_t marked_ = 0;     // the end after the last mark
  std::uint64_t writeback_ = 0;  // bytes on their way to it
  std::optional<Error> broken_;  // what is in the file can no longer be told
};

}  // namespace twinsift
