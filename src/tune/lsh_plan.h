// SPDX-License-Identifier: Apache-2.0
// How often the families of hash functions for codes and vectors collide, and the choice of their
// numbers for a promised recall.
//
// One function collides with probability p for a pair at the largest distance that is to be found.
// V of them make the key of a table, and a pair is found if it meets in some of L tables:
//     P(found) = 1 - (1 - p^V)^L.
// For coordinates drawn without replacement, C(bits - d, V) / C(bits, V) takes the place of p^V.
// The tables are drawn independently, so this is exact for any fixed pair, and it grows as the pair
// comes nearer.  Among the plans that keep the promise the one with the cheapest question wins.
//
// Papers:  [GIM99] Gionis, Indyk, Motwani, "Similarity Search in High Dimensions via Hashing", VLDB
//          1999: coordinates.
//          [DIIM04] Datar, Immorlica, Indyk, Mirrokni, "Locality-Sensitive Hashing Scheme Based on
//          p-Stable Distributions", SCG 2004: Gaussian projections, sec. 3.2 for p(u).
// Errata:  [HU18] (index/balanced.h) calls a p-stable value one bit; it is a whole number.
// Cost:    some thousand plans of a few operations.
#pragma once

#include <cstdint>

#include "twinsift/result.h"

namespace twinsift {

// P(two codes agree in V distinct random coordinates), if they differ in `distance` of `bits`.
// Requires: distance <= bits, v <= bits.
double coordinate_collision(std::uint32_t bits, std::uint32_t distance, std::uint32_t v);

// p(u; r): P(two vectors at Euclidean distance u have the same floor((w x + b) / r)).
// Requires: u >= 0, r > 0.
double pstable_collision(double u, double r);

struct LshPlan {
  std::uint32_t v = 0;
  std::uint32_t l = 0;
  double r = 0;            // the width of a cell; p-stable only
  double found = 0;        // P(found) at the radius, and at least that below
  double candidates = 0;   // unrelated items compared for a question
  double nanoseconds = 0;  // for a question, by the costs in the .cc
};

inline constexpr std::uint32_t kMaxTables = 256;

struct CoordinateTask {
  std::uint32_t bits = 256;
  std::uint32_t radius = 31;
  double recall = 0.99;
  std::uint32_t items = 1'000'000;  // expected; unrelated codes are taken to be random
};
// kInvalidArgument if the numbers make no sense or kMaxTables tables do not suffice.
Result<LshPlan> choose_coordinates(const CoordinateTask& task);

struct PstableTask {
  std::uint32_t dimension = 1;
  double radius = 1;  // Euclidean
  double far = 4;     // the usual distance of unrelated vectors
  double recall = 0.9;
  std::uint32_t items = 100'000;
};
Result<LshPlan> choose_pstable(const PstableTask& task);

}  // namespace twinsift
