// SPDX-License-Identifier: Apache-2.0
#include "store/file_header.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/crc32c.h"
#include "store/bytes.h"

namespace twinsift {
namespace {

constexpr std::string_view letters_of(StoreFile kind) {
  return kind == StoreFile::kData ? "DA" : "SG";
}

constexpr std::string_view noun_of(StoreFile kind) {
  return kind == StoreFile::kData ? "data file" : "segment";
}

constexpr std::size_t kVersionAt = 12;
constexpr std::size_t kCrcAt = kFileHeaderBytes - 4;

}  // namespace

std::string encode_file_header(const FileHeader& header) {
  std::string bytes(kFileMagic);
  bytes += letters_of(header.kind);
  append(bytes, kFormatVersion);
  bytes.append(header.id.begin(), header.id.end());
  append(bytes, header.number);
  append(bytes, header.first_sequence);
  append(bytes, header.salt);
  append(bytes, std::uint32_t{0});
  append(bytes, crc32c(as_bytes(bytes)));
  assert(bytes.size() == kFileHeaderBytes);
  return bytes;
}

// The version is believed only with the right CRC, so that damage is never taken for progress;
// every version keeps these 64 bytes.
Result<FileHeader> decode_file_header(std::span<const std::byte> bytes, StoreFile kind,
                                      std::string_view name) {
  const auto corrupt = [&](std::string_view what) {
    return Error{ErrorCode::kCorrupt, fmt::format("{}: {}", name, what)};
  };
  if (bytes.size() < kFileHeaderBytes) {
    return corrupt(
        fmt::format("is cut off: a {} has at least {} bytes", noun_of(kind), kFileHeaderBytes));
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), kFileHeaderBytes);
  if (!text.starts_with(kFileMagic) || text.substr(kFileMagic.size(), 2) != letters_of(kind)) {
    return corrupt(fmt::format("is no {} of a twinsift collection", noun_of(kind)));
  }
  const auto version = load<std::uint32_t>(&text[kVersionAt]);
  const auto stored = load<std::uint32_t>(&text[kCrcAt]);
  const std::uint32_t crc = crc32c(as_bytes(text.substr(0, kCrcAt)));
  if (stored == __builtin_bswap32(crc) && version == __builtin_bswap32(kFormatVersion)) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: was written by a machine with the other byte order; make the "
                             "collection again on this one",
                             name)};
  }
  if (stored != crc) return corrupt("the header is damaged");
  if (version != kFormatVersion) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: has format version {}, and this twinsift reads version {}; use "
                             "a newer twinsift",
                             name, version, kFormatVersion)};
  }
  FileHeader header{.kind = kind,
                    .number = load<std::uint64_t>(&text[32]),
                    .first_sequence = load<std::uint64_t>(&text[40]),
                    .salt = load<std::uint64_t>(&text[48])};
  std::copy_n(text.begin() + 16, header.id.size(), header.id.begin());
  if (load<std::uint32_t>(&text[56]) != 0) return corrupt("the header is damaged");
  return header;
}

Status check_file_header(const FileHeader& header, const CollectionId& id, std::uint64_t number,
                         std::string_view name) {
  if (header.id != id) {
    return Error{ErrorCode::kCorrupt, fmt::format("{}: belongs to another collection", name)};
  }
  if (header.number != number) {
    return Error{ErrorCode::kCorrupt, fmt::format("{}: is number {} of the collection, not {}",
                                                  name, header.number, number)};
  }
  return ok();
}

}  // namespace twinsift
