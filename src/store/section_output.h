// SPDX-License-Identifier: Apache-2.0
// Writes a file of sections with their CRCs, as CheckedFile reads it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/run_file.h"
#include "store/checked_file.h"
#include "twinsift/result.h"

namespace twinsift {

// Bytes that are written in order and then read in order, once.  Beyond `memory` bytes they wait in
// a temporary file.  Not thread-safe.
class ByteQueue {
 public:
  ByteQueue(std::uint64_t memory, const std::string& directory)
      : memory_(memory), file_(directory) {}

  Status append(std::string_view bytes);
  [[nodiscard]] std::uint64_t size() const { return spilled_ + buffer_.size(); }

  // Calls take(bytes), which returns a Status, piece by piece.
  template <class Take>
  Status drain(Take take) {
    std::string piece;
    for (std::uint64_t at = 0; at < spilled_; at += piece.size()) {
      piece.resize(std::min<std::uint64_t>(kPiece, spilled_ - at));
      TWINSIFT_TRY([[maybe_unused]] auto read,
                   file_.read(at, std::as_writable_bytes(std::span(piece))));
      TWINSIFT_TRY([[maybe_unused]] auto taken, take(std::string_view(piece)));
    }
    return take(std::string_view(buffer_));
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{256} << 10U;
  std::uint64_t memory_;
  RunFile file_;
  std::uint64_t spilled_ = 0;
  std::string buffer_;
};

// Not thread-safe.
class SectionOutput {
 public:
  static Result<SectionOutput> create(const std::string& path, const FileHeader& header);

  Status begin(SectionName name, std::uint32_t detector, std::uint32_t flags = 0);
  Status write(std::string_view bytes);  // into the section that begin() began
  Status write(ByteQueue& queue);        // all of it
  // The table; then syncs the file, gives it its name and syncs its folder.
  Status finish();

 private:
  explicit SectionOutput(std::unique_ptr<AtomicFile> file) : file_(std::move(file)) {}
  Status put(std::string_view bytes);
  Status end_section();

  std::unique_ptr<AtomicFile> file_;
  std::uint64_t offset_ = 0;
  std::vector<Section> sections_;
  std::vector<std::uint32_t> crcs_;
  std::uint32_t crc_ = 0;  // of the block that grows
};

}  // namespace twinsift
