// SPDX-License-Identifier: Apache-2.0
#include "bench/filter_promise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/random.h"
#include "bench/filter_sample.h"
#include "verify/expected_bins.h"

namespace twinsift::bench {
namespace {

constexpr std::uint32_t kShuffles = 500'000;  // for each of 20 cases: 10^7 in all

// The largest chance of a wrong verdict, for similarities around the threshold, by exact sums.
double worst_exact(const Contestant& filter) {
  const double t = match_rate(filter.task.threshold_permille, filter.task.code_bits).value();
  const double deviation = std::sqrt(t * (1 - t) / filter.task.k);
  double worst = 0;
  for (double z = -4; z <= 4; z += 0.25) {
    const Disagreement wrong = disagreement_at(filter.table, t + z * deviation);
    worst = std::max({worst, wrong.rejected, wrong.accepted});
  }
  return worst;
}

// The pairs that are hardest to judge: `equal` of all components are equal, at random places.  The
// places are drawn one by one, and no further than the last early look: the whole count is known.
std::uint32_t count_wrong(const EarlyStopTable& table, std::uint32_t equal, bool similar) {
  Rng rng(equal);
  std::uint32_t wrong = 0;
  const std::uint32_t k = table.looks.back().bins;
  const std::span<const Look> early = std::span(table.looks).first(table.looks.size() - 1);
  for (std::uint32_t shuffle = 0; shuffle < kShuffles; ++shuffle) {
    std::uint32_t left = equal;
    std::uint32_t at = 0;
    for (const Look& look : early) {
      for (; at < look.bins; ++at) left -= rng.below(k - at) < left ? 1U : 0U;
      const auto x = static_cast<std::int32_t>(equal - left);
      if (x > look.reject && x < look.accept) continue;
      wrong += (x >= look.accept) != similar ? 1U : 0U;
      break;
    }
  }
  return wrong;
}

}  // namespace

Result<bool> print_promise() {
  fmt::print(
      "\n### The error of the group-sequential filter, promised: {:.0e}\n\n"
      "Wrong is an early verdict that all components do not confirm.  Exact: the largest chance"
      " for any\nsimilarity near T.  Shuffled: pairs with exactly as many equal components as the"
      " verdict needs, and\nwith one fewer, {} random orders each; allowed are 4 standard errors"
      " above the promise.\n\n"
      "| Filter | T | exact | wrongly rejected | wrongly accepted | |\n|---|---|---|---|---|---|\n",
      kError, kShuffles);
  bool kept = true;
  std::uint64_t wrong = 0;
  std::uint64_t shuffles = 0;
  for (const Way way : {Way::kSequential, Way::kPlanes}) {
    for (const std::uint32_t t : {500U, 600U, 700U, 800U, 900U}) {
      TWINSIFT_TRY(const std::vector<Contestant> all, contestants(t));
      const Contestant& filter = *std::ranges::find(all, way, &Contestant::way);
      const double exact = worst_exact(filter);
      const auto needed = static_cast<std::uint32_t>(filter.table.looks.back().accept);
      const std::uint32_t rejected = count_wrong(filter.table, needed, true);
      const std::uint32_t accepted = count_wrong(filter.table, needed - 1, false);
      const double most = kError * kShuffles + 4 * std::sqrt(kError * kShuffles);
      const bool met = exact <= kError && std::max(rejected, accepted) <= most;
      kept &= met;
      wrong += rejected + accepted;
      shuffles += 2 * kShuffles;
      fmt::print("| {} | {} | {:.1e} | {:.1e} | {:.1e} | {} |\n", filter.name, t / 1000.0, exact,
                 static_cast<double>(rejected) / kShuffles,
                 static_cast<double>(accepted) / kShuffles, met ? "met" : "missed");
    }
  }
  fmt::print("\nAll shuffles: {} of {} wrong, {:.2e}.\n", wrong, shuffles,
             static_cast<double>(wrong) / static_cast<double>(shuffles));
  return kept;
}

}  // namespace twinsift::bench
