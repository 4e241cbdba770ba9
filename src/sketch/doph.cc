// SPDX-License-Identifier: Apache-2.0
#include "sketch/doph.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/hash.h"
#include "sketch/set_sketch.h"

namespace twinsift {
namespace {

// The size of the set, from how many of its bins were full before copies were made.
double set_size(const Sketch& sketch) {
  Sketch values = sketch;
  std::ranges::sort(values);
  const auto full = static_cast<double>(std::unique(values.begin(), values.end()) - values.begin());
  const auto k = static_cast<double>(sketch.size());
  return std::max(full, elements_for_empty(k - full, k));
}

}  // namespace

DophSketcher::DophSketcher(std::uint32_t k, std::uint64_t seed) : oph_(k, seed), seed_(seed) {
  assert(k <= kMaxComponents);
}

std::string DophSketcher::spec() const { return fmt::format("doph1:k={},seed={}", k(), seed_); }

void DophSketcher::sketch_ids(std::span<const std::uint64_t> ids,
                              std::span<std::uint64_t> out) const {
  oph_.sketch_ids(ids, out);
  densify(out, seed_);
}

Result<Sketch> DophSketcher::sketch(const Feature& feature) const {
  return sketch_token_set(*this, feature);
}

Estimate DophSketcher::similarity(const Sketch& a, const Sketch& b) const {
  const Estimate estimate = estimate_by_matches(a, b);
  if (a.empty() || b.empty()) return estimate;
  const double f = (set_size(a) + set_size(b)) / (1 + estimate.value);
  return {.value = estimate.value, .std_error = std::sqrt(doph_variance(estimate.value, f, k()))};
}

Result<Sketch> DophSketcher::merge(const Sketch& /*a*/, const Sketch& /*b*/) const {
  return Error{
      ErrorCode::kUnsupported,
      spec() + " cannot merge: the bins it has copied are not those of the union; use oph1"};
}

void densify(std::span<std::uint64_t> bins, std::uint64_t seed) {
  const auto k = static_cast<std::uint32_t>(bins.size());
  std::vector<std::uint32_t> empty;
  for (std::uint32_t i = 0; i < k; ++i) {
    if (bins[i] == kEmptyBin) empty.push_back(i);
  }
  if (empty.empty()) return;
  assert(empty.size() < k);
  // Copies go to a place of their own until all are made: whoever copied a copy would follow the
  // tries of another bin, and sets that differ there would be led apart.
  std::vector<std::uint64_t> copies(empty.size());
  const std::uint64_t key = seed_key(seed, 1);
  for (std::size_t e = 0; e < empty.size(); ++e) {
    copies[e] = kEmptyBin;
    for (std::uint64_t attempt = 1; copies[e] == kEmptyBin; ++attempt) {
      copies[e] = bins[scale_to(mix64(key ^ ((std::uint64_t{empty[e]} << 32U) | attempt)), k)];
    }
  }
  for (std::size_t e = 0; e < empty.size(); ++e) bins[empty[e]] = copies[e];
}

double doph_variance(double j, double f, std::uint32_t k) {
  const double empty = k * std::exp(f * std::log1p(-1.0 / k));
  const double full = k - empty;
  const double squares = full + 3 * empty + std::max(0.0, empty * (empty - 1)) / full;
  return match_variance(j, squares / k / k, f);
}

}  // namespace twinsift
