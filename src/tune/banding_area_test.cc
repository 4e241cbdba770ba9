// SPDX-License-Identifier: Apache-2.0
#include "tune/banding_area.h"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tune/tune.h"

namespace twinsift {
namespace {

// ORACLE: the areas in closed form.  One band of r rows is the curve s^r; b bands of one row are
// 1 - (1 - s)^b.
TEST(BandingArea, IsTheIntegral) {
  for (const double t : {.1, .5, .8, .95}) {
    for (const std::uint32_t n : {1U, 3U, 8U}) {
      const double power = n + 1.0;
      const double rows =
          .7 * std::pow(t, power) / power + .3 * (1 - t - (1 - std::pow(t, power)) / power);
      EXPECT_NEAR(banding_areas(t, 1, n, {.7, .3}), rows, 1e-5);
      const double bands =
          .7 * (t - (1 - std::pow(1 - t, power)) / power) + .3 * std::pow(1 - t, power) / power;
      EXPECT_NEAR(banding_areas(t, n, 1, {.7, .3}), bands, 1e-5);
    }
  }
}

// ORACLE: every plan, from the curve itself.
TEST(BandingArea, NoPlanWeighsLess) {
  for (const double t : {.3, .6, .9}) {
    for (const AreaWeights& weights : {AreaWeights{.5, .5}, {.9, .1}, {.1, .9}}) {
      double least = std::numeric_limits<double>::infinity();
      for (std::uint32_t rows = 1; rows <= 48; ++rows) {
        for (std::uint32_t bands = 1; bands * rows <= 48; ++bands) {
          double sum = 0;
          for (int i = 0; i < 1500; ++i) {
            const double low = t * (i + .5) / 1500;
            const double high = t + (1 - t) * (i + .5) / 1500;
            sum += weights.false_positives * t * banding_probability(low, bands, rows);
            sum += weights.false_negatives * (1 - t) * (1 - banding_probability(high, bands, rows));
          }
          least = std::min(least, sum / 1500);
        }
      }
      const auto plan = choose_banding_by_areas(t, 48, weights);
      ASSERT_TRUE(plan);
      EXPECT_LE(plan->bands * plan->rows, 48U);
      EXPECT_NEAR(banding_areas(t, plan->bands, plan->rows, weights) / least, 1, 1e-4);
    }
  }
}

// GOLDEN: T = .8, k = 128, equal weights: 9 bands of 13 rows, which promise little.
TEST(BandingArea, PromisesLittleAtTheThreshold) {
  const auto plan = choose_banding_by_areas(.8, 128, {});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->bands, 9U);
  EXPECT_EQ(plan->rows, 13U);
  EXPECT_NEAR(banding_probability(.8, 9, 13), .398844, 5e-7);
  EXPECT_LE(plan->found, .398845);
  EXPECT_EQ(plan->found, banding_guarantee(.8, 128, 9, 13));
  EXPECT_EQ(plan->expected_candidates, rate_banding(.8, 128, 9, 13).expected_candidates);
}

TEST(BandingArea, WeightsMoveThePlan) {
  const auto loses = choose_banding_by_areas(.7, 128, {.95, .05});
  const auto finds = choose_banding_by_areas(.7, 128, {.05, .95});
  ASSERT_TRUE(loses);
  ASSERT_TRUE(finds);
  EXPECT_LT(loses->found, finds->found);
  EXPECT_LT(loses->expected_candidates, finds->expected_candidates);
  EXPECT_EQ(choose_banding_by_areas(.7, 128, {1, 0})->rows, 128U);
  EXPECT_EQ(choose_banding_by_areas(.7, 128, {0, 1})->rows, 1U);
}

TEST(BandingArea, RefusesNonsense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0., 1., -1., 2., nan}) {
    const auto plan = choose_banding_by_areas(bad, 128, {});
    ASSERT_FALSE(plan);
    EXPECT_NE(plan.error().message.find("threshold"), std::string::npos);
  }
  EXPECT_FALSE(choose_banding_by_areas(.8, 0, {}));
  EXPECT_FALSE(choose_banding_by_areas(.8, kMaxSketchSize + 1, {}));
  for (const double bad : {-1., nan, infinity}) {
    EXPECT_FALSE(choose_banding_by_areas(.8, 128, {bad, 1}));
    EXPECT_FALSE(choose_banding_by_areas(.8, 128, {1, bad}));
  }
  EXPECT_FALSE(choose_banding_by_areas(.8, 128, {0, 0}));
}

}  // namespace
}  // namespace twinsift
