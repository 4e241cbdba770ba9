// SPDX-License-Identifier: Apache-2.0
// What the filters of early_stop.h, goph.h, hoph_filter.h, cws_filter.h and bayes.h share.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verify/early_stop.h"

namespace twinsift {

// What is to be decided: whether two sketches of k components have similarity >= T.
// Requires: k > 0; threshold_permille <= 1000; code_bits > 0; looks ascending, each in 1..k-1.
struct FilterTask {
  std::uint32_t k = 1024;
  std::uint32_t threshold_permille = 0;  // T
  std::uint32_t code_bits = 64;          // as in GroupSequentialOptions
  std::vector<std::uint32_t> looks;
};

// T' = C + (1 - C) T as the fraction above / below, exact where a code of at most 32 bits makes it
// matter.
struct MatchRate {
  std::uint64_t above = 0;
  std::uint64_t below = 1;
  [[nodiscard]] double value() const {
    return static_cast<double>(above) / static_cast<double>(below);
  }
  [[nodiscard]] double complement() const {  // keeps its digits where T' is nearly 1
    return static_cast<double>(below - above) / static_cast<double>(below);
  }
};
MatchRate match_rate(std::uint32_t threshold_permille, std::uint32_t code_bits);

// m_T = ceil(total * T'): the smallest count with which the full sketch says "similar".
// Requires: total < 2^31.
std::int32_t full_count(const MatchRate& rate, std::uint32_t total);

// "NAME,k=1000,t=800,bits=64,looks=100/200"; `name` holds the filter's own options.
std::string task_spec(std::string_view name, const FilterTask& task);

// The looks for T = 0: nothing is below similarity 0, so there is nothing to compare.
std::vector<Look> accept_all(std::span<const std::uint32_t> looks, std::uint32_t k);

// The full comparison, filter "none": the looks stop nothing and only divide the work.
EarlyStopTable full_table(const FilterTask& task);

// The smallest x in [low, high] for which `holds`, which stays true once it is; high if none.
template <class Predicate>
std::int64_t first_where(std::int64_t low, std::int64_t high, Predicate&& holds) {
  assert(low <= high);
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace twinsift
