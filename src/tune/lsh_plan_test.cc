// SPDX-License-Identifier: Apache-2.0
#include "tune/lsh_plan.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

// GOLDEN
TEST(LshPlan, PstableCollisions) {
  EXPECT_NEAR(pstable_collision(1, 4), .800532432, 5e-10);
  EXPECT_NEAR(pstable_collision(2, 4), .609548422, 5e-10);
  EXPECT_NEAR(pstable_collision(1, 1), .368746380, 5e-10);
  EXPECT_NEAR(pstable_collision(4, 4), .368746380, 5e-10);
  EXPECT_NEAR(pstable_collision(.5, 4), .900264430, 5e-10);
  EXPECT_EQ(pstable_collision(0, 4), 1);
}

TEST(LshPlan, PstableCollisionsFallWithDistance) {
  double last = 1;
  for (double u = .01; u < 100; u *= 1.1) {
    const double p = pstable_collision(u, 4);
    EXPECT_LT(p, last);
    EXPECT_GT(p, 0);
    last = p;
  }
}

// ORACLE: ratios of binomials.
TEST(LshPlan, CoordinateCollisions) {
  EXPECT_DOUBLE_EQ(coordinate_collision(4, 2, 2), 1. / 6);
  EXPECT_DOUBLE_EQ(coordinate_collision(10, 3, 4), 35. / 210);
  EXPECT_EQ(coordinate_collision(10, 7, 4), 0);
  EXPECT_EQ(coordinate_collision(10, 10, 1), 0);
  EXPECT_EQ(coordinate_collision(10, 0, 10), 1);
  EXPECT_NEAR(coordinate_collision(256, 31, 16), .118511511, 5e-10);
}

// ORACLE: no plan with as few as any tables is cheaper; the promise is kept and is tight.
TEST(LshPlan, KeepsThePromiseWithTheFewestTables) {
  for (const double recall : {.5, .9, .99, .999}) {
    for (const std::uint32_t radius : {4U, 16U, 31U}) {
      const auto plan = choose_coordinates({.radius = radius, .recall = recall});
      ASSERT_TRUE(plan);
      const double hit = coordinate_collision(256, radius, plan->v);
      EXPECT_GE(1 - std::pow(1 - hit, plan->l), recall - 1e-12);
      if (plan->l > 1) {
        EXPECT_LT(1 - std::pow(1 - hit, plan->l - 1), recall);
      }
      EXPECT_NEAR(plan->found, 1 - std::pow(1 - hit, plan->l), 1e-12);
    }
    const auto plan = choose_pstable({.dimension = 64, .radius = .5, .far = 2, .recall = recall});
    ASSERT_TRUE(plan);
    const double hit = std::pow(pstable_collision(.5, plan->r), plan->v);
    EXPECT_GE(1 - std::pow(1 - hit, plan->l), recall - 1e-12);
  }
}

// Scaling all distances scales the cells and nothing else.
TEST(LshPlan, UnitsDoNotMatter) {
  const auto one = choose_pstable({.dimension = 64, .radius = 1, .far = 5});
  const auto ten = choose_pstable({.dimension = 64, .radius = 8, .far = 40});
  ASSERT_TRUE(one);
  ASSERT_TRUE(ten);
  EXPECT_EQ(one->v, ten->v);
  EXPECT_EQ(one->l, ten->l);
  EXPECT_NEAR(ten->r / one->r, 8, 1e-12);
}

TEST(LshPlan, RefusesNonsenseAndWhatCannotBePromised) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double recall : {0., 1., -1., nan}) {
    EXPECT_FALSE(choose_coordinates({.recall = recall}));
    EXPECT_FALSE(choose_pstable({.recall = recall}));
  }
  for (const double x : {0., -1., nan, infinity}) {
    EXPECT_FALSE(choose_pstable({.radius = x}));
    EXPECT_FALSE(choose_pstable({.far = x}));
  }
  EXPECT_FALSE(choose_pstable({.dimension = 0}));
  EXPECT_FALSE(choose_coordinates({.items = 0}));
  EXPECT_FALSE(choose_coordinates({.radius = 256}));
  EXPECT_FALSE(choose_coordinates({.radius = 255, .recall = .999999}));
}

}  // namespace
}  // namespace twinsift
