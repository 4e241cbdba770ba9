// SPDX-License-Identifier: Apache-2.0
#include "tune/code_plan.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

// ORACLE: all C(12, d) places of the differing bits, for codes of 12 bits.
TEST(CodePlan, FoundIsTheShareOfAllPlaces) {
  for (std::uint32_t width = 1; width <= 6; ++width) {
    for (std::uint32_t tables = 1; tables * width <= 12; ++tables) {
      for (std::uint32_t flips = 0; flips < 3; ++flips) {
        for (std::uint32_t d = 0; d <= 12; ++d) {
          int all = 0;
          int found = 0;
          for (std::uint32_t places = 0; places < 1U << 12U; ++places) {
            if (std::popcount(places) != static_cast<int>(d)) continue;
            bool hit = false;
            for (std::uint32_t t = 0; t < tables; ++t) {
              const std::uint32_t group = places >> (t * width) & ((1U << width) - 1);
              hit |= std::popcount(group) <= static_cast<int>(flips);
            }
            ++all;
            found += hit ? 1 : 0;
          }
          EXPECT_NEAR(code_found(12, d, tables, width, flips), static_cast<double>(found) / all,
                      1e-12);
        }
      }
    }
  }
}

// GOLDEN: the exact plan of the paper for 31 of 256 bits, and what fewer tables are worth.
TEST(CodePlan, SixteenGroupsOfSixteenBitsAreExactAndEightFindNearlyAll) {
  EXPECT_EQ(code_found(256, 31, 16, 16, 1), 1);
  EXPECT_LT(code_found(256, 31, 15, 16, 1), 1);
  EXPECT_NEAR(code_found(256, 31, 8, 16, 1), .993960446, 5e-10);
  EXPECT_NEAR(code_found(256, 31, 7, 16, 1), .986382581, 5e-10);
  EXPECT_NEAR(code_found(256, 31, 1, 16, 0), .118511511, 5e-10);
}

TEST(CodePlan, FoundFallsWithDistanceAndGrowsWithTablesAndFlips) {
  for (std::uint32_t d = 1; d < 64; ++d) {
    EXPECT_LE(code_found(256, d, 8, 16, 1), code_found(256, d - 1, 8, 16, 1) + 1e-12);
    EXPECT_LE(code_found(256, d, 8, 16, 1), code_found(256, d, 9, 16, 1) + 1e-12);
    EXPECT_LE(code_found(256, d, 8, 16, 1), code_found(256, d, 8, 16, 2) + 1e-12);
  }
}

TEST(CodePlan, KeepsThePromiseWithinTheMemory) {
  for (const std::uint32_t bits : {64U, 128U, 192U, 256U, 512U}) {
    for (const double recall : {.5, .9, .99, .999, 1.}) {
      for (std::uint32_t radius = 0; radius <= bits / 4; radius += 1 + bits / 64) {
        const CodeTask task{.bits = bits, .radius = radius, .recall = recall};
        const auto plan = choose_code_plan(task);
        ASSERT_TRUE(plan);
        EXPECT_LE(plan->tables * plan->width, bits);
        EXPECT_GE(plan->found, recall);
        const auto held = plan->tables * (plan->flips + 1) - plan->reduced;  // pigeonholes
        if (recall == 1) {
          EXPECT_GT(held, radius);
        }
        if (plan->reduced == 0) {
          EXPECT_EQ(plan->found, code_found(bits, radius, plan->tables, plan->width, plan->flips));
        }
      }
    }
  }
  for (const double recall : {.9, .99, 1.}) {
    const auto plan = choose_code_plan({.recall = recall});
    ASSERT_TRUE(plan);
    EXPECT_LE(plan->bytes, 100);
  }
}

TEST(CodePlan, RefusesNonsense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(choose_code_plan({.bits = 0}));
  EXPECT_FALSE(choose_code_plan({.bits = 100}));
  EXPECT_FALSE(choose_code_plan({.bits = 576}));
  EXPECT_FALSE(choose_code_plan({.radius = 65}));
  EXPECT_FALSE(choose_code_plan({.items = 0}));
  for (const double recall : {0., -1., 1.01, nan})
    EXPECT_FALSE(choose_code_plan({.recall = recall}));
}

}  // namespace
}  // namespace twinsift
