// SPDX-License-Identifier: Apache-2.0
// Dart sampling: k samples of a weighted set in O(|set| + k log k), the default for weights.
//
// Imagine a board for each element: its axes are weight and rank, and darts hit it as a Poisson
// process of density 1, fixed by the seed for ever.  A set sees the darts below its weights.
// Every dart also belongs to one of k bins; each bin keeps the seen dart of the smallest rank.
// For two sets A and B, the smallest dart that either sees in a bin lies uniformly on the area
// under max(A, B), and both see it if it is under min(A, B): hence
//     P(component equal) = J_W,
// independently for each bin, so that the variance is J_W (1 - J_W) / k.
// A set of total weight W sees W R darts of rank <= R; about k ln k + 2k fill all bins, and if
// they do not, R grows.  R decides how much is looked at, never what is found.
//
// The board is cut into levels of weight (2^(i-1), 2^i].  Inside one, darts come in the order of
// their rank, with exponential gaps.  A light level seldom has a dart of small rank: the
// first 8 bits of its first gap say so, and are read for eight levels with one hash.
//
// Papers:  [Chr20] Christiani, "DartMinHash: Fast Sketching for Weighted Sets", 2020: the idea.
// Differs: exponential gaps instead of a grid of cells.  Sets are NOT normalised: J_W itself is
//          estimated, for weights of any magnitude (1e-300 and 1e300 alike), because ranks are
//          compared relative to the set's total, scaled by a power of two.  Whoever wants the
//          similarity of directions divides by the sum first, as TF-IDF does (tfidf.h).
//          Levels that see fewer than 2^-48 darts are skipped: the samples that this could change
//          are fewer than |set| 2^-47 of all.
//          The logarithm of the gaps is base/portable_math.h's: ranks are compared.
// Cost:    see docs/algorithms/dart.md; memory 16k bytes.
#pragma once

#include "sketch/weighted_sketch.h"

namespace twinsift {

class DartSketcher final : public WeightedSketcher {
 public:
  DartSketcher(std::uint32_t k, std::uint64_t seed);  // Requires: 0 < k <= 65536.

 private:
  Status sketch_weighted(const WeightedSet& set, std::span<std::uint64_t> out) const override;
};

}  // namespace twinsift
