// SPDX-License-Identifier: Apache-2.0
#include "sketch/redgreen.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "feature/weights.h"

namespace twinsift {

Result<RedGreenSketcher> RedGreenSketcher::make(std::uint32_t k, std::uint64_t seed,
                                                const WeightedSet& bounds) {
  TWINSIFT_TRY(auto canonical, make_weighted_set(bounds.tokens, bounds.weights));
  if (canonical.tokens.empty()) {
    return Error{ErrorCode::kInvalidArgument, "redgreen1 needs at least one id with a bound"};
  }
  RedGreenSketcher sketcher(k, seed, std::move(canonical));
  if (!std::isfinite(sketcher.ends_.back())) {
    return Error{ErrorCode::kInvalidArgument, "the sum of the bounds of redgreen1 overflows"};
  }
  return sketcher;
}

RedGreenSketcher::RedGreenSketcher(std::uint32_t k, std::uint64_t seed, WeightedSet bounds)
    : WeightedSketcher("redgreen1", k, seed), bounds_(std::move(bounds)) {
  ends_.resize(bounds_.weights.size());
  std::partial_sum(bounds_.weights.begin(), bounds_.weights.end(), ends_.begin());
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    vocabulary_hash_ = permute64(bounds_.tokens[i], vocabulary_hash_);
    vocabulary_hash_ =
        permute64(std::bit_cast<std::uint64_t>(bounds_.weights[i]), vocabulary_hash_);
  }
}

std::string RedGreenSketcher::spec() const {
  return fmt::format("{},vocabulary={:016x}", WeightedSketcher::spec(), vocabulary_hash_);
}

Result<std::vector<double>> RedGreenSketcher::green_lengths(const WeightedSet& set) const {
  std::vector<double> green(bounds_.tokens.size());
  for (std::size_t i = 0; i < set.tokens.size(); ++i) {
    const auto place = std::ranges::lower_bound(bounds_.tokens, set.tokens[i]);
    if (place == bounds_.tokens.end() || *place != set.tokens[i]) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("id {} is not in the vocabulary of redgreen1", set.tokens[i])};
    }
    const auto index = static_cast<std::size_t>(place - bounds_.tokens.begin());
    if (set.weights[i] > bounds_.weights[index]) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("the weight {} of id {} is above its bound {} in redgreen1",
                               set.weights[i], set.tokens[i], bounds_.weights[index])};
    }
    green[index] = set.weights[i];
  }
  return green;
}

Status RedGreenSketcher::count_darts(const WeightedSet& set, std::span<std::uint64_t> out) const {
  TWINSIFT_TRY(const std::vector<double> green, green_lengths(set));
  const double weight = std::accumulate(green.begin(), green.end(), 0.0);
  const Error too_light{ErrorCode::kLimit,
                        fmt::format("a set of weight {} is too light for the bounds of redgreen1, "
                                    "which sum to {}: use dart1",
                                    weight, ends_.back())};
  if (weight * 0x1p15 < ends_.back()) return too_light;
  for (std::size_t i = 0; i < out.size(); ++i) {
    Rng rng(seed_key(seed(), i));
    bool hit = false;
    for (out[i] = 0; !hit; ++out[i]) {
      if (out[i] == kMaxDarts) return too_light;
      const double place = rng.uniform() * ends_.back();
      const auto end = std::upper_bound(ends_.begin(), ends_.end() - 1, place);
      const auto index = static_cast<std::size_t>(end - ends_.begin());
      const double begin = index == 0 ? 0.0 : ends_[index - 1];
      hit = place - begin < green[index];
    }
  }
  return ok();
}

Status RedGreenSketcher::sketch_weighted(const WeightedSet& set,
                                         std::span<std::uint64_t> out) const {
  TWINSIFT_TRY([[maybe_unused]] const auto done, count_darts(set, out));
  // Small counts as they are would be poor keys.
  for (std::uint64_t& component : out) component = premix64(component);
  return ok();
}

}  // namespace twinsift
