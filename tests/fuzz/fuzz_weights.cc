// SPDX-License-Identifier: Apache-2.0
// Whatever doubles come as weights, a weighted set is refused with the index of an element or is
// canonical, does not depend on the order of its elements, and is sketched by every sampler.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "feature/weights.h"
#include "sketch/redgreen.h"
#include "twinsift/sketch.h"
#include "verify/similarity.h"

namespace {

using twinsift::Feature;
using twinsift::TokenSet;
using twinsift::WeightedSet;

bool same(const WeightedSet& a, const WeightedSet& b) {
  return a.tokens == b.tokens && a.weights == b.weights;
}

void check_similarity(const WeightedSet& set) {
  WeightedSet half = set;
  for (double& weight : half.weights) weight /= 2;
  if (twinsift::weighted_jaccard(set, set) != 1) std::abort();
  const double j = twinsift::weighted_jaccard(set, half);
  if (!(j >= 0 && j <= 1) || j != twinsift::weighted_jaccard(half, set)) std::abort();
}

void check_sketches(const WeightedSet& set) {
  static const auto samplers = [] {
    std::vector<std::unique_ptr<twinsift::Sketcher>> all;
    for (const char* spec : {"dart1:k=16,seed=1", "cws1:k=8,seed=1", "icws1:k=8,seed=1"}) {
      all.push_back(*twinsift::make_sketcher(spec));
    }
    return all;
  }();
  for (const auto& sampler : samplers) {
    const auto sketch = sampler->sketch(Feature{.value = set});
    if (!sketch || sketch->size() != (set.tokens.empty() ? 0 : sampler->k())) std::abort();
  }
  if (set.tokens.empty()) return;
  const auto closed = twinsift::RedGreenSketcher::make(8, 1, set);
  if (!closed) return;  // the sum of the bounds overflows
  const auto sketch = closed->sketch(Feature{.value = set});
  if (!sketch || sketch->size() != 8) std::abort();
}

}  // namespace

// Nine bytes are an element: a small id, so that ids repeat, and any double.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  TokenSet ids;
  std::vector<double> weights;
  for (std::size_t at = 0; at + 9 <= size && ids.size() < 64; at += 9) {
    double weight = 0;
    std::memcpy(&weight, data + at + 1, sizeof weight);
    ids.push_back(data[at] % 16U);
    weights.push_back(weight);
  }
  const bool good =
      std::ranges::all_of(weights, [](double w) { return std::isfinite(w) && w >= 0; });
  const auto set = twinsift::make_weighted_set(ids, weights);
  if (!set) {
    if (set.error().message.find("element ") == std::string::npos) std::abort();
    return 0;
  }
  if (!good || !twinsift::is_canonical(*set)) std::abort();
  if (!same(*twinsift::make_weighted_set(set->tokens, set->weights), *set)) std::abort();
  std::ranges::reverse(ids);
  std::ranges::reverse(weights);
  if (!same(*twinsift::make_weighted_set(ids, weights), *set)) std::abort();
  if (!set->tokens.empty()) check_similarity(*set);
  check_sketches(*set);
  return 0;
}
