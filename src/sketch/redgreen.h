// SPDX-License-Identifier: Apache-2.0
// Red-green sampling: k samples of weighted sets over a closed vocabulary.
//
// Every id x has an upper bound m_x of its weight, given once for all sets.  The bounds lie side by
// side on a line of length M; in a set the first w_x of each bound are green, the rest red.
// Darts are thrown uniformly on the line, the same for all sets, until one hits green:
//     component = number of darts,   P(equal) = J_W exactly,   E[darts] = M / sum of weights.
// It needs no logarithm and no arg min, and pays off where the sets fill their bounds: colour or
// audio histograms, not sparse text, where M is a thousand times the weight of a set.
//
// Use: RedGreenSketcher::make(k, seed, bounds) with the largest weight that each id will ever
// have.  There is no spec to type, as a spec cannot hold the bounds; spec() names their hash,
// so that sketches over other bounds are told apart.  A weight above its bound, or an id without
// a bound, is an error: make new bounds and sketch everything again.
//
// Papers:  [Shr16] Shrivastava, "Simple and Efficient Weighted Minwise Hashing", NIPS 2016.
// Differs: the darts are limited; a set that is too light for its vocabulary is an error.
// Cost:    O(k (M / weight) log |vocabulary|), and O(|vocabulary|) memory for each call.
#pragma once

#include <vector>

#include "sketch/weighted_sketch.h"

namespace twinsift {

class RedGreenSketcher final : public WeightedSketcher {
 public:
  // The most darts for one component.  At 2^15 darts on average it is enough but in one of
  // e^32 = 10^13 cases; lighter sets are refused with kLimit.
  static constexpr std::uint64_t kMaxDarts = std::uint64_t{1} << 20U;

  // Fails with kInvalidArgument if the bounds are empty or bad weights, see weights.h.
  // Requires: 0 < k <= 65536.
  static Result<RedGreenSketcher> make(std::uint32_t k, std::uint64_t seed,
                                       const WeightedSet& bounds);

  [[nodiscard]] std::string spec() const override;

  // The number of darts of each component, before it is hashed; out.size() == k().
  Status count_darts(const WeightedSet& set, std::span<std::uint64_t> out) const;

 private:
  RedGreenSketcher(std::uint32_t k, std::uint64_t seed, WeightedSet bounds);
  Status sketch_weighted(const WeightedSet& set, std::span<std::uint64_t> out) const override;
  [[nodiscard]] Result<std::vector<double>> green_lengths(const WeightedSet& set) const;

  WeightedSet bounds_;
  std::vector<double> ends_;  // ends_[i] is where the bound of bounds_.tokens[i] ends on the line
  std::uint64_t vocabulary_hash_ = 0;
};

}  // namespace twinsift
