// SPDX-License-Identifier: Apache-2.0
#include "tune/tune.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/hash.h"
#include "base/tails.h"
#include "twinsift/types.h"

namespace twinsift {
namespace {

// GOLDEN: P(s) to six digits.
TEST(Tune, BandingCurve) {
  struct Row {
    std::uint32_t bands, rows;
    double s, probability;
  };
  for (const Row& row :
       {Row{20, 5, .2, .006381}, Row{20, 5, .4, .186050}, Row{20, 5, .5, .470051},
        Row{20, 5, .6, .801902}, Row{20, 5, .7, .974781}, Row{20, 5, .8, .999644},
        Row{16, 8, .5, .060702}, Row{16, 8, .7, .613268}, Row{16, 8, .8, .947049},
        Row{16, 8, .9, .999877}, Row{50, 20, .7, .039126}, Row{50, 20, .8, .439995},
        Row{50, 20, .9, .998468}, Row{14, 8, .7, .564504}, Row{14, 8, .8, .923548},
        Row{450, 20, .7, .301771}, Row{450, 20, .8, .994583}, Row{9, 13, .8, .398844}}) {
    EXPECT_NEAR(banding_probability(row.s, row.bands, row.rows), row.probability, 5e-7);
  }
}

TEST(Tune, BandingCurveKeepsItsDigitsAtTheEnds) {
  EXPECT_EQ(banding_probability(0, 20, 5), 0);
  EXPECT_EQ(banding_probability(1, 20, 5), 1);
  EXPECT_EQ(banding_probability(.375, 1, 1), .375);
  EXPECT_NEAR(banding_probability(1e-10, 20, 2) / 20e-20, 1, 1e-9);
}

// P = 1/2 at (1 - 2^(-1/b))^(1/r); at the rule of thumb (1/b)^(1/r) it is 1 - (1 - 1/b)^b, which
// tends to 1 - 1/e.
TEST(Tune, BandingCurveHasItsMiddleWhereTheFormulaSays) {
  for (const std::uint32_t bands : {1U, 9U, 20U, 450U}) {
    for (const std::uint32_t rows : {1U, 5U, 20U}) {
      const double middle = std::pow(1 - std::exp2(-1.0 / bands), 1.0 / rows);
      EXPECT_NEAR(banding_probability(middle, bands, rows), .5, 1e-12);
      const double thumb = std::pow(1.0 / bands, 1.0 / rows);
      const double there = 1 - std::pow(1 - 1.0 / bands, bands);
      EXPECT_NEAR(banding_probability(thumb, bands, rows), there, 1e-12);
      if (bands == 450) {
        EXPECT_NEAR(there, 1 - std::exp(-1.0), 1e-3);
      }
    }
  }
}

RC_GTEST_PROP(Tune, BandingCurveRisesWithSimilarityAndBandsAndFallsWithRows, ()) {
  const double s = *rc::gen::inRange(1, 1000) / 1000.0;
  const auto bands = *rc::gen::inRange<std::uint32_t>(1, 500);
  const auto rows = *rc::gen::inRange<std::uint32_t>(1, 50);
  const double p = banding_probability(s, bands, rows);
  RC_ASSERT(p >= 0 && p <= 1);
  RC_ASSERT(banding_probability(s + .001, bands, rows) >= p);
  RC_ASSERT(banding_probability(s, bands + 1, rows) >= p);
  RC_ASSERT(banding_probability(s, bands, rows + 1) <= p);
}

TEST(Tune, APlanThatIsRatedIsWorthWhatItWasChosenFor) {
  const auto chosen = choose_banding(.8, .99, 128);
  ASSERT_TRUE(chosen);
  const BandingPlan rated = rate_banding(.8, 128, chosen->bands, chosen->rows);
  EXPECT_EQ(rated.bands, chosen->bands);
  EXPECT_EQ(rated.rows, chosen->rows);
  EXPECT_EQ(rated.found, chosen->found);
  EXPECT_EQ(rated.expected_candidates, chosen->expected_candidates);
}

// ORACLE: all 2^12 ways to lay out the equal components.
TEST(Tune, GivenMatchesAgreesWithEnumeration) {
  constexpr std::uint32_t kSize = 12;
  for (const auto& [bands, rows] :
       {std::pair{1U, 1U}, {12U, 1U}, {3U, 4U}, {2U, 5U}, {4U, 2U}, {1U, 12U}}) {
    std::vector<double> found(kSize + 1, 0.0);
    std::vector<double> all(kSize + 1, 0.0);
    for (std::uint32_t layout = 0; layout < 1U << kSize; ++layout) {
      const auto matches = static_cast<std::size_t>(std::popcount(layout));
      const std::uint32_t band = (1U << rows) - 1;
      bool candidate = false;
      for (std::uint32_t i = 0; i < bands; ++i) {
        candidate = candidate || (layout >> (i * rows) & band) == band;
      }
      all[matches] += 1;
      found[matches] += candidate ? 1 : 0;
    }
    for (std::uint32_t matches = 0; matches <= kSize; ++matches) {
      EXPECT_NEAR(banding_probability_given_matches(kSize, matches, bands, rows),
                  found[matches] / all[matches], 1e-13);
    }
  }
}

// ORACLE: a binomial number of matches makes the components independent again.
TEST(Tune, GivenMatchesAveragesToTheBandingCurve) {
  for (const double s : {.3, .8, .95}) {
    double mean = 0;
    for (std::uint32_t matches = 0; matches <= 256; ++matches) {
      mean +=
          binomial_pmf(256, s, matches) * banding_probability_given_matches(256, matches, 26, 8);
    }
    EXPECT_NEAR(mean, banding_probability(s, 26, 8), 1e-11);
  }
}

TEST(Tune, GuaranteeIsTheIndependentOneAtHighRecallAndLowerAtLowRecall) {
  EXPECT_EQ(banding_guarantee(.8, 256, 26, 8), banding_probability(.8, 26, 8));
  EXPECT_LT(banding_guarantee(.8, 256, 16, 14), banding_probability(.8, 16, 14) - .009);
  EXPECT_EQ(banding_guarantee(1, 128, 1, 128), 1);
}

// Fast Similarity Sketching, written down plainly: row i throws every id into a bin (into bin
// i - t from row t on), a bin keeps the smallest hash of its first row, and the sketch is ready
// after the first row that leaves no bin empty.
Sketch plain_fss(std::span<const std::uint64_t> ids, std::uint32_t t, std::uint64_t seed) {
  constexpr auto kEmpty = std::numeric_limits<std::uint64_t>::max();
  Sketch bins(t, kEmpty);
  std::uint32_t filled = 0;
  for (std::uint32_t row = 0; row < 2 * t && filled < t; ++row) {
    for (const std::uint64_t id : ids) {
      const std::uint64_t hash = permute64(id, seed_key(seed, row));
      std::uint64_t& bin = bins[row < t ? (hash >> 32U) * t >> 32U : row - t];
      filled += bin == kEmpty ? 1U : 0U;
      bin = std::min(bin, std::uint64_t{row} << 32U | (hash & 0xFFFFFFFFU));
    }
  }
  return bins;
}

bool candidate(const Sketch& a, const Sketch& b, const BandingPlan& plan) {
  for (std::size_t band = 0; band < plan.bands; ++band) {
    const auto first = static_cast<std::ptrdiff_t>(band * plan.rows);
    if (std::equal(a.begin() + first, a.begin() + first + plan.rows, b.begin() + first)) {
      return true;
    }
  }
  return false;
}

TEST(Tune, PlainFssIsTheAlgorithm) {
  const std::vector<std::uint64_t> ids = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(plain_fss(ids, 8, 42), (Sketch{0x029a79e64, 0x01915c73a, 0x0536d1370, 0x103b5a2e3,
                                           0x097cbb069, 0x0190f4585, 0x04273d5ee, 0x308b870f0}));
}

// STATISTICAL: pairs of exactly the threshold's similarity are found as often as promised, for
// unions much smaller than the sketch up to much larger ones.
TEST(Tune, FastSimilaritySketchesKeepThePromise) {
  constexpr std::uint32_t kSize = 128;
  constexpr std::uint32_t kTrials = 1000;
  constexpr double kRecalls[] = {.5, .9, .95, .99};
  for (const std::uint64_t percent : {50U, 80U, 90U}) {
    std::vector<BandingPlan> plans;
    for (const double recall : kRecalls) {
      plans.push_back(*choose_banding(static_cast<double>(percent) / 100, recall, kSize));
    }
    for (const std::uint64_t size : {10U, 30U, 100U, 300U, 1000U}) {
      // The union is 0..size-1; its last tenth, fifth or half is in one of the sets alone.
      std::vector<std::uint64_t> a;
      std::vector<std::uint64_t> b;
      for (std::uint64_t id = 0; id < size; ++id) {
        const bool common = id < size * percent / 100;
        if (common || id % 2 == 0) a.push_back(id);
        if (common || id % 2 == 1) b.push_back(id);
      }
      std::vector<double> found(plans.size(), 0.0);
      for (std::uint64_t seed = 0; seed < kTrials; ++seed) {
        const Sketch sketch_a = plain_fss(a, kSize, mix64(seed));
        const Sketch sketch_b = plain_fss(b, kSize, mix64(seed));
        for (std::size_t i = 0; i < plans.size(); ++i) {
          found[i] += candidate(sketch_a, sketch_b, plans[i]) ? 1 : 0;
        }
      }
      for (std::size_t i = 0; i < plans.size(); ++i) {
        const double recall = kRecalls[i];
        EXPECT_GE(found[i] / kTrials, recall - 4 * std::sqrt(recall * (1 - recall) / kTrials))
            << percent << " % of " << size << ", recall " << recall;
      }
    }
  }
}

TEST(Tune, TextDefault) {
  const auto plan = choose_sketch_size(.8, .99, 1024);
  ASSERT_TRUE(plan);
  EXPECT_EQ(guarantee_line(*plan, .8), "k=128, bands=16x6, P(found at 0.80) >= 0.992");
  EXPECT_NEAR(plan->banding.expected_candidates, .010509, 1e-6);
  EXPECT_NEAR(choose_banding(.8, .99, 256)->expected_candidates, .007593, 1e-6);
}

TEST(Tune, GuaranteeLineRoundsDown) {
  EXPECT_EQ(guarantee_line({128, {9, 14, .9039, 0}}, .855),
            "k=128, bands=9x14, P(found at 0.855) >= 0.903");
  EXPECT_EQ(guarantee_line({128, {9, 14, .99999, 0}}, .5),
            "k=128, bands=9x14, P(found at 0.50) >= 0.99999");
  EXPECT_EQ(guarantee_line({128, {1, 128, 1, 0}}, 1), "k=128, bands=1x128, P(found at 1.00) >= 1");
}

// ORACLE: every plan that fits, with the law of similarities integrated by itself.
TEST(Tune, NoPlanThatKeepsThePromiseHasFewerCandidates) {
  const auto low_law = [](double s) {
    const auto beta = [s](double a, double b) {
      return std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b)) * std::pow(s, a - 1) *
             std::pow(1 - s, b - 1);
    };
    return .95 * beta(1.5, 20) + .04 * beta(4, 6) + .01 * beta(12, 3);
  };
  for (const double threshold : {.35, .8, .95}) {
    for (const double recall : {.4, .9, .99}) {
      double least = 1;
      for (std::uint32_t rows = 1; rows <= 64; ++rows) {
        for (std::uint32_t bands = 1; bands * rows <= 64; ++bands) {
          if (banding_guarantee(threshold, 64, bands, rows) < recall) continue;
          double sum = 0;
          for (int i = 0; i < 1500; ++i) {
            const double s = threshold * (i + .5) / 1500;
            sum += low_law(s) * banding_probability(s, bands, rows) * threshold / 1500;
          }
          least = std::min(least, sum);
          break;  // more bands only let more through
        }
      }
      const auto plan = choose_banding(threshold, recall, 64);
      ASSERT_TRUE(plan);
      EXPECT_NEAR(plan->expected_candidates / least, 1, 1e-4) << threshold << " " << recall;
    }
  }
}

RC_GTEST_PROP(Tune, PlansFitAndKeepThePromise, ()) {
  const double threshold = *rc::gen::inRange(1, 1001) / 1000.0;
  const double recall = *rc::gen::inRange(1, 1000) / 1000.0;
  const auto k = *rc::gen::inRange<std::uint32_t>(2, 300);
  const auto plan = choose_banding(threshold, recall, k);
  // A single row needs the fewest components, and then the independent law is the worst.
  const bool possible = banding_probability(threshold, k, 1) >= recall;
  RC_ASSERT(plan.has_value() == possible);
  if (!plan) return;
  RC_ASSERT(plan->bands > 0 && plan->rows > 0 && plan->bands * plan->rows <= k);
  RC_ASSERT(plan->found >= recall);
  RC_ASSERT(plan->found == banding_guarantee(threshold, k, plan->bands, plan->rows));
}

TEST(Tune, LargerSketchesNeverHaveMoreCandidates) {
  double before = 1;
  for (const std::uint32_t k : {64U, 128U, 256U, 512U, 1024U}) {
    const auto plan = choose_banding(.7, .95, k);
    ASSERT_TRUE(plan);
    EXPECT_LT(plan->expected_candidates, before);
    before = plan->expected_candidates;
  }
}

TEST(Tune, LowerThresholdsGetLargerSketches) {
  const auto size = [](double threshold) { return choose_sketch_size(threshold, .99, 2048)->k; };
  EXPECT_EQ(size(.95), 128U);
  EXPECT_EQ(size(.9), 128U);
  EXPECT_EQ(size(.8), 128U);
  EXPECT_EQ(size(.7), 128U);
  EXPECT_EQ(size(.5), 288U);
}

TEST(Tune, ThresholdOneComparesWholeSketches) {
  const auto plan = choose_banding(1, .99, kMaxSketchSize);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->bands, 1U);
  EXPECT_EQ(plan->rows, kMaxSketchSize);
}

TEST(Tune, SaysWhichSketchWouldBeNeeded) {
  const auto plan = choose_banding(.01, .99, 128);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(plan.error().message,
            "a sketch of 128 components cannot find pairs at 0.01 with probability 0.99; it "
            "takes 459");
  EXPECT_TRUE(choose_banding(.01, .99, 459));
  EXPECT_FALSE(choose_banding(.01, .99, 458));
  EXPECT_FALSE(choose_sketch_size(.01, .99, 256));
  EXPECT_TRUE(choose_sketch_size(.01, .99, 512));
}

TEST(Tune, RefusesNonsense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double threshold : {0.0, -.5, 1.001, nan}) {
    const auto plan = choose_banding(threshold, .99, 128);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(plan.error().message.find("threshold"), std::string::npos);
    EXPECT_FALSE(choose_sketch_size(threshold, .99, 1024));
  }
  for (const double recall : {0.0, -1.0, 1.0, 2.0, nan}) {
    const auto plan = choose_banding(.8, recall, 128);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(plan.error().message.find("recall"), std::string::npos);
    EXPECT_FALSE(choose_sketch_size(.8, recall, 1024));
  }
  EXPECT_EQ(choose_banding(.8, 1, 128).error().message,
            "a recall of 1 cannot be promised by sketches: each pair can be missed by chance; "
            "ask for less than 1, such as 0.999");
  EXPECT_FALSE(choose_banding(.8, .99, 0));
  EXPECT_FALSE(choose_banding(.8, .99, kMaxSketchSize + 1));
  EXPECT_FALSE(choose_sketch_size(.8, .99, 127));
  EXPECT_FALSE(choose_sketch_size(.8, .99, kMaxSketchSize + 1));
}

TEST(Tune, ExtremeQuestionsGetAnAnswer) {
  EXPECT_TRUE(choose_banding(.999999, 1 - 1e-12, 1024));
  EXPECT_FALSE(choose_banding(1e-300, .5, kMaxSketchSize));
  EXPECT_TRUE(choose_banding(.5, 1e-300, 64));
}

}  // namespace
}  // namespace twinsift
