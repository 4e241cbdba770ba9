// SPDX-License-Identifier: Apache-2.0
#include "sketch/minhash.h"

#include <cassert>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/permute.h"
#include "sketch/set_sketch.h"

namespace twinsift {

MinHashSketcher::MinHashSketcher(std::uint32_t k, std::uint64_t seed) : k_(k), seed_(seed) {
  assert(k > 0 && k <= 65536);
}

std::string MinHashSketcher::spec() const {
  return fmt::format("minhash1:k={},seed={}", k_, seed_);
}

void MinHashSketcher::sketch_ids(std::span<const std::uint64_t> ids,
                                 std::span<std::uint64_t> out) const {
  assert(!ids.empty() && out.size() == k_);
  const std::span<const std::uint64_t> premixed = premix_all(ids);
  for (std::size_t i = 0; i < k_; ++i) out[i] = min_permuted(premixed, seed_key(seed_, i));
}

Result<Sketch> MinHashSketcher::sketch(const Feature& feature) const {
  return sketch_token_set(*this, feature);
}

Estimate MinHashSketcher::similarity(const Sketch& a, const Sketch& b) const {
  return estimate_by_matches(a, b);
}

Result<Sketch> MinHashSketcher::merge(const Sketch& a, const Sketch& b) const {
  return componentwise_minimum(a, b);
}

}  // namespace twinsift
