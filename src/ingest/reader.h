// SPDX-License-Identifier: Apache-2.0
// The content of one file, read at most once, and its digest.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ingest/file_system.h"
#include "ingest/walk.h"
#include "twinsift/result.h"

namespace twinsift {

// XXH3-128 of a whole content.  Good against accidents, not against an attacker: who deletes
// anything compares the bytes first.
struct Digest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  auto operator<=>(const Digest&) const = default;
  [[nodiscard]] std::string hex() const;  // 32 digits, as xxhsum -H2 prints them
};

Digest digest_of(std::span<const std::byte> bytes);

// An open file.  Every call checks that the file is still the one the walk saw, with the same
// size and time of change; if not, it fails with "changed while reading".  For the other
// reasons see file_error().  Not thread-safe.
class FileReader {
 public:
  static constexpr std::size_t kHead = 64 * 1024;

  // Reads the first `head` bytes.  Never waits for a FIFO and never follows a link that the walk
  // did not follow.
  static Result<FileReader> open(const FileEntry& entry, std::size_t head = kHead);

  [[nodiscard]] std::span<const std::byte> head() const { return head_; }
  // For those who read it themselves, by offsets, and check afterwards.
  [[nodiscard]] int file() const { return fd_.get(); }
  [[nodiscard]] Status check_unchanged() const;

  // The whole content; kLimit if it has more than `limit` bytes.
  Result<std::vector<std::byte>> read_all(std::uint64_t limit);

  // The digest of the whole content, from the head and then block by block.  `proceed` hears
  // how many bytes each block had and ends the work with kCancelled by returning false.
  Result<Digest> digest(const std::function<bool(std::uint64_t bytes)>& proceed = {});

 private:
  FileReader(Fd fd, const FileEntry& entry) : fd_(std::move(fd)), entry_(&entry) {}
  Status read_at(std::uint64_t offset, std::span<std::byte> out) const;

  Fd fd_;
  const FileEntry* entry_;  // outlives the reader
  std::vector<std::byte> head_;
};

}  // namespace twinsift
