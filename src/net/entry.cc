// SPDX-License-Identifier: Apache-2.0
#include "net/entry.h"

#include <algorithm>
#include <cassert>
#include <charconv>

#include <arpa/inet.h>
#include <fmt/format.h>

#include "base/sha256.h"
#include "net/byte_text.h"

namespace twinsift::net {
namespace {

constexpr std::uint8_t kKind = 3;  // 1 had a sketch of 256 bits, 2 is a configuration
constexpr std::array<std::uint8_t, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

bool is_mapped(const Address& address) {
  return std::equal(kMapped.begin(), kMapped.end(), address.ip.begin());
}

// What is signed: where it stands, and all but the signature.
std::string signed_text(std::string_view body, const DhtKey& key) {
  std::string text = "twinsift entry 2";
  put_bytes(key, text);
  text += body;
  return text;
}

Error corrupt(std::string_view what) {
  return {ErrorCode::kCorrupt, fmt::format("an entry {}", what)};
}

}  // namespace

std::string to_text(const Address& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (is_mapped(address)) {
    inet_ntop(AF_INET, address.ip.data() + kMapped.size(), text.data(), text.size());
    return fmt::format("{}:{}", text.data(), address.port);
  }
  inet_ntop(AF_INET6, address.ip.data(), text.data(), text.size());
  return fmt::format("[{}]:{}", text.data(), address.port);
}

Result<Address> parse_address(std::string_view text) {
  const Error wrong{ErrorCode::kInvalidArgument,
                    fmt::format("\"{}\" is no address: it should look like 127.0.0.1:4222 or "
                                "[::1]:4222",
                                text)};
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong;
  Address address;
  const std::string_view port = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc{} || end != port.data() + port.size()) return wrong;
  std::string host(text.substr(0, colon));
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
    if (inet_pton(AF_INET6, host.c_str(), address.ip.data()) != 1) return wrong;
    return address;
  }
  std::ranges::copy(kMapped, address.ip.begin());
  if (inet_pton(AF_INET, host.c_str(), address.ip.data() + kMapped.size()) != 1) return wrong;
  return address;
}

std::uint64_t entry_id(const Entry& entry) {
  std::string text = "twinsift id 1";
  put_bytes(entry.owner, text);
  put_bytes(entry.resource, text);
  put_number(entry.table, text);
  const std::string digest = sha256(text);
  return std::max<std::uint64_t>(ByteReader(digest).number<std::uint64_t>(), 1);
}

std::string seal(const Entry& entry, const DhtKey& key, const Identity& identity) {
  assert(entry.owner == identity.public_key());
  std::string body;
  put_number(kKind, body);
  put_number(entry.table, body);
  put_number(static_cast<std::uint32_t>(entry.expires), body);
  put_bytes(entry.resource, body);
  put_bytes(entry.address.ip, body);
  put_number(entry.address.port, body);
  for (const std::uint64_t word : entry.sketch) put_number(word, body);
  put_bytes(entry.owner, body);
  put_bytes(identity.sign(signed_text(body, key)), body);
  assert(body.size() == kEntryBytes);
  return body;
}

Result<Entry> peek_entry(std::string_view bytes) {
  if (bytes.size() != kEntryBytes) return corrupt("has the wrong size");
  ByteReader reader(bytes);
  if (reader.number<std::uint8_t>() != kKind) return corrupt("is of an unknown kind");
  Entry entry;
  entry.table = reader.number<std::uint16_t>();
  entry.expires = reader.number<std::uint32_t>();
  entry.resource = reader.bytes<ResourceId>();
  entry.address.ip = reader.bytes<decltype(entry.address.ip)>();
  entry.address.port = reader.number<std::uint16_t>();
  for (std::uint64_t& word : entry.sketch) word = reader.number<std::uint64_t>();
  entry.owner = reader.bytes<PublicKey>();
  return entry;
}

Result<Entry> open_entry(std::string_view bytes, const DhtKey& key, std::uint64_t id,
                         std::int64_t now, std::chrono::seconds lifetime) {
  TWINSIFT_TRY(const Entry entry, peek_entry(bytes));
  if (entry.expires <= now) return corrupt("has expired");
  if (entry.expires > now + (lifetime + kClockSkew).count()) return corrupt("holds too long");
  if (entry_id(entry) != id) return corrupt("stands in the place of another");
  const std::string_view body = bytes.substr(0, kEntryBytes - sizeof(Signature));
  const auto signature = ByteReader(bytes.substr(body.size())).bytes<Signature>();
  if (!verify(entry.owner, signed_text(body, key), signature)) return corrupt("is forged");
  return entry;
}

}  // namespace twinsift::net
