// SPDX-License-Identifier: Apache-2.0
#include "media/tiff_head.h"

#include <algorithm>

namespace twinsift {
namespace {

constexpr std::uint16_t kByte = 1;
constexpr std::uint16_t kAscii = 2;
constexpr std::uint16_t kShort = 3;
constexpr std::uint16_t kLong = 4;
constexpr std::uint16_t kRational = 5;
constexpr std::uint16_t kDirectory = 13;

// Sizes of the types by their numbers; 0: no such type.
constexpr std::size_t kSizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};

}  // namespace

TiffReader::TiffReader(std::span<const std::byte> bytes) : bytes_(bytes) {
  if (!holds(0, 8)) return;
  const auto is = [&](char a, char b) {
    return bytes[0] == static_cast<std::byte>(a) && bytes[1] == static_cast<std::byte>(b);
  };
  if (!is('I', 'I') && !is('M', 'M')) return;
  big_endian_ = is('M', 'M');
  if (u16(2) == 42) first_ = u32(4);
}

std::uint16_t TiffReader::u16(std::size_t at) const {
  const auto a = std::to_integer<unsigned>(bytes_[at]);
  const auto b = std::to_integer<unsigned>(bytes_[at + 1]);
  return static_cast<std::uint16_t>(big_endian_ ? a * 256 + b : b * 256 + a);
}

std::uint32_t TiffReader::u32(std::size_t at) const {
  const std::uint32_t a = u16(at);
  const std::uint32_t b = u16(at + 2);
  return big_endian_ ? (a << 16U) + b : (b << 16U) + a;
}

std::vector<TiffReader::Entry> TiffReader::entries(std::uint32_t offset) const {
  constexpr std::size_t kEntrySize = 12;
  constexpr std::size_t kInline = 4;
  std::vector<Entry> found;
  if (!holds(offset, 2)) return found;
  const std::size_t count = u16(offset);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = std::size_t{offset} + 2 + i * kEntrySize;
    if (!holds(at, kEntrySize)) break;
    Entry entry = {.tag = u16(at), .type = u16(at + 2), .count = u32(at + 4), .value = at + 8};
    if (entry.type >= std::size(kSizes) || kSizes[entry.type] == 0) continue;
    const std::size_t size = kSizes[entry.type] * entry.count;
    if (size > kInline) entry.value = u32(at + 8);
    if (holds(entry.value, size)) found.push_back(entry);
  }
  return found;
}

std::optional<std::uint32_t> TiffReader::integer(const Entry& entry) const {
  if (entry.count == 0) return std::nullopt;
  if (entry.type == kByte) return std::to_integer<std::uint32_t>(bytes_[entry.value]);
  if (entry.type == kShort) return u16(entry.value);
  if (entry.type == kLong || entry.type == kDirectory) return u32(entry.value);
  return std::nullopt;
}

std::string TiffReader::text(const Entry& entry) const {
  constexpr std::uint32_t kLongest = 200;
  std::string text;
  if (entry.type != kAscii) return text;
  for (std::uint32_t i = 0; i < std::min(entry.count, kLongest); ++i) {
    const char c = static_cast<char>(bytes_[entry.value + i]);
    if (c == '\0') break;
    text.push_back(c >= ' ' && c <= '~' ? c : '?');
  }
  const std::size_t end = text.find_last_not_of(' ');
  text.resize(end == std::string::npos ? 0 : end + 1);
  return text;
}

std::vector<double> TiffReader::rationals(const Entry& entry) const {
  constexpr std::uint32_t kMost = 4;
  std::vector<double> values;
  if (entry.type != kRational) return values;
  for (std::uint32_t i = 0; i < std::min(entry.count, kMost); ++i) {
    const std::size_t at = entry.value + std::size_t{8} * i;
    if (u32(at + 4) == 0) return {};
    values.push_back(static_cast<double>(u32(at)) / u32(at + 4));
  }
  return values;
}

bool tiff_is_raw(std::span<const std::byte> head) {
  constexpr std::uint16_t kNewSubfileType = 254;
  constexpr std::uint16_t kMake = 271;
  constexpr std::uint16_t kSubDirectories = 330;
  constexpr std::uint16_t kDngVersion = 50706;
  const TiffReader tiff(head);
  if (!tiff.first_directory()) return false;
  bool preview = false;
  bool make = false;
  bool more = false;
  for (const auto& entry : tiff.entries(*tiff.first_directory())) {
    if (entry.tag == kDngVersion) return true;
    if (entry.tag == kNewSubfileType) preview = tiff.integer(entry).value_or(0) == 1;
    make = make || entry.tag == kMake;
    more = more || entry.tag == kSubDirectories;
  }
  return preview && make && more;
}

}  // namespace twinsift
