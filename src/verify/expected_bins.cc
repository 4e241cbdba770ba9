// SPDX-License-Identifier: Apache-2.0
#include "verify/expected_bins.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/tails.h"

namespace twinsift {
namespace {

constexpr double kNegligible = 1e-20;

using Mass = std::vector<double>;  // probability by count

// P(y equal) of the components between two looks.
std::vector<double> step_law(std::uint32_t step, double p) {
  std::vector<double> law(step + 1);
  for (std::uint32_t y = 0; y <= step; ++y) law[y] = binomial_pmf(step, p, y);
  return law;
}

Mass advance(const Mass& mass, std::span<const double> law, std::int32_t weight) {
  const auto stride = static_cast<std::size_t>(weight);
  Mass next(mass.size() + (law.size() - 1) * stride, 0.0);
  std::size_t low = 0;
  std::size_t high = law.size();
  while (low < high && law[low] < kNegligible) ++low;
  while (high > low && law[high - 1] < kNegligible) --high;
  for (std::size_t x = 0; x < mass.size(); ++x) {
    if (mass[x] < kNegligible) continue;
    for (std::size_t y = low; y < high; ++y) next[x + y * stride] += mass[x] * law[y];
  }
  return next;
}

double sum_of(std::span<const double> mass) {
  double sum = 0;
  for (const double chance : mass) sum += chance;
  return sum;
}

// Where the open counts of a look begin and end.
struct OpenRange {
  std::size_t begin;
  std::size_t end;
};
OpenRange open_range(const Look& look, std::size_t size) {
  const auto clamped = [size](std::int64_t x) {
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(x, 0, static_cast<std::int64_t>(size)));
  };
  return {clamped(std::int64_t{look.reject} + 1), clamped(look.accept)};
}

}  // namespace

Outcome outcome_at(const EarlyStopTable& table, double p) {
  Outcome outcome;
  Mass mass = {1.0};
  std::uint32_t bins = 0;
  for (const Look& look : table.looks) {
    outcome.bins += (look.bins - bins) * sum_of(mass);
    mass = advance(mass, step_law(look.bins - bins, p), look.weight);
    bins = look.bins;
    const auto [begin, end] = open_range(look, mass.size());
    const std::span all(mass);
    outcome.rejected += sum_of(all.first(begin));
    outcome.accepted += sum_of(all.subspan(end));
    std::ranges::fill(all.first(begin), 0.0);
    mass.resize(end);
  }
  return outcome;
}

Disagreement disagreement_at(const EarlyStopTable& table, double p) {
  Mass open = {1.0};
  Mass rejected = {0.0};
  Mass accepted = {0.0};
  std::uint32_t bins = 0;
  for (const Look& look : table.looks) {
    const std::vector<double> law = step_law(look.bins - bins, p);
    bins = look.bins;
    open = advance(open, law, look.weight);
    rejected = advance(rejected, law, look.weight);
    accepted = advance(accepted, law, look.weight);
    if (&look == &table.looks.back()) break;
    const auto [begin, end] = open_range(look, open.size());
    for (std::size_t x = 0; x < begin; ++x) rejected[x] += std::exchange(open[x], 0.0);
    for (std::size_t x = end; x < open.size(); ++x) accepted[x] += std::exchange(open[x], 0.0);
  }
  const std::size_t above = open_range(table.looks.back(), open.size()).begin;
  return {sum_of(std::span(rejected).subspan(above)), sum_of(std::span(accepted).first(above))};
}

FilterAverages average_over(const EarlyStopTable& table, const FilterTask& task,
                            std::span<const WeightedSimilarity> law) {
  const double chance = std::exp2(-static_cast<double>(task.code_bits));
  const double threshold = task.threshold_permille / 1000.0;
  FilterAverages averages;
  double below = 0;
  double above = 0;
  for (const auto& [s, weight] : law) {
    const Outcome outcome = outcome_at(table, chance + (1 - chance) * s);
    averages.bins += weight * outcome.bins;
    averages.open += weight * (1 - outcome.rejected - outcome.accepted);
    if (s < threshold) {
      below += weight;
      averages.false_positives += weight * outcome.accepted;
    } else {
      above += weight;
      averages.false_negatives += weight * outcome.rejected;
    }
  }
  averages.bins /= below + above;
  averages.open /= below + above;
  if (below > 0) averages.false_positives /= below;
  if (above > 0) averages.false_negatives /= above;
  return averages;
}

}  // namespace twinsift
