// SPDX-License-Identifier: Apache-2.0
// Chord: peers on a ring of 2^64 points, and the way of a message to the peer that owns a key.
//
// A key belongs to the first peer at or after it.  Finger i of a peer is the owner of its own
// place plus 2^i; a message goes to the farthest finger ahead of the key until the next peer is the
// owner, and then to the owner.  Fingers are computed when they are needed, in about 10 ns, so that
// 100,000 peers take 1.2 MB and not 6 MB.
//
// Papers:  [CHORD] Stoica, Morris, Karger, Kaashoek, Balakrishnan, 2001, sec. IV.
#pragma once

#include <cstdint>
#include <vector>

#include "twinsift/types.h"

namespace twinsift {

struct ChordRoute {
  std::uint32_t owner = 0;     // its number
  std::uint32_t forwards = 0;  // peers that got the message before the owner did
  bool local = false;          // the peer owns the key itself, and nothing is sent
};

// Immutable: threads may share one.
class ChordRing {
 public:
  // Peers at random places.  Requires: peers > 0.
  ChordRing(std::uint32_t peers, std::uint64_t seed);
  // Peers at these places.  Requires: one or more, all different.
  explicit ChordRing(std::vector<std::uint64_t> places);

  [[nodiscard]] std::uint32_t peers() const { return static_cast<std::uint32_t>(places_.size()); }
  // Ascending: the number of a peer is its place's rank.
  [[nodiscard]] std::uint64_t place(std::uint32_t peer) const { return places_[peer]; }
  [[nodiscard]] std::uint32_t owner(std::uint64_t key) const;
  [[nodiscard]] ChordRoute route(std::uint32_t from, std::uint64_t key) const;

 private:
  void index_places();
  [[nodiscard]] std::uint32_t farthest_before(std::uint32_t peer, std::uint64_t key) const;

  std::vector<std::uint64_t> places_;
  std::vector<std::uint32_t> starts_;  // the first peer of each of as many equal parts of the ring
};

}  // namespace twinsift
