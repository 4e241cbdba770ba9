// SPDX-License-Identifier: Apache-2.0
#include "tune/tune.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/tails.h"
#include "tune/similarity_law.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kSizeStep = 32;  // one vector of byte codes
constexpr std::uint32_t kMinSketchSize = 128;

// Each document meets so many others that follow the law of BandingPlan.  In a real collection
// the number of unrelated pairs grows with its size, but hardly that of related ones.  Measured
// on 84,000 documents of Debian: at threshold 0.8 all of k = 128 to 160 are within the noise of
// the quickest run, 256 is 10 % slower, 64 is 20 % slower; this number makes the same choice.
constexpr double kPairsPerDocument = 2e4;
constexpr double kCandidateNs = 5;
constexpr double kGoodEnough = 1.05;

// P(no band is full, x components equal) by x, for independent components that are equal with
// probability p.  All terms are positive: inclusion and exclusion would cancel.
std::vector<double> no_full_band(double p, std::uint32_t bands, std::uint32_t rows) {
  std::vector<double> band;
  for (std::uint32_t y = 0; y < rows; ++y) band.push_back(binomial_pmf(rows, p, y));
  std::vector<double> mass = {1.0};
  for (std::uint32_t i = 0; i < bands; ++i) {
    std::vector<double> next(mass.size() + rows - 1, 0.0);
    for (std::size_t y = 0; y < band.size(); ++y) {
      for (std::size_t x = 0; x < mass.size(); ++x) next[x + y] += band[y] * mass[x];
    }
    mass = std::move(next);
  }
  return mass;
}

// Bands on k components that are a sample without replacement of a population.
struct Sampled {
  std::uint32_t population = 0;
  std::uint32_t outside = 0;  // members of the population that are in no band
  double p = 0;               // of the unconditioned law
};

// Conditions the law `missed` on `matches` equal members of the population.
double found_given(std::span<const double> missed, const Sampled& sampled, std::uint32_t matches) {
  double sum = 0;
  for (std::size_t x = 0; x < missed.size(); ++x) {
    const std::int64_t others = std::int64_t{matches} - static_cast<std::int64_t>(x);
    sum += missed[x] * binomial_pmf(sampled.outside, sampled.p, others);
  }
  return 1 - std::min(1.0, sum / binomial_pmf(sampled.population, sampled.p, matches));
}

// The same for p * population matches, or the two whole numbers around it in the proportion
// that keeps the mean.
double found_at_mean(std::span<const double> missed, const Sampled& sampled) {
  const double mean = sampled.p * sampled.population;
  // The threshold .7 is a little less than 7/10, but 70 of 100 must not become 69.
  const auto low = static_cast<std::uint32_t>(std::floor(mean + 1e-9));
  const double share = std::max(0.0, mean - low);
  const double found = found_given(missed, sampled, low);
  if (low == sampled.population) return found;
  return found + share * (found_given(missed, sampled, low + 1) - found);
}

using Law = std::vector<WeightedSimilarity>;

double candidates_below(const Law& law, std::uint32_t bands, std::uint32_t rows) {
  double sum = 0;
  for (const auto& [s, weight] : law) sum += weight * banding_probability(s, bands, rows);
  return sum;
}

Law law_below(double threshold) {
  constexpr std::uint32_t kPoints = 1000;
  return sample_law(SimilarityLaw::kLow, 0, threshold, kPoints);
}

// The fewest bands with which P(threshold) >= recall, or nothing if more than `most`.
std::optional<std::uint32_t> fewest_bands(double threshold, double recall, std::uint32_t rows,
                                          std::uint32_t most) {
  const double estimate = std::log1p(-recall) / std::log1p(-std::pow(threshold, rows));
  if (!(estimate < most + 1.0)) return {};
  // The quotient of logarithms may err by a rounding on either side of a whole number.
  auto bands = std::max(1U, static_cast<std::uint32_t>(estimate));
  while (bands <= most && banding_probability(threshold, bands, rows) < recall) ++bands;
  return bands <= most ? std::optional(bands) : std::nullopt;
}

Status check(double threshold, double recall) {
  if (!(threshold > 0 && threshold <= 1)) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("the threshold is {}, but it must be above 0 and at most 1", threshold)};
  }
  if (recall >= 1) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("a recall of {} cannot be promised by sketches: each pair can be "
                             "missed by chance; ask for less than 1, such as 0.999",
                             recall)};
  }
  if (!(recall > 0)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the recall is {}, but it must be above 0 and below 1", recall)};
  }
  return ok();
}

Error no_plan(double threshold, double recall, std::uint32_t k) {
  const double needed = std::ceil(std::log1p(-recall) / std::log1p(-threshold));
  return {ErrorCode::kInvalidArgument,
          fmt::format("a sketch of {} components cannot find pairs at {} with probability {}; "
                      "it takes {:.0f}",
                      k, threshold, recall, needed)};
}

double sketch_ns(std::uint32_t k) { return 2 * k * std::log(k); }

}  // namespace

double banding_probability(double s, std::uint32_t bands, std::uint32_t rows) {
  assert(s >= 0 && s <= 1 && bands > 0 && rows > 0);
  return -std::expm1(bands * std::log1p(-std::pow(s, rows)));
}

double banding_probability_given_matches(std::uint32_t k, std::uint32_t matches,
                                         std::uint32_t bands, std::uint32_t rows) {
  assert(bands > 0 && rows > 0 && bands * rows <= k && matches <= k);
  const double p = static_cast<double>(matches) / k;
  return found_given(no_full_band(p, bands, rows), {k, k - bands * rows, p}, matches);
}

double banding_guarantee(double threshold, std::uint32_t k, std::uint32_t bands,
                         std::uint32_t rows) {
  assert(bands > 0 && rows > 0 && bands * rows <= k);
  const std::vector<double> missed = no_full_band(threshold, bands, rows);
  double found = banding_probability(threshold, bands, rows);
  for (const std::uint32_t multiple : {1U, 2U, 4U, 16U}) {
    const std::uint32_t population = multiple * k;
    const Sampled sampled{population, population - bands * rows, threshold};
    found = std::min(found, found_at_mean(missed, sampled));
  }
  return found;
}

BandingPlan rate_banding(double threshold, std::uint32_t k, std::uint32_t bands,
                         std::uint32_t rows) {
  return {bands, rows, banding_guarantee(threshold, k, bands, rows),
          candidates_below(law_below(threshold), bands, rows)};
}

Result<BandingPlan> choose_banding(double threshold, double recall, std::uint32_t k) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check(threshold, recall));
  if (k == 0 || k > kMaxSketchSize) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("a sketch of {} components was asked for, but it must have 1 to {}", k,
                             kMaxSketchSize)};
  }
  // Of two plans for the same recall, that with more rows costs more components.
  std::uint32_t most_rows = 0;
  while (most_rows < k && fewest_bands(threshold, recall, most_rows + 1, k / (most_rows + 1))) {
    ++most_rows;
  }
  const Law law = law_below(threshold);
  std::optional<BandingPlan> best;
  // The best plan nearly always has the most rows, so all others are soon given up.
  for (std::uint32_t rows = most_rows; rows > 0; --rows) {
    auto bands = fewest_bands(threshold, recall, rows, k / rows);
    // Fewer rows without fewer bands only let more pairs through.
    if (best && bands >= best->bands) continue;
    for (; bands && *bands <= k / rows; ++*bands) {
      const double candidates = candidates_below(law, *bands, rows);
      if (best && candidates >= best->expected_candidates) break;
      const double found = banding_guarantee(threshold, k, *bands, rows);
      if (found < recall) continue;
      best = BandingPlan{*bands, rows, found, candidates};
      break;
    }
  }
  if (!best) return no_plan(threshold, recall, k);
  return *best;
}

Result<SketchPlan> choose_sketch_size(double threshold, double recall, std::uint32_t max_k) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check(threshold, recall));
  if (max_k < kMinSketchSize || max_k > kMaxSketchSize) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the largest sketch size is {}, but it must be {} to {}", max_k,
                             kMinSketchSize, kMaxSketchSize)};
  }
  struct Priced {
    SketchPlan plan;
    double ns = 0;
  };
  std::vector<Priced> all;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t k = kMinSketchSize; k <= max_k && sketch_ns(k) < least; k += kSizeStep) {
    const Result<BandingPlan> plan = choose_banding(threshold, recall, k);
    if (!plan) continue;
    const double ns = sketch_ns(k) + kPairsPerDocument * kCandidateNs * plan->expected_candidates;
    all.push_back({{k, *plan}, ns});
    least = std::min(least, ns);
  }
  if (all.empty()) return no_plan(threshold, recall, max_k);
  return std::ranges::find_if(all, [least](const Priced& p) { return p.ns <= kGoodEnough * least; })
      ->plan;
}

std::string threshold_text(double threshold) {
  const bool whole_percent = std::abs(threshold * 100 - std::round(threshold * 100)) < 1e-9;
  return fmt::format("{:.{}f}", threshold, whole_percent ? 2 : 3);
}

std::string guarantee_line(const SketchPlan& plan, double threshold) {
  // Three digits, or as many as it takes to tell the promise from certainty.
  double scale = 1000;
  while (scale < 1e6 && (1 - plan.banding.found) * scale < 1) scale *= 10;
  return fmt::format("k={}, bands={}x{}, P(found at {}) >= {}", plan.k, plan.banding.bands,
                     plan.banding.rows, threshold_text(threshold),
                     std::floor(plan.banding.found * scale) / scale);
}

}  // namespace twinsift
