// SPDX-License-Identifier: Apache-2.0
// Consistent weighted sampling (CWS): k samples of a weighted set, the original construction.
//
// Each element x has, per sample, one fixed random set of points on the weight axis, dense towards
// 0 as 1/weight.  With y the largest point <= S(x) and z the smallest point > S(x), the sample of
// S is the (x, y) that minimises
//     c_x / z,   c_x ~ Gamma(2, 1) seeded by x alone  [MMT10; 002, Alg. 1].
// (-z ln h is Gamma(2) for the h of the paper's cdf_z(a) = a^z (1 + z ln(1/a)), so that nothing
// need be inverted.)  y is uniform in (0, S(x)], x is chosen in proportion to S(x), and the
// sample stays the same for every S' <= S that still has it: hence P(equal) = J_W.
// The points of the interval (2^(q-1), 2^q] are 2^q u_1, 2^q u_1 u_2, ... as long as they are
// inside; each interval has its own seed, so that only one or two are looked at.
//
// Papers:  [MMT10] Manasse, McSherry, Talwar, "Consistent Weighted Sampling", MSR 2010.
//          [002] near-duplicate detection with CWS and an early-stop filter, Alg. 1.
// Differs: a point is kept as (interval, ordinal, fraction) and values are compared by exponent
//          first, so that weights of any magnitude, also subnormal ones, neither overflow nor
//          underflow.
// Errata:  [002] Alg. 1: points at 2k must be 2^k; the interval is that of S(x), not x; the random
//          factor must be fresh at each step; y <= S, not <; c depends on x and the sample only:
//          seeding it by y or z too breaks the consistency.
// Cost:    O(k |set|), four random streams for each: the slowest, kept as the reference.
#pragma once

#include "sketch/weighted_sketch.h"

namespace twinsift {

class CwsSketcher final : public WeightedSketcher {
 public:
  CwsSketcher(std::uint32_t k, std::uint64_t seed);  // Requires: 0 < k <= 65536.

 private:
  Status sketch_weighted(const WeightedSet& set, std::span<std::uint64_t> out) const override;
};

// The point 2^interval * fraction, fraction in (1/2, 1]: the ordinal-th of its interval from above.
struct CwsPoint {
  int interval = 0;
  std::uint32_t ordinal = 0;
  double fraction = 0;
};

// The points next to a weight: y <= weight < z.
struct ActiveIndices {
  CwsPoint y;
  CwsPoint z;
};

// `xs` is the id permuted by the key of the sample.  Requires: 0 < weight < infinity.
ActiveIndices active_indices(std::uint64_t xs, double weight);

}  // namespace twinsift
