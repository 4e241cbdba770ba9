// SPDX-License-Identifier: Apache-2.0
#include "eval/chord.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/hash.h"

namespace twinsift {

ChordRing::ChordRing(std::uint32_t peers, std::uint64_t seed) : places_(peers) {
  // Keys of one seed differ, since mix64 is a bijection.
  for (std::uint32_t i = 0; i < peers; ++i) places_[i] = seed_key(seed, i);
  index_places();
}

ChordRing::ChordRing(std::vector<std::uint64_t> places) : places_(std::move(places)) {
  index_places();
}

void ChordRing::index_places() {
  assert(!places_.empty());
  std::ranges::sort(places_);
  assert(std::ranges::adjacent_find(places_) == places_.end());
  starts_.assign(places_.size(), 0);
  std::uint32_t peer = 0;
  for (std::uint32_t part = 0; part < peers(); ++part) {
    while (peer < peers() && scale_to(places_[peer], peers()) < part) ++peer;
    starts_[part] = peer;
  }
}

std::uint32_t ChordRing::owner(std::uint64_t key) const {
  std::uint32_t peer = starts_[scale_to(key, peers())];
  while (peer < peers() && places_[peer] < key) ++peer;
  return peer == peers() ? 0 : peer;
}

// Requires: the next peer does not own the key, so that one stands between.
std::uint32_t ChordRing::farthest_before(std::uint32_t peer, std::uint64_t key) const {
  const std::uint64_t here = places_[peer];
  const std::uint64_t distance = key - here;
  for (auto i = static_cast<unsigned>(std::bit_width(distance)); i-- > 0;) {
    const std::uint32_t finger = owner(here + (std::uint64_t{1} << i));
    const std::uint64_t reached = places_[finger] - here;  // 0: once around
    if (reached > 0 && reached < distance) return finger;
  }
  assert(false);
  return peer;
}

ChordRoute ChordRing::route(std::uint32_t from, std::uint64_t key) const {
  ChordRoute route{.owner = owner(key)};
  route.local = route.owner == from;
  const std::uint32_t last = route.owner == 0 ? peers() - 1 : route.owner - 1;
  for (std::uint32_t peer = from; !route.local && peer != last; ++route.forwards) {
    peer = farthest_before(peer, key);
  }
  return route;
}

}  // namespace twinsift
