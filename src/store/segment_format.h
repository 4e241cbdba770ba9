// SPDX-License-Identifier: Apache-2.0
// The entries of a segment's sections, byte by byte, as docs/FORMAT.md has them: all that reader
// and writer must agree on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/checked_file.h"
#include "store/record.h"
#include "store/segment.h"

namespace twinsift {

inline constexpr SectionName kInfoSection = section_name("INFO");
inline constexpr SectionName kFileSection = section_name("FILE");
inline constexpr SectionName kPathSection = section_name("PATH");
inline constexpr SectionName kDigestSection = section_name("FDIG");
inline constexpr SectionName kContentSection = section_name("CONT");
inline constexpr SectionName kRowSection = section_name("ROWS");
inline constexpr SectionName kKeySection = section_name("KEYS");
inline constexpr SectionName kVerdictSection = section_name("VERD");
inline constexpr SectionName kRemovedSection = section_name("GONE");
inline constexpr std::size_t kMaxPlanes = 10;
constexpr SectionName plane_section(std::size_t plane) {
  return {'P', 'L', 'N', static_cast<char>('0' + plane)};
}
// All of them.
std::span<const SectionName> segment_sections();

inline constexpr std::size_t kFileEntryBytes = 104;
inline constexpr std::size_t kContentEntryBytes = 48;
inline constexpr std::size_t kVerdictEntryBytes = 48;
inline constexpr std::size_t kRemovedEntryBytes = 40;

// Where a path is in PATH.
struct PathPlace {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
};

// Each decode() takes exactly the bytes of one entry and gives nothing if they make no sense.
void append_file(std::string& bytes, const FileView& file, std::uint64_t path_offset);
struct StoredFile {
  FileView file;  // without its path
  PathPlace path;
};
std::optional<StoredFile> decode_file(std::span<const std::byte> bytes);
// The digest of an entry that is known to have one.
Digest digest_of_file(std::span<const std::byte> bytes);

void append_content(std::string& bytes, const ContentPlace& place);
std::optional<ContentPlace> decode_content(std::span<const std::byte> bytes);

void append_verdict(std::string& bytes, const VerdictRecord& verdict);
std::optional<VerdictRecord> decode_verdict(std::span<const std::byte> bytes);

void append_removed(std::string& bytes, const RemovedRecord& removed, std::uint64_t path_offset);
struct StoredRemoved {
  RemovedRecord removed;  // without its path
  PathPlace path;
};
std::optional<StoredRemoved> decode_removed(std::span<const std::byte> bytes);

// The text of INFO.
std::string encode_info(std::uint64_t first_sequence, std::uint64_t last_sequence,
                        std::span<const ShelfSpec> shelves);
struct SegmentInfo {
  std::uint64_t first_sequence = 0;
  std::uint64_t last_sequence = 0;
  std::vector<ShelfSpec> shelves;
};
// kUnsupported names a word that is not known; kCorrupt: the message says what does not fit,
// without the name of the file.
Result<SegmentInfo> decode_info(std::string_view text);

}  // namespace twinsift
