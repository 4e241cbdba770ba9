// SPDX-License-Identifier: Apache-2.0
#include "verify/bayes.h"

#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "base/tails.h"

namespace twinsift {
namespace {

// The largest count that is rejected after n components, or -1.  n of n are never rejected, as
// they would be near T = 1, where a continuous prior cannot believe in equality.
std::int32_t largest_rejected(std::uint32_t n, double t, double chance, double error) {
  if (t == 1) return static_cast<std::int32_t>(n) - 1;
  const auto survives = [=](std::int64_t x) {
    const auto a = static_cast<std::uint32_t>(x + 1);
    const std::uint32_t b = n + 2 - a;
    return beta_above(a, b, t) >= error * beta_above(a, b, chance);
  };
  return static_cast<std::int32_t>(first_where(0, n, survives) - 1);
}

}  // namespace

EarlyStopTable bayes_table(FilterTask task, double error) {
  assert(error >= 0 && error < 0.5);
  constexpr std::uint32_t kStep = 32;
  if (task.looks.empty()) {
    for (std::uint32_t n = kStep; n < task.k; n += kStep) task.looks.push_back(n);
  }
  const std::string name = fmt::format("bayes1:error={}", error);
  EarlyStopTable table{{}, task_spec(name, task)};
  if (task.threshold_permille == 0) {
    table.looks = accept_all(task.looks, task.k);
    return table;
  }
  const double t = match_rate(task.threshold_permille, task.code_bits).value();
  const double chance = std::exp2(-static_cast<double>(task.code_bits));
  task.looks.push_back(task.k);
  for (const std::uint32_t n : task.looks) {
    table.looks.push_back(
        {n, largest_rejected(n, t, chance, error), static_cast<std::int32_t>(n) + 1});
  }
  return table;
}

}  // namespace twinsift
