// SPDX-License-Identifier: Apache-2.0
#include "verify/filter_parts.h"

#include <fmt/format.h>

namespace twinsift {

MatchRate match_rate(std::uint32_t threshold_permille, std::uint32_t code_bits) {
  assert(threshold_permille <= 1000 && code_bits > 0);
  const std::uint64_t t = threshold_permille;
  if (code_bits > 32) return {t, 1000};
  const std::uint64_t codes = std::uint64_t{1} << code_bits;
  return {1000 + (codes - 1) * t, 1000 * codes};
}

std::int32_t full_count(const MatchRate& rate, std::uint32_t total) {
  __extension__ using u128 = unsigned __int128;
  return static_cast<std::int32_t>((u128{rate.above} * total + rate.below - 1) / rate.below);
}

std::string task_spec(std::string_view name, const FilterTask& task) {
  return fmt::format("{},k={},t={},bits={},looks={}", name, task.k, task.threshold_permille,
                     task.code_bits, fmt::join(task.looks, "/"));
}

std::vector<Look> accept_all(std::span<const std::uint32_t> looks, std::uint32_t k) {
  std::vector<Look> table;
  for (const std::uint32_t bins : looks) table.push_back({bins, -1, 0});
  table.push_back({k, -1, 0});
  return table;
}

EarlyStopTable full_table(const FilterTask& task) {
  EarlyStopTable table{{}, task_spec("none", task)};
  if (task.threshold_permille == 0) {
    table.looks = accept_all(task.looks, task.k);
    return table;
  }
  for (const std::uint32_t bins : task.looks) {
    table.looks.push_back({bins, -1, static_cast<std::int32_t>(bins) + 1});
  }
  const std::int32_t m = full_count(match_rate(task.threshold_permille, task.code_bits), task.k);
  table.looks.push_back({task.k, m - 1, m});
  return table;
}

}  // namespace twinsift
