// SPDX-License-Identifier: Apache-2.0
// Weighted sets in canonical form: ids sorted and unique, every weight a positive finite number.
//
// Everything behind this point (samplers, similarities) relies on that form, so that whatever
// comes from outside passes here first.  Weights are double: a float ends at 1e38, and the sums
// of minima and maxima of two sets are to be exact for counts up to 2^53.
#pragma once

#include <span>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// A set, or a weighted set in canonical form, that somebody else keeps.
struct SetView {
  std::span<const std::uint64_t> ids;
  std::span<const double> weights{};  // empty: every weight is 1
  bool packed = false;                // no set, but words that only their medium understands
  SetView() = default;
  // NOLINTBEGIN(google-explicit-constructor): both are views of what they are made from
  SetView(std::span<const std::uint64_t> of_ids) : ids(of_ids) {}
  SetView(const TokenSet& set) : ids(set) {}
  SetView(const WeightedSet& set) : ids(set.tokens), weights(set.weights) {}
  SetView(const Packed& feature) : ids(feature.words), packed(true) {}
  // NOLINTEND(google-explicit-constructor)
  SetView(std::span<const std::uint64_t> of_ids, std::span<const double> of_weights)
      : ids(of_ids), weights(of_weights) {}
};

// The canonical form of ids with weights: duplicates are summed, zeros dropped; the order of the
// input does not matter, not even for rounding.  Fails with kInvalidArgument, naming the index of
// the element, if a weight is negative, infinite or not a number, or a sum overflows.
Result<WeightedSet> make_weighted_set(std::span<const std::uint64_t> ids,
                                      std::span<const double> weights);

[[nodiscard]] bool is_canonical(const WeightedSet& set);

// The distinct ids with weight 1 each.
WeightedSet unit_weights(std::span<const std::uint64_t> ids);

}  // namespace twinsift
