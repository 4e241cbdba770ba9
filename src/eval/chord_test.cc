// SPDX-License-Identifier: Apache-2.0
#include "eval/chord.h"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tune/chord_hops.h"

namespace twinsift {
namespace {

// The first peer at or after a point, by looking at all.
std::uint32_t owner_by_search(const ChordRing& ring, std::uint64_t key) {
  std::uint32_t best = 0;
  for (std::uint32_t peer = 1; peer < ring.peers(); ++peer) {
    if (ring.place(peer) - key < ring.place(best) - key) best = peer;
  }
  return best;
}

// The paper's find_successor with a finger table of 64 entries.
std::uint32_t forwards_by_tables(const ChordRing& ring, std::uint32_t from, std::uint64_t key) {
  if (owner_by_search(ring, key) == from) return 0;
  std::uint32_t forwards = 0;
  for (std::uint32_t peer = from;; ++forwards) {
    const std::uint64_t here = ring.place(peer);
    const std::uint32_t next = owner_by_search(ring, here + 1);
    if (key - here - 1 <= ring.place(next) - here - 1) return forwards;
    std::uint32_t chosen = peer;
    for (int i = 63; i >= 0 && chosen == peer; --i) {
      const std::uint32_t finger = owner_by_search(ring, here + (std::uint64_t{1} << i));
      // Between the peer and the key, both excluded.
      if (finger != peer && ring.place(finger) - here - 1 < key - here - 1) chosen = finger;
    }
    EXPECT_NE(chosen, peer);
    if (chosen == peer) return forwards;
    peer = chosen;
  }
}

TEST(Chord, RoutesAreThoseOfFingerTables) {
  Rng rng(1);
  for (const std::uint32_t peers : {1U, 2U, 3U, 7U, 40U}) {
    const ChordRing ring(peers, rng.next());
    for (int i = 0; i < 300; ++i) {
      const std::uint32_t from = rng.below(peers);
      // Also keys at peers, and one beside them.
      std::uint64_t key = rng.next();
      if (i % 3 == 1) key = ring.place(rng.below(peers)) + rng.below(3) - 1;
      const ChordRoute route = ring.route(from, key);
      ASSERT_EQ(route.owner, owner_by_search(ring, key));
      ASSERT_EQ(route.local, route.owner == from);
      ASSERT_EQ(route.forwards, forwards_by_tables(ring, from, key)) << peers << ' ' << key;
    }
  }
}

TEST(Chord, CrowdedAndUnevenRingsAreRings) {
  const ChordRing ring({0, 1, 2, 3, UINT64_MAX, UINT64_MAX - 1, std::uint64_t{1} << 63U});
  for (std::uint32_t from = 0; from < ring.peers(); ++from) {
    for (const std::uint64_t key :
         {std::uint64_t{0}, std::uint64_t{2}, std::uint64_t{4}, std::uint64_t{1} << 63U,
          (std::uint64_t{1} << 63U) + 1, UINT64_MAX - 2, UINT64_MAX}) {
      EXPECT_EQ(ring.route(from, key).owner, owner_by_search(ring, key));
      EXPECT_EQ(ring.route(from, key).forwards, forwards_by_tables(ring, from, key));
    }
  }
}

// On a full ring of 2^n even places a message travels as many hops as the distance to the peer
// before the key has bits: n / 2 on average, exactly.
TEST(Chord, AFullRingTakesHalfTheBits) {
  constexpr std::uint32_t kBits = 6;
  std::vector<std::uint64_t> places;
  for (std::uint64_t i = 0; i < 1U << kBits; ++i) places.push_back(i << (64 - kBits));
  const ChordRing ring(places);
  std::uint32_t sum = 0;
  for (std::uint32_t to = 0; to < ring.peers(); ++to) {
    const ChordRoute route = ring.route(0, ring.place(to) + 1);  // owned by the next peer
    if (!route.local) {
      EXPECT_EQ(route.forwards, static_cast<std::uint32_t>(std::popcount(to)));
    }
    sum += static_cast<std::uint32_t>(std::popcount(to));
  }
  EXPECT_EQ(sum, ring.peers() * kBits / 2);
}

// STATISTICAL: the mean over rings and lookups is as computed.  A route has a standard deviation of
// about 1.4, rings of 2,000 peers differ by less than .03 in their means.
TEST(Chord, MeanForwardsAreAsComputed) {
  Rng rng(5);
  constexpr std::uint32_t kPeers = 2000;
  constexpr int kRings = 30;
  constexpr int kLookups = 3000;
  double sum = 0;
  for (int i = 0; i < kRings; ++i) {
    const ChordRing ring(kPeers, rng.next());
    for (int j = 0; j < kLookups; ++j) sum += ring.route(rng.below(kPeers), rng.next()).forwards;
  }
  const double mean = sum / (kRings * kLookups);
  const double error =
      4 * (1.4 / std::sqrt(1.0 * kRings * kLookups) + .03 / std::sqrt(1.0 * kRings));
  EXPECT_NEAR(mean, chord_forwards(kPeers), error);
}

// GOLDEN: 100,000 peers; and 0.138 less than half the logarithm for any large number.
TEST(Chord, MeanForwardsOfManyPeers) {
  EXPECT_NEAR(chord_forwards(1e5), 8.1667, 5e-4);
  EXPECT_NEAR(chord_forwards(1e9), std::log2(1e9) / 2 - .138, 2e-3);
  EXPECT_EQ(chord_forwards(1), 0);
  double last = 0;
  for (double peers = 4; peers < 1e5; peers *= 3.7) {
    EXPECT_GT(chord_forwards(peers), last);
    last = chord_forwards(peers);
  }
}

}  // namespace
}  // namespace twinsift
