// SPDX-License-Identifier: Apache-2.0
// Table 1 and figures 5 and 6 of the CWS filter paper: what is unlikely, and the bounds it gives.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/random.h"
#include "base/tails.h"
#include "eval/paper_002.h"
#include "twinsift/sketch.h"
#include "verify/cws_filter.h"
#include "verify/expected_bins.h"
#include "verify/similarity.h"

namespace twinsift::paper_002 {
namespace {

constexpr std::uint32_t kLook = 100;  // k of Table 1
constexpr double kThreshold = 0.8;    // T of Table 1

struct Printed {
  std::uint32_t m;
  double below;
  double at_least;
};
constexpr std::array<Printed, 20> kTable1 = {{
    {5, 1.29e-61, 1},         {10, 6.48e-53, 1},        {15, 1.57e-45, 1},
    {20, 4.89e-39, 1},        {25, 3.09e-33, 1},        {30, 5.04e-28, 1},
    {35, 2.49e-23, 1},        {40, 4.09e-19, 1},        {45, 2.4e-15, 1},
    {50, 5.18e-12, 1},        {55, 4.22e-09, 1},        {60, 1.29e-06, 0.999999},
    {65, 0.000147, 0.999853}, {70, 0.006059, 0.993941}, {75, 0.087475, 0.912525},
    {80, 0.440538, 0.559462}, {85, 0.871494, 0.128506}, {90, 0.994304, 0.005696},
    {95, 0.999981, 1.87e-05}, {100, 1, 2.04e-10},
}};

// The paper prints three digits of small numbers and six decimals of others.
bool agrees(double printed, double exact) {
  const double unit = printed < 1e-4 ? 0.01 * std::pow(10, std::floor(std::log10(printed))) : 1e-6;
  return std::abs(printed - exact) <= 0.5001 * unit;
}

}  // namespace

Result<EvalSection> table1() {
  EvalSection section;
  section.claim = {
      .id = "table1",
      .title = "Table 1: the law of the count at k = 100, T = 0.8",
      .claim =
          "Pr(X <= m) and Pr(X > m) of X ~ B(100, 0.8); with the small probability e = 1e-5 "
          "they give the bounds m_lower = 60 and m_upper = 95.",
      .verdict = {}};
  section.table.columns = {"m", "P(X < m)", "printed", "P(X >= m)", "printed", "P(X <= m)"};
  std::size_t right = 0;
  for (const Printed& row : kTable1) {
    const double below = binomial_below(kLook, kThreshold, row.m);
    const double at_least = binomial_at_least(kLook, kThreshold, row.m);
    right += (agrees(row.below, below) ? 1U : 0U) + (agrees(row.at_least, at_least) ? 1U : 0U);
    section.table.rows.push_back(
        {std::to_string(row.m), fmt::format("{:.9g}", below), fmt::format("{:g}", row.below),
         fmt::format("{:.9g}", at_least), fmt::format("{:g}", row.at_least),
         fmt::format("{:.9g}", binomial_below(kLook, kThreshold, row.m + 1))});
  }
  const Look look = paper_filter(800).looks[0];
  const double upper = binomial_at_least(kLook, kThreshold, 95);
  section.claim.holds = right == 2 * kTable1.size() && look.reject >= 60 && look.accept <= 95;
  section.claim.verdict = fmt::format(
      "{} of the {} printed values are right, but as P(X < m) and P(X >= m), not as headed. The "
      "upper bound is not: Algorithm 2 accepts at m >= 95, which by chance happens with {:.3g} > "
      "e; "
      "it must be {}. The lower bound 60 is safe, and {} is the tightest: P(X <= {}) = {:.3g}.",
      right, 2 * kTable1.size(), upper, look.accept, look.reject, look.reject,
      binomial_below(kLook, kThreshold, look.reject + 1));
  return section;
}

namespace {

// How often m components of 100 are equal, for m = 0..100, with sketches of pairs whose J_W is
// exactly 0.8: all weights of one are 0.8 of the other's.
Result<std::vector<std::uint32_t>> count_matches(const EvalOptions& options, std::uint32_t pairs) {
  TWINSIFT_TRY(const auto sketcher,
               make_sketcher(fmt::format("cws1:k={},seed={}", kLook, options.seed)));
  std::vector<std::uint32_t> seen(kLook + 1);
  Rng rng(options.seed + 5);
  for (std::uint32_t pair = 0; pair < pairs; ++pair) {
    if (options.stop.stop_requested()) return cancelled_error();
    WeightedSet heavy;
    for (int i = 0; i < 5; ++i) {
      heavy.tokens.push_back(rng.next());
      heavy.weights.push_back(rng.uniform());
    }
    WeightedSet light = heavy;
    for (double& weight : light.weights) weight *= kThreshold;
    TWINSIFT_TRY(const Sketch a, sketcher->sketch(Feature{.value = std::move(heavy)}));
    TWINSIFT_TRY(const Sketch b, sketcher->sketch(Feature{.value = std::move(light)}));
    std::size_t equal = 0;
    for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1U : 0U;
    ++seen[equal];
  }
  return seen;
}

}  // namespace

Result<EvalSection> fig5(const EvalOptions& options, const Sizes& sizes) {
  EvalSection section;
  section.claim = {.id = "fig5",
                   .title = "Figure 5: P(X > m) and P(X <= m) against m",
                   .claim =
                       "The number of equal samples among 100 of a pair of similarity 0.8 "
                       "follows B(100, 0.8): below 60 and above 95 it hardly ever is.",
                   .verdict = {}};
  section.table.columns = {"m", "P(X <= m)", "measured", "P(X > m)", "measured"};
  Plot plot{.title = "Equal samples of 100, similarity 0.8",
            .x = {.label = "m", .low = 0, .high = kLook},
            .y = {.label = "probability", .low = 0, .high = 1},
            .series = {{.name = "P(X > m)", .markers = false},
                       {.name = "P(X <= m)", .markers = false},
                       {.name = "P(X > m), sketches", .line = false},
                       {.name = "P(X <= m), sketches", .line = false}}};
  TWINSIFT_TRY(const std::vector<std::uint32_t> seen, count_matches(options, sizes.exact_pairs));
  std::uint32_t until = 0;
  double distance = 0;
  for (std::uint32_t m = 0; m <= kLook; ++m) {
    until += seen[m];
    const double measured = static_cast<double>(until) / sizes.exact_pairs;
    const double below = binomial_below(kLook, kThreshold, m + 1);
    const double above = binomial_at_least(kLook, kThreshold, m + 1);
    distance = std::max(distance, std::abs(measured - below));
    plot.series[0].points.push_back({1.0 * m, above});
    plot.series[1].points.push_back({1.0 * m, below});
    if (m % 2 == 0 && m >= 60) {
      plot.series[2].points.push_back({1.0 * m, 1 - measured});
      plot.series[3].points.push_back({1.0 * m, measured});
    }
    section.table.rows.push_back({std::to_string(m), fmt::format("{:.9g}", below),
                                  fmt::format("{:.5f}", measured), fmt::format("{:.9g}", above),
                                  fmt::format("{:.5f}", 1 - measured)});
  }
  const Look look = paper_filter(800).looks[0];
  plot.rules = {{.x = 1.0 * look.reject, .label = "m_lower"},
                {.x = 1.0 * look.accept, .label = "m_upper"}};
  section.plots.push_back(std::move(plot));
  // Kolmogorov: a larger distance has a probability below 0.001.
  const double bound = 1.95 / std::sqrt(sizes.exact_pairs);
  section.claim.holds = distance < bound;
  section.claim.verdict = fmt::format(
      "With cws1 sketches of {} pairs of J_W = 0.8, the largest distance to the binomial law is "
      "{:.4f}; by chance it is below {:.4f} in 999 of 1000 such measurements.",
      sizes.exact_pairs, distance, bound);
  return section;
}

namespace {

// The more samples, the closer to T.
bool closes_in(std::span<const Look> looks) {
  const auto share = [](std::int32_t count, const Look& look) {
    return static_cast<double>(count) / look.bins;
  };
  for (std::size_t i = 0; i < looks.size(); ++i) {
    if (share(looks[i].reject, looks[i]) >= kThreshold) return false;
    if (share(looks[i].accept, looks[i]) <= kThreshold) return false;
    if (i == 0) continue;
    if (share(looks[i].reject, looks[i]) <= share(looks[i - 1].reject, looks[i - 1])) return false;
    if (share(looks[i].accept, looks[i]) >= share(looks[i - 1].accept, looks[i - 1])) return false;
  }
  return true;
}

double disagreement(const EarlyStopTable& table) {
  const Disagreement wrong = disagreement_at(table, kThreshold);
  return wrong.rejected + wrong.accepted;
}

}  // namespace

Result<EvalSection> fig6() {
  const EarlyStopTable paper = paper_filter(800);
  GroupSequentialOptions same{.k = kPaperComponents,
                              .threshold_permille = 800,
                              .looks = {},
                              .alpha_reject = kSmallProbability,
                              .alpha_accept = kSmallProbability};
  for (std::uint32_t bins = 100; bins < kPaperComponents; bins += 100) same.looks.push_back(bins);
  const EarlyStopTable ours = group_sequential_full(same);
  EvalSection section;
  section.claim = {.id = "fig6",
                   .title = "Figure 6: the filter for T = 0.8, e = 1e-5",
                   .claim =
                       "The thresholds T_L(k) and T_U(k) enclose T and close in on it as more "
                       "samples are compared; what they stop is decided as all K would.",
                   .verdict = {}};
  section.table.columns = {"k",           "m_lower",     "m_upper", "T_L(k)", "T_U(k)",
                           "gs1 m_lower", "gs1 m_upper", "gs1 T_L", "gs1 T_U"};
  Plot plot{.title = "Where the filter stops",
            .x = {.label = "samples compared, k", .low = 0, .high = kPaperComponents},
            .y = {.label = "share of equal samples", .high = 1},
            .series = {{.name = "T_U(k)"},
                       {.name = "T_L(k)"},
                       {.name = "gs1, accept"},
                       {.name = "gs1, reject"},
                       {.name = "T", .points = {{0, .8}, {1000, .8}}, .markers = false}}};
  const std::size_t early = paper.looks.size() - 1;
  for (std::size_t i = 0; i < early; ++i) {
    const Look& a = paper.looks[i];
    const Look& b = ours.looks[i];
    const double k = a.bins;
    plot.series[0].points.push_back({k, a.accept / k});
    plot.series[1].points.push_back({k, a.reject / k});
    plot.series[2].points.push_back({k, b.accept / k});
    plot.series[3].points.push_back({k, b.reject / k});
    section.table.rows.push_back({std::to_string(a.bins), std::to_string(a.reject),
                                  std::to_string(a.accept), fmt::format("{:.4f}", a.reject / k),
                                  fmt::format("{:.4f}", a.accept / k), std::to_string(b.reject),
                                  std::to_string(b.accept), fmt::format("{:.4f}", b.reject / k),
                                  fmt::format("{:.4f}", b.accept / k)});
  }
  section.plots.push_back(std::move(plot));
  section.claim.holds = closes_in(std::span(paper.looks).first(early));
  section.claim.verdict = fmt::format(
      "From {:.2f} and {:.2f} at k = 100 they close in to {:.3f} and {:.3f} at k = 900. At J = T "
      "an "
      "early verdict differs from that of all {} samples with probability {:.1e}. With gs1, which "
      "promises e for all looks together and against all {} samples, it is {:.1e}, and its later "
      "bounds are closer: {:.3f} and {:.3f} at k = 900.",
      paper.looks[0].reject / 100.0, paper.looks[0].accept / 100.0,
      paper.looks[early - 1].reject / 900.0, paper.looks[early - 1].accept / 900.0,
      kPaperComponents, disagreement(paper), kPaperComponents, disagreement(ours),
      ours.looks[early - 1].reject / 900.0, ours.looks[early - 1].accept / 900.0);
  return section;
}

EarlyStopTable paper_filter(std::uint32_t threshold_permille) {
  return cws_table({.k = kPaperComponents, .threshold_permille = threshold_permille, .looks = {}},
                   kSmallProbability);
}

EarlyStopTable our_filter(std::uint32_t threshold_permille) {
  return group_sequential_full({.k = kComponents,
                                .threshold_permille = threshold_permille,
                                .looks = {kOurLooks.begin(), kOurLooks.end()},
                                .alpha_reject = kSmallProbability,
                                .alpha_accept = kSmallProbability,
                                .code_bits = 8});
}

EarlyStopTable no_filter(std::uint32_t threshold_permille) {
  return full_table({.k = kPaperComponents, .threshold_permille = threshold_permille, .looks = {}});
}

}  // namespace twinsift::paper_002
