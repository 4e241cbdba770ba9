// SPDX-License-Identifier: Apache-2.0
#include "verify/early_stop.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/tails.h"
#include "verify/filter_parts.h"

namespace twinsift {
namespace {

// The worst pair for one kind of error: its components are 1 with probability p each and, in
// full mode, sum to `total`.  Stopping it for having too few ones is the error.
struct WorstCase {
  std::uint32_t k = 0;
  double p = 0;
  std::optional<std::int64_t> total;
  double alpha = 0;

  // What the components after the first `bins` make of the probability of x ones in these.
  [[nodiscard]] double weight(std::uint32_t bins, std::int64_t x) const {
    if (!total) return 1;
    return binomial_pmf(k - bins, p, *total - x) / binomial_pmf(k, p, *total);
  }
  // Not even ones alone could still bring the total: stopping here is no error at all.
  [[nodiscard]] bool impossible(std::uint32_t bins, std::int64_t x) const {
    return total && *total - x > std::int64_t{k} - bins;
  }
};

WorstCase given_total(std::uint32_t k, std::int64_t total, double alpha) {
  return {.k = k, .p = static_cast<double>(total) / k, .total = total, .alpha = alpha};
}

WorstCase given_similarity(std::uint32_t k, double p, double alpha) {
  if (p == 1) return given_total(k, k, alpha);
  return {.k = k, .p = p, .total = {}, .alpha = alpha};
}

// The law of the count after `step` more components.
std::vector<double> advance(std::span<const double> mass, std::uint32_t step, double p) {
  std::vector<double> next(mass.size() + step, 0.0);
  for (std::uint32_t y = 0; y <= step; ++y) {
    const double chance = binomial_pmf(step, p, y);
    for (std::size_t x = 0; x < mass.size(); ++x) next[x + y] += chance * mass[x];
  }
  return next;
}

// For each look the largest count at which the worst case may be stopped, or -1.
std::vector<std::int32_t> lower_bounds(std::span<const std::uint32_t> looks,
                                       const WorstCase& worst) {
  std::vector<std::int32_t> bounds;
  std::vector<double> mass = {1.0};  // of the paths not stopped so far, by count
  std::uint32_t bins = 0;
  std::int32_t bound = -1;
  double used = 0;
  for (const std::uint32_t look : looks) {
    const std::uint32_t step = look - bins;
    bins = look;
    mass = advance(mass, step, worst.p);
    const double budget =
        worst.alpha * static_cast<double>(bounds.size() + 1) / static_cast<double>(looks.size());
    // Counts up to the old bound have no mass left.  Without the limit a budget saved up by a
    // coarse first look could let the mirrored bound fall from look to look.
    for (const auto limit = bound + static_cast<std::int32_t>(step); bound < limit; ++bound) {
      const std::int32_t x = bound + 1;
      double& here = mass[static_cast<std::size_t>(x)];
      const double spent = used + here * worst.weight(bins, x);
      if (!worst.impossible(bins, x)) {
        if (worst.alpha == 0 || spent > budget) break;
        used = spent;
      }
      here = 0;
    }
    bounds.push_back(bound);
  }
  return bounds;
}

// `few` is stopped for too few equal components, `many` (written in unequal components) for
// too few unequal ones.
std::vector<Look> two_sided(std::span<const std::uint32_t> looks, const WorstCase& few,
                            const WorstCase& many) {
  const std::vector<std::int32_t> reject = lower_bounds(looks, few);
  const std::vector<std::int32_t> accept = lower_bounds(looks, many);
  std::vector<Look> table;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    table.push_back({looks[i], reject[i], static_cast<std::int32_t>(looks[i]) - accept[i]});
  }
  return table;
}

std::string spec_of(std::string_view mode, const GroupSequentialOptions& options) {
  return fmt::format("gs1:{},k={},t={},bits={},looks={},reject={:g},accept={:g}", mode, options.k,
                     options.threshold_permille, options.code_bits, fmt::join(options.looks, "/"),
                     options.alpha_reject, options.alpha_accept);
}

[[maybe_unused]] bool valid(const GroupSequentialOptions& options) {
  const auto is_error = [](double alpha) { return alpha >= 0 && alpha < 0.5; };
  const auto& looks = options.looks;
  return options.k > 0 && options.threshold_permille <= 1000 && options.code_bits > 0 &&
         is_error(options.alpha_reject) && is_error(options.alpha_accept) &&
         std::ranges::adjacent_find(looks, std::ranges::greater_equal{}) == looks.end() &&
         (looks.empty() || (looks.front() > 0 && looks.back() < options.k));
}

}  // namespace

EarlyStopTable group_sequential_full(const GroupSequentialOptions& options) {
  assert(valid(options));
  EarlyStopTable table{accept_all(options.looks, options.k), spec_of("full", options)};
  if (options.threshold_permille == 0) return table;
  const std::uint32_t k = options.k;
  const std::int32_t m = full_count(match_rate(options.threshold_permille, options.code_bits), k);
  table.looks = two_sided(options.looks, given_total(k, m, options.alpha_reject),
                          given_total(k, std::int64_t{k} - (m - 1), options.alpha_accept));
  table.looks.push_back({k, m - 1, m});
  return table;
}

EarlyStopTable group_sequential_true(const GroupSequentialOptions& options) {
  assert(valid(options));
  EarlyStopTable table{accept_all(options.looks, options.k),
                       spec_of(options.bound_last ? "true+last" : "true", options)};
  if (options.threshold_permille == 0) return table;
  const std::uint32_t k = options.k;
  const MatchRate rate = match_rate(options.threshold_permille, options.code_bits);
  const double p = rate.value();
  const double q = rate.complement();
  std::vector<std::uint32_t> looks = options.looks;
  if (options.bound_last) looks.push_back(k);
  table.looks = two_sided(looks, given_similarity(k, p, options.alpha_reject),
                          given_similarity(k, q, options.alpha_accept));
  const std::int32_t m = full_count(rate, k);
  if (!options.bound_last) table.looks.push_back({k, m - 1, m});
  return table;
}

}  // namespace twinsift
