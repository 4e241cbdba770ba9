// SPDX-License-Identifier: Apache-2.0
#include "net/network.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/sha256.h"
#include "net/byte_text.h"

namespace twinsift::net {
namespace {

DhtKey key_of(std::string_view digest) {
  DhtKey key{};
  std::memcpy(key.data(), digest.data(), key.size());
  return key;
}

// No two lists of fields are the same bytes.
void put_field(std::string_view field, std::string& out) {
  put_number(static_cast<std::uint32_t>(field.size()), out);
  out += field;
}

}  // namespace

Network::Network(const NetworkOptions& options) : options_(options) {
  // The version is that of what is stored: nodes of an older one would refuse the entries of this
  // one, and a network of both would lose them.
  std::string fields = "twinsift network 2";
  put_field(options.name, fields);
  put_field(options.secret, fields);
  base_ = sha256(fields);
  const std::string numbers = hash("numbers", "");
  ByteReader reader(numbers);
  dht_id_ = std::max<std::uint32_t>(reader.number<std::uint32_t>(), 1);
  seed_ = reader.number<std::uint64_t>();
  // Peers of another promise share the nodes of the network, and nothing else.
  put_number(std::bit_cast<std::uint64_t>(options.goal.similarity), base_);
  put_number(std::bit_cast<std::uint64_t>(options.goal.recall), base_);
}

std::string Network::hash(std::string_view purpose, std::string_view what) const {
  std::string fields = base_;
  put_field(purpose, fields);
  put_field(what, fields);
  return sha256(fields);
}

DhtKey Network::label_key(std::uint64_t configuration, std::string_view detector,
                          std::uint32_t table, std::string_view label, Shard shard) const {
  std::string what;
  put_number(configuration, what);
  put_field(detector, what);
  put_number(table, what);
  put_number(shard.depth, what);
  put_number(shard.branch, what);
  what += label;
  return key_of(hash("label", what));
}

DhtKey Network::configuration_key(std::uint64_t version) const {
  std::string what;
  put_number(version, what);
  return key_of(hash("configuration", what));
}

DhtKey Network::election_key(std::uint64_t version) const {
  std::string what;
  put_number(version, what);
  return key_of(hash("election", what));
}

std::uint64_t Network::version_at(std::int64_t unix_seconds) const {
  return static_cast<std::uint64_t>(unix_seconds / options_.period.count());
}

DhtKey place_of(const PublicKey& key) {
  std::string fields = "twinsift place 1";
  put_bytes(key, fields);
  return key_of(sha256(fields));
}

bool is_nearer(const DhtKey& place, const DhtKey& a, const DhtKey& b) {
  for (std::size_t i = 0; i < place.size(); ++i) {
    const int from_a = place[i] ^ a[i];
    const int from_b = place[i] ^ b[i];
    if (from_a != from_b) return from_a < from_b;
  }
  return false;
}

double distance(const DhtKey& a, const DhtKey& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    sum += std::ldexp(1.0 * (a[i] ^ b[i]), -8 * static_cast<int>(i + 1));
  }
  return sum;
}

}  // namespace twinsift::net
