// SPDX-License-Identifier: Apache-2.0
// Improved consistent weighted sampling (ICWS): k samples in a constant time per element.
//
// Per element x and sample, r and c are drawn from Gamma(2, 1) and beta from U(0, 1); the points of
// x on the axis of weights are then y = exp(r (t - beta)) for whole t, and
//     t = floor(ln S(x) / r + beta),   ln y = r (t - beta),   ln a = ln c - ln y - r.
// The sample is (x, t) of the smallest a; two sets have the same with probability J_W.
//
// Papers:  [Iof10] Ioffe, "Improved Consistent Sampling, Weighted Minhash and L1 Sketching",
//          ICDM 2010.
// Differs: all is done with logarithms, so that weights from 1e-300 to 1e300 neither overflow nor
//          underflow; and with our own (base/portable_math.h), because floor and the comparison
//          of a turn a difference in the last place into another sample.
//          The 0-bit variant, which keeps x and forgets t, is not offered: it takes a single
//          element of weight 1 for the same as one of weight 4 (1.0 instead of .25).
// Cost:    O(k |set|), three logarithms and five random numbers for each.
#pragma once

#include "sketch/weighted_sketch.h"

namespace twinsift {

class IcwsSketcher final : public WeightedSketcher {
 public:
  IcwsSketcher(std::uint32_t k, std::uint64_t seed);  // Requires: 0 < k <= 65536.

 private:
  Status sketch_weighted(const WeightedSet& set, std::span<std::uint64_t> out) const override;
};

// The random numbers of one element in one sample.
struct IcwsDraw {
  double r = 0;
  double c = 0;
  double beta = 0;
};
IcwsDraw icws_draw(std::uint64_t id, std::uint64_t key);

struct IcwsPoint {
  double t = 0;  // a whole number
  double log_y = 0;
  double log_a = 0;
};
IcwsPoint icws_point(double log_weight, const IcwsDraw& draw);

}  // namespace twinsift
