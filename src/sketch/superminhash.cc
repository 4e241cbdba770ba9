// SPDX-License-Identifier: Apache-2.0
#include "sketch/superminhash.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <vector>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "sketch/set_sketch.h"

namespace twinsift {

SuperMinHashSketcher::SuperMinHashSketcher(std::uint32_t k, std::uint64_t seed)
    : k_(k), seed_(seed) {
  assert(k > 0 && k <= 65536);
}

std::string SuperMinHashSketcher::spec() const {
  return fmt::format("superminhash1:k={},seed={}", k_, seed_);
}

void SuperMinHashSketcher::sketch_ids(std::span<const std::uint64_t> ids,
                                      std::span<std::uint64_t> out) const {
  assert(!ids.empty() && out.size() == k_);
  // place[j] is part of the current element's permutation if touched[j] says so; to reset all of it
  // for each element would cost more than the few steps that most of them take.
  std::vector<std::uint32_t> place(k_);
  std::vector<std::size_t> touched(k_, SIZE_MAX);
  std::vector<std::uint32_t> histogram(k_);  // of floor(value); no value counts as k - 1
  histogram[k_ - 1] = k_;
  std::uint32_t last = k_ - 1;
  std::vector<double> values(k_, static_cast<double>(k_));  // above all values
  const std::uint64_t key = seed_key(seed_, 0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Rng rng(permute64(ids[i], key));
    const auto entry = [&](std::uint32_t j) -> std::uint32_t& {
      if (touched[j] != i) place[j] = j;
      touched[j] = i;
      return place[j];
    };
    for (std::uint32_t j = 0; j <= last; ++j) {
      const double value = rng.uniform() + j;
      const std::uint32_t other = j + rng.below(k_ - j);
      std::swap(entry(j), entry(other));
      double& component = values[place[j]];
      if (value >= component) continue;
      // The whole part of a value is j, or j + 1 where the sum was rounded up: not always j.
      const auto whole = [this](double v) {
        return std::min(static_cast<std::uint32_t>(v), k_ - 1);
      };
      --histogram[whole(component)];
      ++histogram[whole(value)];
      component = value;
      while (histogram[last] == 0) --last;
    }
  }
  std::ranges::transform(values, out.begin(),
                         [](double v) { return std::bit_cast<std::uint64_t>(v); });
}

Result<Sketch> SuperMinHashSketcher::sketch(const Feature& feature) const {
  return sketch_token_set(*this, feature);
}

Estimate SuperMinHashSketcher::similarity(const Sketch& a, const Sketch& b) const {
  return estimate_by_matches(a, b);
}

Result<Sketch> SuperMinHashSketcher::merge(const Sketch& a, const Sketch& b) const {
  return componentwise_minimum(a, b);
}

}  // namespace twinsift
