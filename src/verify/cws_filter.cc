// SPDX-License-Identifier: Apache-2.0
#include "verify/cws_filter.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/tails.h"

namespace twinsift {

EarlyStopTable cws_table(FilterTask task, double error) {
  assert(error >= 0 && error < 0.5);
  if (task.looks.empty()) {
    const std::uint32_t step = std::max(1U, task.k / 10);
    for (std::uint32_t n = step; n < task.k; n += step) task.looks.push_back(n);
  }
  const std::string name = fmt::format("cws1:error={}", error);
  EarlyStopTable table{{}, task_spec(name, task)};
  if (task.threshold_permille == 0) {
    table.looks = accept_all(task.looks, task.k);
    return table;
  }
  const MatchRate rate = match_rate(task.threshold_permille, task.code_bits);
  const double t = rate.value();
  for (const std::uint32_t n : task.looks) {
    const auto reject =
        first_where(0, n, [=](std::int64_t m) { return binomial_below(n, t, m + 1) > error; }) - 1;
    const auto accept = first_where(0, std::int64_t{n} + 1, [=](std::int64_t m) {
      return binomial_at_least(n, t, m) <= error;
    });
    table.looks.push_back(
        {n, static_cast<std::int32_t>(reject), static_cast<std::int32_t>(accept)});
  }
  const std::int32_t m = full_count(rate, task.k);
  table.looks.push_back({task.k, m - 1, m});
  return table;
}

}  // namespace twinsift
