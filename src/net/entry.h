// SPDX-License-Identifier: Apache-2.0
// An entry: what a peer publishes under a label.
//
// The paper's triple of table, address and resource, with the sketch of the resource, the owner's
// public key, the time until which it holds, and the owner's signature over all of that and over
// the key it is published under.  So an entry cannot be forged, changed, moved to another label or
// kept alive by others, and one peer cannot take the place of another's: the id of the value is a
// hash of owner, resource and table.  Storing nodes and askers check the same.
//
//     kind 1 | table 2 | expires 4 | resource 16 | address 16 + 2 | sketch 128 | owner 32 |
//     signature 64                                                      265 bytes, little-endian
//
// The sketch is that of the table's number (sketch/labels.h): entries of one resource in different
// tables have up to four different ones.
//
// A signature proves authorship: not that the owner has the resource, nor that there are no others.
//
// Papers:  [POND] sec. IV-A, step 3.
// Differs: the paper's triple is neither signed nor does it have a sketch.
#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/network.h"
#include "net/peer_identity.h"
#include "sketch/labels.h"
#include "twinsift/result.h"

namespace twinsift::net {

// Where a peer answers, in UDP and in TCP alike.
struct Address {
  std::array<std::uint8_t, 16> ip{};  // IPv4 as ::ffff:a.b.c.d
  std::uint16_t port = 0;
  friend auto operator<=>(const Address&, const Address&) = default;
};
std::string to_text(const Address& address);  // "127.0.0.1:4222", "[::1]:4222"
// Numbers only, no names; kInvalidArgument.
Result<Address> parse_address(std::string_view text);

using ResourceId = std::array<std::uint8_t, 16>;  // net/representation.h

struct Entry {
  std::uint16_t table = 0;
  std::int64_t expires = 0;  // seconds since 1970, below 2^32
  ResourceId resource{};
  Address address{};
  LabelSketch sketch{};
  PublicKey owner{};
  friend bool operator==(const Entry&, const Entry&) = default;
};

inline constexpr std::size_t kEntryBytes = 265;
// How far the clocks of peers may be apart.
inline constexpr std::chrono::seconds kClockSkew{75 * 60};

// The id of its value: one place for each owner, resource and table.  Never 0.
std::uint64_t entry_id(const Entry& entry);

// Requires: entry.owner is the identity's key.
std::string seal(const Entry& entry, const DhtKey& key, const Identity& identity);

// kCorrupt if these are no bytes that seal() has made for this key and id, if the entry holds no
// longer, or if it claims to hold longer than `lifetime` and a difference of clocks allow.  The
// signature, which costs most, is looked at last.
Result<Entry> open_entry(std::string_view bytes, const DhtKey& key, std::uint64_t id,
                         std::int64_t now, std::chrono::seconds lifetime);

// Only what the bytes say: neither times nor the signature.
Result<Entry> peek_entry(std::string_view bytes);

}  // namespace twinsift::net
