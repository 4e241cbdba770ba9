// SPDX-License-Identifier: Apache-2.0
// What makes a network one: its name, its secret if it is closed, and its promise.  All keys and
// hashes are made from these, so that peers of other networks cannot meet by accident, and those
// who do not know the secret cannot compute a label.
//
// Promise: each published set of similarity `similarity` or more to a question is found with
// probability `recall`.  It is part of the network, because labels must mean the same to all.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/peer_identity.h"
#include "tune/pond.h"

namespace twinsift::net {

using DhtKey = std::array<std::uint8_t, 20>;

struct NetworkOptions {
  std::string name = "twinsift";
  std::string secret{};                     // empty: an open network
  PondGoal goal{};                          // the promise
  std::chrono::seconds period{3600};        // everything is published once in it
  std::chrono::seconds lifetime{3 * 3600};  // of an entry that nobody publishes again
};

// Where an entry may stand under a label: see net/crowd.h.
struct Shard {
  std::uint8_t depth = 0;
  std::uint32_t branch = 0;  // the lowest `depth` bits
  friend auto operator<=>(const Shard&, const Shard&) = default;
};

// Immutable.
class Network {
 public:
  explicit Network(const NetworkOptions& options);

  [[nodiscard]] const NetworkOptions& options() const { return options_; }
  // By which OpenDHT tells networks apart; never 0, which is everybody's.
  [[nodiscard]] std::uint32_t dht_id() const { return dht_id_; }
  // Of all permutations: labels and sketches.
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

  // What was published as one table of one configuration, of sets that one detector made.
  [[nodiscard]] DhtKey label_key(std::uint64_t configuration, std::string_view detector,
                                 std::uint32_t table, std::string_view label, Shard shard) const;
  [[nodiscard]] DhtKey configuration_key(std::uint64_t version) const;
  // The peer whose place is nearest to this one is to tune the network in that period.
  [[nodiscard]] DhtKey election_key(std::uint64_t version) const;
  // The number of the period, the same for all whose clocks agree.
  [[nodiscard]] std::uint64_t version_at(std::int64_t unix_seconds) const;

 private:
  [[nodiscard]] std::string hash(std::string_view purpose, std::string_view what) const;

  NetworkOptions options_;
  std::string base_;
  std::uint32_t dht_id_ = 0;
  std::uint64_t seed_ = 0;
};

// The place of a peer in the network.
[[nodiscard]] DhtKey place_of(const PublicKey& key);

// Whether a is nearer to the place than b, as Kademlia measures.
[[nodiscard]] bool is_nearer(const DhtKey& place, const DhtKey& a, const DhtKey& b);

// The distance as a share of all places, 0 to 1.
[[nodiscard]] double distance(const DhtKey& a, const DhtKey& b);

}  // namespace twinsift::net
