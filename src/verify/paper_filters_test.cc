// SPDX-License-Identifier: Apache-2.0
// The tables and examples of the papers behind goph.h, hoph_filter.h, cws_filter.h and bayes.h.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "base/tails.h"
#include "verify/bayes.h"
#include "verify/cws_filter.h"
#include "verify/decide.h"
#include "verify/goph.h"
#include "verify/hoph_filter.h"

namespace twinsift {
namespace {

using Looks = std::vector<Look>;

FilterTask task_for(std::uint32_t permille, std::uint32_t k = 1000) {
  return {.k = k, .threshold_permille = permille, .code_bits = 64, .looks = {}};
}

// GOLDEN: k' = 100, T = .6, error 1e-4; an accept above the bins is "cannot accept yet".
TEST(Goph, CompiledTable) {
  EXPECT_EQ(goph_table(task_for(600), {}).looks, (Looks{{100, -1, 101},
                                                        {200, -1, 201},
                                                        {300, 53, 301},
                                                        {400, 131, 348},
                                                        {500, 209, 390},
                                                        {600, 287, 432},
                                                        {700, 365, 474},
                                                        {800, 443, 516},
                                                        {900, 521, 558},
                                                        {1000, 599, 600}}));
}

// GOLDEN: Example 1, groups with 65, 5, 10 and 10 equal ones.
TEST(Goph, ExampleOneRejectsAfterTheFourthGroup) {
  const double means[] = {535 / 9., 66.25, 520 / 7., 85};
  const double tails[] = {.456705514, .0912535, .00118900062, 5.0731971e-08};
  const std::uint32_t groups[] = {65, 5, 10, 10};
  std::uint32_t equal = 0;
  for (int l = 1; l <= 4; ++l) {
    equal += groups[l - 1];
    const double mean = (600. - equal) / (10 - l);
    EXPECT_NEAR(mean, means[l - 1], 1e-12);
    const auto needed = static_cast<std::int64_t>(std::ceil(mean));
    const double tail =
        mean < 60 ? binomial_below(100, .6, needed) : binomial_at_least(100, .6, needed);
    EXPECT_NEAR(tail / tails[l - 1], 1, 1e-4);
  }
  const EarlyStopTable table = goph_table(task_for(600), {});
  const auto count = [&](std::size_t i) { return groups[i]; };
  EXPECT_EQ(run_looks(table.looks, groups[0], count), (Decision{Verdict::kReject, 400}));
}

// GOLDEN: with error 1e-4 it cannot stop before 300 bins (T = .6) or 200 (T = .7, .8).
TEST(Goph, CannotStopEarly) {
  const auto first = [](std::uint32_t permille) {
    for (const Look& look : goph_table(task_for(permille), {}).looks) {
      if (look.reject >= 0) return look.bins;
    }
    return 0U;
  };
  EXPECT_EQ(first(600), 300U);
  EXPECT_EQ(first(700), 200U);
  EXPECT_EQ(first(800), 200U);
}

// ORACLE: Algorithm 1 as written, for every count at every group.
TEST(Goph, TableIsTheAlgorithm) {
  for (const std::uint32_t permille : {1U, 330U, 600U, 900U, 999U}) {
    const double t = permille / 1000.;
    const auto looks = goph_table(task_for(permille, 240), {.groups = 8, .error = 1e-3}).looks;
    for (std::uint32_t l = 1; l < 8; ++l) {
      for (std::int64_t m = 0; m <= 30 * l; ++m) {
        const double mean = (240 * t - static_cast<double>(m)) / (8 - l);
        const auto needed = static_cast<std::int64_t>(std::ceil(mean - 1e-9));
        const bool above = mean < 30 * t - 1e-9;
        const bool accept = above && binomial_below(30, t, needed) <= 1e-3;
        const bool reject = !above && binomial_at_least(30, t, needed) <= 1e-3;
        EXPECT_EQ(m >= looks[l - 1].accept, accept) << permille << " " << l << " " << m;
        EXPECT_EQ(m <= looks[l - 1].reject, reject) << permille << " " << l << " " << m;
      }
    }
  }
}

// GOLDEN: the tails of all that remains in Example 1, after groups 2, 3 and 4.
TEST(Goph, ExactTailIsThatOfAllThatRemains) {
  EXPECT_NEAR(binomial_at_least(800, .6, 530) / 1.6e-4, 1, .05);
  EXPECT_NEAR(binomial_at_least(700, .6, 520) / 1.4e-15, 1, .05);
  EXPECT_NEAR(binomial_at_least(600, .6, 510) / 9.6e-41, 1, .05);
  const auto looks = goph_table(task_for(600), {.exact_tail = true}).looks;
  for (const Look& look : std::span(looks).first(9)) {
    const std::uint32_t rest = 1000 - look.bins;
    EXPECT_LE(binomial_at_least(rest, .6, 600 - look.reject), 1e-4);
    EXPECT_GT(binomial_at_least(rest, .6, 600 - look.reject - 1), 1e-4);
    if (look.accept > static_cast<std::int32_t>(look.bins)) continue;
    EXPECT_LE(binomial_below(rest, .6, 600 - look.accept), 1e-4);
    EXPECT_GT(binomial_below(rest, .6, 600 - look.accept + 1), 1e-4);
  }
}

// GOLDEN: Example 2 and the rule of the first group.
TEST(Hoph, FirstGroup) {
  EXPECT_NEAR(binomial_at_least(100, .6, 80), 1.6412e-05, 1e-9);
  for (const std::uint32_t groups : {2U, 8U, 10U}) {
    const auto first = [&](std::uint32_t permille) {
      const EarlyStopTable table = hoph_table(task_for(permille, 100 * groups), {.groups = groups});
      const Look& look = table.looks.front();
      EXPECT_EQ(look.weight, 1 << (groups - 2));
      // Of whole groups: weighted counts that a first group can have.
      return std::pair{look.reject / look.weight, (look.accept + look.weight - 1) / look.weight};
    };
    EXPECT_EQ(first(600), (std::pair{41, 78}));
    EXPECT_EQ(first(800), (std::pair{66, 96}));
  }
}

TEST(Hoph, WeightsSumToOneForAnyRatio) {
  for (const HophFilterOptions& options :
       {HophFilterOptions{1, 1, 10, 0}, {1, 2, 9, 0}, {2, 1, 9, 0}, {3, 5, 6, 0}, {7, 1, 1, 0}}) {
    const auto weights = hoph_integer_weights(options, 16);
    ASSERT_EQ(weights.size(), options.groups);
    const double sum = std::pow(options.a + options.b, options.groups - 1);
    EXPECT_EQ(std::accumulate(weights.begin(), weights.end(), 0.0), sum);
    const double r = static_cast<double>(options.a) / (options.a + options.b);
    double rest = 1;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double share = j + 1 == weights.size() ? rest : rest * r;
      EXPECT_NEAR(weights[j] / sum, share, 1e-12);
      rest -= share;
    }
  }
  // GOLDEN: 1:1, ten groups: .5 .25 .. .00195 .00195.
  EXPECT_EQ(hoph_integer_weights({1, 1, 10, 0}, 100),
            (std::vector<std::uint32_t>{256, 128, 64, 32, 16, 8, 4, 2, 1, 1}));
}

TEST(Hoph, WeightsThatDoNotFitAreNone) {
  EXPECT_TRUE(hoph_integer_weights({1, 1, 40, 0}, 1).empty());
  EXPECT_TRUE(hoph_integer_weights({65536, 65536, 3, 0}, 1).empty());
  EXPECT_FALSE(hoph_integer_weights({1, 1, 31, 0}, 1).empty());
  EXPECT_TRUE(hoph_integer_weights({1, 1, 31, 0}, 2).empty());
  EXPECT_TRUE(hoph_integer_weights({1, 1, 65536, 0}, 1).empty());
}

TEST(Hoph, OneGroupIsTheFullComparison) {
  EXPECT_EQ(hoph_table(task_for(333), {.groups = 1}).looks, (Looks{{1000, 332, 333}}));
}

std::vector<std::uint64_t> random_bins(std::size_t n, Rng& rng) {
  std::vector<std::uint64_t> bins(n);
  for (std::uint64_t& bin : bins) bin = rng.next() >> 1U;
  return bins;
}

std::vector<std::uint64_t> related(std::span<const std::uint64_t> bins, double s, Rng& rng) {
  std::vector<std::uint64_t> other(bins.begin(), bins.end());
  for (std::uint64_t& bin : other) {
    if (rng.uniform() >= s) bin = rng.next() >> 1U;
  }
  return other;
}

// ORACLE: without empty bins the raw comparison and the table are the same filter.
TEST(Hoph, RawComparisonAgreesWithTheTable) {
  Rng rng(3);
  for (const HophFilterOptions& options :
       {HophFilterOptions{1, 1, 8, 1e-4}, {1, 2, 6, 1e-3}, {2, 1, 5, 1e-2}, {1, 1, 1, 1e-4}}) {
    for (const std::uint32_t permille : {300U, 600U, 800U, 950U, 1000U}) {
      const std::uint32_t k = 20 * options.groups;
      const EarlyStopTable table = hoph_table(task_for(permille, k), options);
      for (int trial = 0; trial < 300; ++trial) {
        const auto a = random_bins(k, rng);
        const auto b = related(a, rng.uniform() * 1.1, rng);
        EXPECT_EQ(hoph_decide_raw(a, b, permille, options), decide(table, a, b));
      }
    }
  }
}

constexpr auto kEmpty = std::numeric_limits<std::uint64_t>::max();

// The comparison by hand: two groups of two bins, weights 1/2 and 1/2.
TEST(Hoph, JointlyEmptyBinsDoNotCount) {
  const HophFilterOptions options{.groups = 2, .error = 0};
  using Bins = std::vector<std::uint64_t>;
  const auto verdict = [&](const Bins& a, const Bins& b, std::uint32_t permille) {
    return hoph_decide_raw(a, b, permille, options).verdict;
  };
  // R_1 = 1/1, R_2 = 1/2: the estimate is 3/4.
  EXPECT_EQ(verdict({1, kEmpty, 3, 4}, {1, kEmpty, 3, 5}, 750), Verdict::kAccept);
  EXPECT_EQ(verdict({1, kEmpty, 3, 4}, {1, kEmpty, 3, 5}, 751), Verdict::kReject);
  // Empty in one of them only: R_1 = 1/2, the estimate is 1/2.
  EXPECT_EQ(verdict({1, kEmpty, 3, 4}, {1, 2, 3, 5}, 500), Verdict::kAccept);
  EXPECT_EQ(verdict({1, kEmpty, 3, 4}, {1, 2, 3, 5}, 501), Verdict::kReject);
  // A group that is empty in both is left out.
  EXPECT_EQ(verdict({kEmpty, kEmpty, 3, 4}, {kEmpty, kEmpty, 3, 5}, 500), Verdict::kAccept);
  EXPECT_EQ(verdict({kEmpty, kEmpty, 3, 4}, {kEmpty, kEmpty, 3, 5}, 501), Verdict::kReject);
  EXPECT_EQ(verdict({3, 4, kEmpty, kEmpty}, {3, 5, kEmpty, kEmpty}, 501), Verdict::kReject);
  const Bins empty(4, kEmpty);
  EXPECT_EQ(verdict(empty, empty, 800), Verdict::kAccept);
  EXPECT_EQ(verdict(empty, {1, 2, 3, 4}, 800), Verdict::kReject);
}

struct Bound {
  std::uint32_t permille;
  double error;
  std::uint32_t bins;
  std::int32_t reject;
  std::int32_t accept;
};

// GOLDEN: the bounds per look; 101 of 100 is "cannot accept yet".
TEST(Cws, Bounds) {
  for (const Bound& bound :
       {Bound{800, 1e-5, 100, 61, 96}, {800, 1e-5, 200, 133, 183}, {800, 1e-5, 300, 208, 269},
        {800, 1e-5, 400, 283, 353},    {800, 1e-5, 500, 359, 437}, {800, 1e-5, 600, 436, 521},
        {800, 1e-5, 700, 512, 604},    {800, 1e-5, 800, 589, 687}, {800, 1e-5, 900, 666, 770},
        {800, 1e-4, 100, 63, 94},      {800, 1e-4, 200, 137, 181}, {800, 1e-4, 300, 212, 265},
        {800, 1e-4, 500, 365, 433},    {800, 1e-4, 900, 673, 764}, {600, 1e-4, 100, 41, 79},
        {600, 1e-4, 200, 93, 146},     {600, 1e-4, 500, 258, 341}, {500, 1e-4, 100, 31, 69},
        {500, 1e-4, 500, 208, 292},    {900, 1e-4, 100, 76, 100},  {900, 1e-4, 500, 422, 474}}) {
    const auto looks = cws_table(task_for(bound.permille), bound.error).looks;
    ASSERT_EQ(looks.size(), 10U);
    EXPECT_EQ(looks[bound.bins / 100 - 1], (Look{bound.bins, bound.reject, bound.accept}));
  }
  EXPECT_EQ(cws_table(task_for(900), 1e-5).looks[0].accept, 101);
  EXPECT_EQ(cws_table(task_for(800), 1e-5).looks.back(), (Look{1000, 799, 800}));
}

// ORACLE: the posterior integrated by Simpson's rule.
TEST(Bayes, RejectsWhenThePosteriorSaysSo) {
  const auto posterior = [](double t, double low, double x, double n) {
    const auto integral = [&](double from) {
      constexpr int kSteps = 4000;
      double sum = 0;
      for (int i = 0; i <= kSteps; ++i) {
        const double p = from + (1 - from) * i / kSteps;
        const double weight = i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * std::pow(p, x) * std::pow(1 - p, n - x);
      }
      return sum * (1 - from);
    };
    return integral(t) / integral(low);
  };
  for (const std::uint32_t bits : {1U, 8U, 64U}) {
    for (const std::uint32_t permille : {300U, 800U}) {
      FilterTask task = task_for(permille, 200);
      task.code_bits = bits;
      const double c = std::exp2(-static_cast<double>(bits));
      const double t = c + (1 - c) * permille / 1000.;
      for (const Look& look : bayes_table(task, 1e-3).looks) {
        EXPECT_TRUE(look.bins % 32 == 0 || look.bins == 200);
        EXPECT_EQ(look.accept, static_cast<std::int32_t>(look.bins) + 1);
        if (look.reject >= 0) {
          EXPECT_LT(posterior(t, c, look.reject, look.bins), 1e-3);
        }
        EXPECT_GE(posterior(t, c, look.reject + 1, look.bins), 1e-3);
      }
    }
  }
}

}  // namespace
}  // namespace twinsift
