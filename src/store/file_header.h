// SPDX-License-Identifier: Apache-2.0
// The 64 bytes with which data files and segments begin: whose they are and who can read them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "twinsift/result.h"

namespace twinsift {

using CollectionId = std::array<std::uint8_t, 16>;

inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::size_t kFileHeaderBytes = 64;
inline constexpr std::string_view kFileMagic = "TWINSIFT\r\n";

enum class StoreFile : std::uint8_t { kData, kSegment };

struct FileHeader {
  StoreFile kind = StoreFile::kData;
  CollectionId id{};
  std::uint64_t number = 0;
  std::uint64_t first_sequence = 0;  // data files
  std::uint64_t salt = 0;            // data files
  friend bool operator==(const FileHeader&, const FileHeader&) = default;
};

std::string encode_file_header(const FileHeader& header);

// Reads the header of a file of this kind; `name` is for messages.  kUnsupported names a newer
// version or the other byte order, everything else that is wrong is kCorrupt.
Result<FileHeader> decode_file_header(std::span<const std::byte> bytes, StoreFile kind,
                                      std::string_view name);

// Whether it is the file that the manifest means; kCorrupt if not.
Status check_file_header(const FileHeader& header, const CollectionId& id, std::uint64_t number,
                         std::string_view name);

}  // namespace twinsift
