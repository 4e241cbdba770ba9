// SPDX-License-Identifier: Apache-2.0
#include "sketch/oph.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "base/hash.h"
#include "sketch/set_sketch.h"

namespace twinsift {

OphSketcher::OphSketcher(std::uint32_t k, std::uint64_t seed) : k_(k), seed_(seed) {
  assert(k > 0 && k <= 65536);
}

std::string OphSketcher::spec() const { return fmt::format("oph1:k={},seed={}", k_, seed_); }

void OphSketcher::sketch_ids(std::span<const std::uint64_t> ids,
                             std::span<std::uint64_t> out) const {
  assert(!ids.empty() && out.size() == k_);
  std::ranges::fill(out, kEmptyBin);
  throw_once(ids, seed_key(seed_, 0), out);
}

Result<Sketch> OphSketcher::sketch(const Feature& feature) const {
  return sketch_token_set(*this, feature);
}

Estimate OphSketcher::similarity(const Sketch& a, const Sketch& b) const {
  if (a.empty() || b.empty()) return estimate_by_matches(a, b);
  const BinCounts counts = count_bins(a, b);
  const double m = counts.bins - counts.both_empty;
  if (m == 0) return {.value = 1, .std_error = 0};  // two empty sets are equal
  const double j = counts.matched / m;
  const double f = std::max(m, elements_for_empty(counts.both_empty, counts.bins));
  return {.value = j, .std_error = std::sqrt(match_variance(j, 1 / m, f))};
}

Result<Sketch> OphSketcher::merge(const Sketch& a, const Sketch& b) const {
  return componentwise_minimum(a, b);
}

BinCounts count_bins(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  assert(a.size() == b.size());
  BinCounts counts{.bins = static_cast<std::uint32_t>(a.size())};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool empty = a[i] == kEmptyBin;
    counts.matched += a[i] == b[i] && !empty ? 1U : 0U;
    counts.both_empty += a[i] == b[i] && empty ? 1U : 0U;
    counts.either_empty += empty || b[i] == kEmptyBin ? 1U : 0U;
  }
  return counts;
}

double match_variance(double j, double inverse_bins, double f) {
  if (f <= 1) return 0;
  const double others = 1 / (f - 1);
  return j * (1 - j) * std::max(0.0, inverse_bins * (1 + others) - others);
}

double mean_inverse_bins(std::uint64_t f, std::uint32_t k) {
  assert(f > 0 && k > 0);
  // hit[m]: the probability that m bins have been hit so far.
  std::vector<double> hit(std::min<std::uint64_t>(f, k) + 1, 0.0);
  hit[0] = 1;
  for (std::uint64_t thrown = 0; thrown < f; ++thrown) {
    for (std::size_t m = std::min<std::size_t>(thrown + 1, hit.size() - 1); m > 0; --m) {
      hit[m] =
          (hit[m] * static_cast<double>(m) + hit[m - 1] * static_cast<double>(k - (m - 1))) / k;
    }
    hit[0] = 0;
  }
  double mean = 0;
  for (std::size_t m = 1; m < hit.size(); ++m) mean += hit[m] / static_cast<double>(m);
  return mean;
}

double elements_for_empty(double empty, double k) {
  if (empty <= 0) return std::numeric_limits<double>::infinity();
  return std::log(empty / k) / std::log1p(-1 / k);
}

}  // namespace twinsift
