// SPDX-License-Identifier: Apache-2.0
// A mapped file of sections in which no byte is believed before its CRC was checked.
//
// open() checks the header, the table of sections and that all of it lies inside the file, which
// takes microseconds whatever the size.  The sections have one CRC for every 64 KiB, and a block is
// checked when it is first touched.  docs/FORMAT.md has the bytes.
//
// The file must not change while it is open: a file that somebody cuts off under a mapping ends
// the process (SIGBUS).  Segments are never changed, and removing one does not cut it off.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/file_header.h"
#include "twinsift/result.h"

namespace twinsift {

inline constexpr std::uint64_t kCheckedBlock = std::uint64_t{64} << 10U;
inline constexpr std::uint64_t kSectionAlignment = 64;
inline constexpr std::size_t kSectionEntryBytes = 32;
inline constexpr std::size_t kTrailerBytes = 32;
inline constexpr std::string_view kTrailerMagic = "\r\nTWINSIFT";

constexpr std::uint64_t blocks_of(std::uint64_t length) {
  return length / kCheckedBlock + (length % kCheckedBlock != 0 ? 1 : 0);
}

using SectionName = std::array<char, 4>;
constexpr SectionName section_name(std::string_view letters) {
  return {letters[0], letters[1], letters[2], letters[3]};
}

// One entry of the table; the default is a section that is not there, which is empty.
struct Section {
  static constexpr std::uint32_t kOptional = 1;
  SectionName name{};
  std::uint32_t detector = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint32_t first_crc = 0;
  std::uint32_t flags = 0;
  friend bool operator==(const Section&, const Section&) = default;
};

// Threads may share one.
class CheckedFile {
  struct Key {};  // only open() may make one

 public:
  explicit CheckedFile(Key) {}
  // kUnsupported names a version or a section that a newer twinsift wrote and that may not be
  // passed over; kCorrupt says what does not fit.
  static Result<std::unique_ptr<CheckedFile>> open(const std::string& path, const FileHeader& who,
                                                   std::span<const SectionName> known);
  CheckedFile(const CheckedFile&) = delete;
  CheckedFile& operator=(const CheckedFile&) = delete;
  ~CheckedFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t bytes() const { return size_; }
  // The known ones, in the order of the file.
  [[nodiscard]] std::span<const Section> sections() const { return sections_; }
  [[nodiscard]] Section find(SectionName name, std::uint32_t detector) const;

  // Bytes of a section; their blocks are checked, if they were not.  kCorrupt if they go beyond
  // its end.
  [[nodiscard]] Result<std::span<const std::byte>> read(const Section& section,
                                                        std::uint64_t offset,
                                                        std::uint64_t length) const;
  // Requires: checked.
  [[nodiscard]] const std::byte* unchecked(const Section& section) const {
    return data_ + section.offset;
  }

  // Checks every block of every section, and that there is nothing between them.
  [[nodiscard]] Status check_all() const;

  // "FILE: section NAME `what`; twinsift index repair makes it again".
  [[nodiscard]] Error damaged(const Section& section, std::string_view what) const;

 private:
  Status map();
  Status read_table(std::span<const SectionName> known);
  Status take_section(const Section& section, std::span<const SectionName> known);
  [[nodiscard]] Status check_block(const Section& section, std::uint64_t block) const;
  [[nodiscard]] Error corrupt(std::string_view what) const;

  std::string path_;
  const std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t table_ = 0;               // its offset
  std::uint64_t end_ = kFileHeaderBytes;  // of the sections so far
  std::uint64_t crc_count_ = 0;           // of the sections so far
  std::vector<Section> sections_;
  std::vector<Section> all_;  // unknown ones, too
  const std::byte* crcs_ = nullptr;
  mutable std::vector<std::atomic<std::uint64_t>> checked_;  // one bit for each block
};

}  // namespace twinsift
