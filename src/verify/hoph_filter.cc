// SPDX-License-Identifier: Apache-2.0
#include "verify/hoph_filter.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "base/tails.h"
#include "verify/goph.h"

namespace twinsift {
namespace {

constexpr auto kEmpty = std::numeric_limits<std::uint64_t>::max();

struct GroupCounts {
  std::uint32_t equal = 0;  // and not empty
  std::uint32_t used = 0;   // not empty in both
};

GroupCounts count_group(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  GroupCounts counts;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == kEmpty && b[i] == kEmpty) continue;
    ++counts.used;
    counts.equal += a[i] == b[i] ? 1U : 0U;
  }
  return counts;
}

// The test of goph.h for a share P of equal bins that the groups to come must have.
Verdict tail_verdict(double share, double t, std::uint32_t group, double error) {
  // A share such as .6 may come out as .6000000000000001, which must not ask for one bin more.
  const auto needed = static_cast<std::int64_t>(std::ceil(share * group - 1e-9));
  if (share < t) {
    return binomial_below(group, t, needed) <= error ? Verdict::kAccept : Verdict::kOpen;
  }
  return binomial_at_least(group, t, needed) <= error ? Verdict::kReject : Verdict::kOpen;
}

}  // namespace

std::vector<std::uint32_t> hoph_integer_weights(const HophFilterOptions& options,
                                                std::uint32_t group_bins) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::uint64_t sum = std::uint64_t{options.a} + options.b;
  std::uint64_t total = 1;
  for (std::uint32_t j = 1; j < options.groups; ++j) {
    if (total > kMost / group_bins / sum) return {};
    total *= sum;
  }
  if (total > kMost / group_bins) return {};
  std::vector<std::uint32_t> weights;
  std::uint64_t rest = total;  // (a + b)^(n-1) (1 - r)^(j-1), which (a + b) divides until the end
  for (std::uint32_t j = 1; j < options.groups; ++j) {
    weights.push_back(static_cast<std::uint32_t>(rest / sum * options.a));
    rest = rest / sum * options.b;
  }
  weights.push_back(static_cast<std::uint32_t>(rest));
  return weights;
}

EarlyStopTable hoph_table(FilterTask task, const HophFilterOptions& options) {
  assert(options.groups > 0 && task.k % options.groups == 0);
  assert(options.error >= 0 && options.error < 0.5);
  const std::uint32_t group = task.k / options.groups;
  const std::vector<std::uint32_t> weights = hoph_integer_weights(options, group);
  assert(weights.size() == options.groups);
  task.looks.clear();
  for (std::uint32_t bins = group; bins < task.k; bins += group) task.looks.push_back(bins);
  const std::string name = fmt::format("hoph1:ratio={}:{},groups={},error={}", options.a, options.b,
                                       options.groups, options.error);
  EarlyStopTable table{{}, task_spec(name, task)};
  if (task.threshold_permille == 0) {
    table.looks = accept_all(task.looks, task.k);
    return table;
  }
  const MatchRate rate = match_rate(task.threshold_permille, task.code_bits);
  const std::uint32_t total = group * std::accumulate(weights.begin(), weights.end(), 0U);
  std::uint32_t done = 0;
  for (std::size_t j = 0; j + 1 < weights.size(); ++j) {
    done += group * weights[j];
    const Bounds bounds = group_tail_bounds(
        {.rate = rate, .total = total, .done = done, .group = group, .error = options.error});
    table.looks.push_back(
        {task.looks[j], bounds.reject, bounds.accept, static_cast<std::int32_t>(weights[j])});
  }
  const std::int32_t m = full_count(rate, total);
  table.looks.push_back({task.k, m - 1, m, static_cast<std::int32_t>(weights.back())});
  return table;
}

Decision hoph_decide_raw(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                         std::uint32_t threshold_permille, const HophFilterOptions& options) {
  assert(a.size() == b.size() && a.size() % options.groups == 0);
  const auto group = static_cast<std::uint32_t>(a.size() / options.groups);
  const double t = threshold_permille / 1000.0;
  const double r = options.a / (static_cast<double>(options.a) + options.b);
  double missing = t;    // of the weighted matches, for the estimate to be T
  double remaining = 1;  // weight of the groups to come
  double estimate = 0;   // sum of w_j R_j over the groups that are not empty in both
  double used_weight = 0;
  for (std::uint32_t j = 0; j < options.groups; ++j) {
    const bool last = j + 1 == options.groups;
    const double weight = last ? remaining : remaining * r;
    const std::size_t begin = std::size_t{j} * group;
    const GroupCounts counts = count_group(a.subspan(begin, group), b.subspan(begin, group));
    const double share = counts.used == 0 ? t : static_cast<double>(counts.equal) / counts.used;
    missing -= weight * share;
    remaining -= weight;
    if (counts.used > 0) {
      estimate += weight * share;
      used_weight += weight;
    }
    if (last) break;
    const Verdict verdict = tail_verdict(missing / remaining, t, group, options.error);
    if (verdict != Verdict::kOpen) return {verdict, (j + 1) * group};
  }
  const bool similar = estimate >= t * used_weight - 1e-12;
  return {similar ? Verdict::kAccept : Verdict::kReject, static_cast<std::uint32_t>(a.size())};
}

}  // namespace twinsift
