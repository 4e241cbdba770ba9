// SPDX-License-Identifier: Apache-2.0
// What a peer can know of the whole network by looking at little of it.
//
// Size: places are even, so the n-th nearest of N peers to any place is at a distance that has
// the Gamma law of n, divided by N; from m places the estimate
//     N = (m n - 1) / sum of distances
// has no bias and a relative error of 1 / sqrt(m n).
// Load and similarity: the mean over a sample of peers, and the pairs of resources that they show,
// whose similarity is the share of equal min-hashes.
//
// Papers:  [POND] sec. V-A (its [7] counts peers otherwise).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "net/network.h"
#include "tune/pond.h"

namespace twinsift::net {

// The peers nearest to one place.
struct Neighbourhood {
  DhtKey place{};
  std::vector<DhtKey> nearest;
};

// At least 1.  Neighbourhoods with fewer than two peers count for nothing; if none is left, the
// largest number of peers that was seen.
double estimate_peers(std::span<const Neighbourhood> neighbourhoods);

inline constexpr std::size_t kShownHashes = 64;
using ShownSet = std::array<std::uint32_t, kShownHashes>;  // min-hashes of one resource

// What one peer tells of itself.
struct PeerReport {
  double resources = 0;
  double searches = 0;            // in the last period
  double duplicates = 0;          // found by one search, on average
  std::vector<ShownSet> shown{};  // of some resources, taken at random
};

// Mean load over a sample of a network of so many peers.  Requires: the sample is not empty.
PondLoad estimate_load(double peers, std::span<const PeerReport> sample);

// How similar pairs are that belong to different resources; empty if fewer than 2 were shown.
std::vector<WeightedSimilarity> estimate_similarities(std::span<const PeerReport> sample);

ShownSet show_set(std::span<const std::uint64_t> set, std::uint64_t seed);

}  // namespace twinsift::net
