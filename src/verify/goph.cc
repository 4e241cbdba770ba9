// SPDX-License-Identifier: Apache-2.0
#include "verify/goph.h"

#include <cassert>

#include <fmt/format.h>

#include "base/tails.h"

namespace twinsift {
namespace {

// ceil(Mra); at most 0 if M suffices already.
std::int64_t needed(const GroupTail& tail, std::int64_t m) {
  __extension__ using i128 = __int128;
  const i128 missing = i128{tail.total} * tail.rate.above - i128{m} * tail.rate.below;
  if (missing <= 0) return 0;
  const i128 rest = i128{tail.total - tail.done} * tail.rate.below;
  return static_cast<std::int64_t>((missing * tail.group + rest - 1) / rest);
}

// M > T' done, which is Mra < k' T'.
bool above_threshold(const GroupTail& tail, std::int64_t m) {
  __extension__ using i128 = __int128;
  return i128{m} * tail.rate.below > i128{tail.done} * tail.rate.above;
}

}  // namespace

Bounds group_tail_bounds(const GroupTail& tail) {
  assert(tail.done < tail.total && tail.rate.above > 0);
  const double t = tail.rate.value();
  const std::int64_t low =
      first_where(1, tail.group + 1,
                  [&](std::int64_t m) { return binomial_below(tail.group, t, m) > tail.error; }) -
      1;  // accept if no more than this is needed
  const std::int64_t high = first_where(0, tail.group + 1, [&](std::int64_t m) {
    return binomial_at_least(tail.group, t, m) <= tail.error;
  });  // reject if at least this is needed
  const std::int64_t most = std::int64_t{tail.done} + 1;
  const std::int64_t accept = first_where(
      0, most, [&](std::int64_t m) { return above_threshold(tail, m) && needed(tail, m) <= low; });
  const std::int64_t open = first_where(
      0, most, [&](std::int64_t m) { return above_threshold(tail, m) || needed(tail, m) < high; });
  return {static_cast<std::int32_t>(open - 1), static_cast<std::int32_t>(accept)};
}

EarlyStopTable goph_table(FilterTask task, const GophOptions& options) {
  assert(options.groups > 0 && task.k % options.groups == 0);
  assert(options.error >= 0 && options.error < 0.5);
  const std::uint32_t group = task.k / options.groups;
  if (task.looks.empty()) {
    for (std::uint32_t bins = group; bins < task.k; bins += group) task.looks.push_back(bins);
  }
  const std::string name =
      fmt::format("goph1:{}groups={},error={}", options.exact_tail ? "exact," : "", options.groups,
                  options.error);
  EarlyStopTable table{{}, task_spec(name, task)};
  if (task.threshold_permille == 0) {
    table.looks = accept_all(task.looks, task.k);
    return table;
  }
  const MatchRate rate = match_rate(task.threshold_permille, task.code_bits);
  for (const std::uint32_t bins : task.looks) {
    const Bounds bounds = group_tail_bounds({.rate = rate,
                                             .total = task.k,
                                             .done = bins,
                                             .group = options.exact_tail ? task.k - bins : group,
                                             .error = options.error});
    table.looks.push_back({bins, bounds.reject, bounds.accept});
  }
  const std::int32_t m = full_count(rate, task.k);
  table.looks.push_back({task.k, m - 1, m});
  return table;
}

}  // namespace twinsift
