// SPDX-License-Identifier: Apache-2.0
#include "net/representation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

#include "base/sha256.h"
#include "net/byte_text.h"

namespace twinsift::net {
namespace {

constexpr std::uint32_t kKind = 0x31525754;  // "TWR1"
constexpr std::size_t kLongestText = 1024;

void put_text(std::string_view text, std::string& out) {
  text = text.substr(0, kLongestText);
  put_number(static_cast<std::uint16_t>(text.size()), out);
  out += text;
}

Result<std::string> read_text(ByteReader& reader) {
  const auto size = reader.number<std::uint16_t>();
  if (size > kLongestText || reader.rest().size() < size) {
    return Error{ErrorCode::kCorrupt, "a representation is cut off"};
  }
  std::string text(reader.rest().substr(0, size));
  reader = ByteReader(reader.rest().substr(size));
  return text;
}

}  // namespace

ResourceId resource_id(std::string_view detector, std::span<const std::uint64_t> set) {
  std::string text = "twinsift resource 1";
  put_text(detector, text);
  for (const std::uint64_t id : set) put_number(id, text);
  const std::string digest = sha256(text);
  ResourceId id{};
  std::memcpy(id.data(), digest.data(), id.size());
  return id;
}

std::string encode(const Representation& representation) {
  std::string out;
  put_number(kKind, out);
  put_text(representation.detector, out);
  put_text(representation.title, out);
  put_number(std::bit_cast<std::uint64_t>(representation.begin_seconds), out);
  put_number(std::bit_cast<std::uint64_t>(representation.end_seconds), out);
  put_number(static_cast<std::uint32_t>(representation.set.size()), out);
  for (const std::uint64_t id : representation.set) put_number(id, out);
  return out;
}

Result<Representation> decode_representation(std::string_view bytes, const ResourceId& resource) {
  const Error wrong{ErrorCode::kCorrupt, "a representation is not what encode() makes"};
  ByteReader reader(bytes);
  if (reader.number<std::uint32_t>() != kKind) return wrong;
  Representation read;
  TWINSIFT_TRY(read.detector, read_text(reader));
  TWINSIFT_TRY(read.title, read_text(reader));
  read.begin_seconds = reader.real();
  read.end_seconds = reader.real();
  const auto count = reader.number<std::uint32_t>();
  const bool times = std::isfinite(read.begin_seconds) && std::isfinite(read.end_seconds);
  if (!reader.ok() || !times || count == 0 || reader.rest().size() != 8 * std::size_t{count}) {
    return wrong;
  }
  read.set.resize(count);
  for (std::uint64_t& id : read.set) id = reader.number<std::uint64_t>();
  if (std::ranges::adjacent_find(read.set, std::greater_equal{}) != read.set.end()) return wrong;
  if (resource_id(read.detector, read.set) != resource) {
    return Error{ErrorCode::kCorrupt, "a representation is not that of the published resource"};
  }
  return read;
}

}  // namespace twinsift::net
