// SPDX-License-Identifier: Apache-2.0
#include "verify/expected_bins.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/tails.h"
#include "verify/decide.h"
#include "verify/filter.h"

namespace twinsift {
namespace {

FilterTask task_for(std::uint32_t permille) {
  return {.k = 1000, .threshold_permille = permille, .code_bits = 64, .looks = {}};
}

EarlyStopTable table_for(std::string_view spec, FilterTask task) {
  if (spec.starts_with("gs1")) task.looks = {32, 64, 96, 128, 192, 256, 384, 512, 768};
  const auto options = parse_filter(spec);
  auto table = make_filter(*options, task);
  EXPECT_TRUE(table);
  return *std::move(table);
}

// GOLDEN: average components of 1000 until the verdict, error 1e-4.
struct Row {
  std::string_view spec;
  double bins[5][3];  // T = .5 to .9; laws low, uniform, gauss
};
constexpr Row kRows[] = {
    {"goph1",
     {{350, 526, 699}, {318, 524, 659}, {261, 496, 542}, {211, 433, 398}, {140, 343, 260}}},
    {"goph1:exact",
     {{214, 356, 541}, {161, 347, 489}, {115, 323, 367}, {108, 287, 243}, {104, 230, 143}}},
    {"hoph1:groups=10",
     {{105, 157, 230}, {103, 157, 212}, {102, 154, 163}, {102, 146, 122}, {101, 133, 104}}},
    {"cws1", {{114, 272, 511}, {109, 270, 441}, {107, 260, 292}, {106, 239, 167}, {103, 205, 113}}},
    {"bayes1", {{63, 613, 738}, {52, 516, 509}, {45, 415, 277}, {41, 307, 120}, {36, 193, 51}}},
    {"gs1:full", {{52, 220, 450}, {43, 217, 385}, {40, 204, 241}, {38, 182, 118}, {36, 142, 54}}},
};

// Whole numbers were printed: half a unit, and 0.06 for the quadrature; HOPH's were simulated.
TEST(ExpectedBins, AverageBinsOfAllFilters) {
  constexpr SimilarityLaw kLaws[] = {SimilarityLaw::kLow, SimilarityLaw::kUniform,
                                     SimilarityLaw::kGauss};
  for (const Row& row : kRows) {
    const bool hoph = row.spec.starts_with("hoph1");
    const std::uint32_t points = hoph ? 100 : 250;
    for (std::uint32_t i = 0; i < 5; ++i) {
      const EarlyStopTable table = table_for(row.spec, task_for(500 + 100 * i));
      double sum[3] = {};
      double weights[3] = {};
      for (std::uint32_t point = 0; point < points; ++point) {
        const double s = (point + .5) / points;
        const double bins = outcome_at(table, s).bins;
        for (int law = 0; law < 3; ++law) {
          const double weight = similarity_density(kLaws[law], s);
          sum[law] += weight * bins;
          weights[law] += weight;
        }
      }
      const double tolerance = hoph ? 1 : .56;
      for (int law = 0; law < 3; ++law) {
        EXPECT_NEAR(sum[law] / weights[law], row.bins[i][law], tolerance) << table.spec << law;
      }
    }
  }
}

// GOLDEN: errors ten times larger and smaller, T = .8, low.
TEST(ExpectedBins, ErrorHardlyMatters) {
  const auto law = sample_law(SimilarityLaw::kLow, 0, 1, 250);
  const auto bins = [&](std::string_view spec) {
    return average_over(table_for(spec, task_for(800)), task_for(800), law).bins;
  };
  EXPECT_NEAR(bins("gs1:full,error=1e-3"), 37, .56);
  EXPECT_NEAR(bins("gs1:full,error=1e-5"), 39, .56);
  EXPECT_NEAR(bins("cws1:error=1e-3"), 104, .56);
  EXPECT_NEAR(bins("cws1:error=1e-5"), 106, .56);
  EXPECT_NEAR(bins("goph1:error=1e-3"), 209, .56);
  EXPECT_NEAR(bins("goph1:error=1e-5"), 215, .56);
}

// GOLDEN: errors against the true similarity, T = .8, low: two printed digits.
TEST(ExpectedBins, ErrorsAgainstTheTruth) {
  auto law = sample_law(SimilarityLaw::kLow, 0, .8, 400);
  const auto above = sample_law(SimilarityLaw::kLow, .8, 1, 100);
  law.insert(law.end(), above.begin(), above.end());
  const auto errors = [&](std::string_view spec) {
    return average_over(table_for(spec, task_for(800)), task_for(800), law);
  };
  const FilterAverages full = errors("none");
  EXPECT_NEAR(full.bins, 1000, 1e-9);
  EXPECT_NEAR(full.false_negatives, 3.4e-2, .05e-2);
  EXPECT_NEAR(full.false_positives, 2.2e-4, .05e-4);
  for (const std::string_view spec : {"goph1", "cws1", "gs1:full"}) {
    const FilterAverages averages = errors(spec);
    EXPECT_NEAR(averages.false_negatives / full.false_negatives, 1, .005) << spec;
    EXPECT_NEAR(averages.false_positives / full.false_positives, 1, .005) << spec;
    EXPECT_NEAR(averages.open, 0, 1e-12);
  }
}

// Ten groups of 100 bins in the ratio 1:1 err like 300 bins: see docs/algorithms/hoph_filter.md.
TEST(ExpectedBins, HophErrsLikeThreeOfItsGroups) {
  auto law = sample_law(SimilarityLaw::kLow, 0, .8, 200);
  const auto above = sample_law(SimilarityLaw::kLow, .8, 1, 50);
  law.insert(law.end(), above.begin(), above.end());
  FilterTask task = task_for(800);
  const FilterAverages hoph = average_over(table_for("hoph1:groups=10", task), task, law);
  task.k = 300;
  const FilterAverages full = average_over(table_for("none", task), task, law);
  // 300 bins may tie with the threshold, which counts as similar, and finer weights hardly ever
  // do.  That moves the two errors by the same factor in opposite directions.
  EXPECT_NEAR(std::sqrt(hoph.false_negatives / full.false_negatives * hoph.false_positives /
                        full.false_positives),
              1, .02);
}

// GOLDEN: disagreement with the full sketch at J = T, per million simulated pairs: within three
// standard errors of the simulation.
TEST(ExpectedBins, DisagreementWithTheFullSketch) {
  const auto per_million = [](std::string_view spec) {
    const auto [rejected, accepted] = disagreement_at(table_for(spec, task_for(800)), .8);
    return (rejected + accepted) * 1e6;
  };
  const std::pair<std::string_view, double> cases[] = {
      {"goph1", 3}, {"cws1", 12}, {"gs1:full", 28}, {"none", 0}};
  for (const auto& [spec, simulated] : cases) {
    const double expected = per_million(spec);
    EXPECT_NEAR(simulated, expected, 3 * std::sqrt(expected)) << spec;
  }
}

// GOLDEN: P(early reject | the full sketch accepts) at J = T.  The last look of bayes1 is exact
// verification; here it is the full sketch.
TEST(ExpectedBins, BayesRejectsMoreOftenThanItsErrorSays) {
  const auto rejected = [](std::string_view spec) {
    EarlyStopTable table = table_for(spec, task_for(800));
    table.looks.back() = {1000, 799, 800};
    return disagreement_at(table, .8).rejected / binomial_at_least(1000, .8, 800);
  };
  EXPECT_NEAR(rejected("bayes1"), 1.3e-4, .05e-4);
  EXPECT_NEAR(rejected("bayes1:error=1e-3"), 1.8e-3, .05e-3);
}

// ORACLE: all 2^12 layouts of equal components, each run through the comparison loop.
TEST(ExpectedBins, AgreesWithEnumeration) {
  constexpr std::uint32_t kSize = 12;
  constexpr double kRate = .7;
  for (const std::string_view spec :
       {"gs1:full,error=.1", "goph1:groups=4,error=.3", "hoph1:ratio=1:2,groups=4,error=.3",
        "cws1:error=.2", "bayes1:error=.3", "none"}) {
    FilterTask task{.k = kSize, .threshold_permille = 600, .code_bits = 64, .looks = {}};
    if (!spec.starts_with("hoph1")) task.looks = {3, 6, 9};
    const auto table = make_filter(*parse_filter(spec), task);
    ASSERT_TRUE(table);
    EarlyStopTable last = *table;
    for (std::size_t i = 0; i < 3; ++i) {
      last.looks[i].reject = -1;
      last.looks[i].accept = 1 << 30;
    }
    Outcome outcome;
    Disagreement wrong;
    const std::vector<std::uint64_t> a(kSize, 1);
    for (std::uint32_t layout = 0; layout < 1U << kSize; ++layout) {
      std::vector<std::uint64_t> b(kSize);
      double chance = 1;
      for (std::uint32_t i = 0; i < kSize; ++i) {
        b[i] = layout >> i & 1U;
        chance *= b[i] == 1 ? kRate : 1 - kRate;
      }
      const Decision decision = decide(*table, a, b);
      const bool low = decide(last, a, b).verdict == Verdict::kReject;
      const bool early = decision.bins < kSize;
      outcome.bins += chance * decision.bins;
      if (decision.verdict == Verdict::kReject) outcome.rejected += chance;
      if (decision.verdict == Verdict::kAccept) outcome.accepted += chance;
      if (early && decision.verdict == Verdict::kReject && !low) wrong.rejected += chance;
      if (early && decision.verdict == Verdict::kAccept && low) wrong.accepted += chance;
    }
    const Outcome computed = outcome_at(*table, kRate);
    EXPECT_NEAR(computed.bins, outcome.bins, 1e-12) << spec;
    EXPECT_NEAR(computed.rejected, outcome.rejected, 1e-13) << spec;
    EXPECT_NEAR(computed.accepted, outcome.accepted, 1e-13) << spec;
    EXPECT_NEAR(disagreement_at(*table, kRate).rejected, wrong.rejected, 1e-13) << spec;
    EXPECT_NEAR(disagreement_at(*table, kRate).accepted, wrong.accepted, 1e-13) << spec;
  }
}

TEST(ExpectedBins, VerdictsSumToOneAndCodesMatchByChance) {
  const FilterTask task{.k = 256, .threshold_permille = 800, .code_bits = 1, .looks = {64, 128}};
  const auto table = make_filter(*parse_filter("gs1"), task);
  ASSERT_TRUE(table);
  const WeightedSimilarity zero[] = {{0, 2}};
  const Outcome outcome = outcome_at(*table, .5);
  const FilterAverages averages = average_over(*table, task, zero);
  EXPECT_DOUBLE_EQ(averages.bins, outcome.bins);
  EXPECT_NEAR(averages.open, 1 - outcome.rejected - outcome.accepted, 1e-12);
  EXPECT_EQ(averages.false_negatives, 0);
  EXPECT_DOUBLE_EQ(averages.false_positives, outcome.accepted);
  const Outcome sure = outcome_at(*make_filter(*parse_filter("none"), task), 1);
  EXPECT_EQ(sure.accepted, 1);
  EXPECT_EQ(sure.bins, 256);
}

}  // namespace
}  // namespace twinsift
