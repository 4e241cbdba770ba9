// SPDX-License-Identifier: Apache-2.0
#include "index/hamming.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "index/test_codes.h"
#include "index/test_vectors.h"
#include "tune/lsh_plan.h"

namespace twinsift {
namespace {

std::unique_ptr<VectorFamily> family(std::string_view spec, const VectorRows& training) {
  return *make_hamming_family(*IndexSpec::parse(spec, {"v", "l", "theta", "seed"}), training);
}

TEST(HammingFamily, CoordinatesAreDistinctAndAllOccur) {
  std::set<std::uint32_t> seen;
  for (const auto& table : draw_coordinates(50, 20, 30, 7)) {
    EXPECT_EQ(table.size(), 20U);
    EXPECT_EQ(std::set(table.begin(), table.end()).size(), 20U);
    seen.insert(table.begin(), table.end());
  }
  EXPECT_EQ(seen.size(), 50U);
  EXPECT_EQ(*seen.rbegin(), 49U);
  EXPECT_EQ(draw_coordinates(9, 9, 1, 0)[0].size(), 9U);
}

// GOLDEN: medians 2, 0; the key of all coordinates is their bits.
TEST(HammingFamily, BitsSayWhatIsAboveTheThreshold) {
  const std::vector<float> values = {1, -5, 2, 0, 3, 9};
  const auto median = family("hamming1:v=2,l=1", {values, 2});
  EXPECT_EQ(median->key(std::vector<float>{2.5F, -1}, 0), 0b01U);
  EXPECT_EQ(median->key(std::vector<float>{2, .5F}, 0), 0b10U);
  const auto zero = family("hamming1:v=2,l=1,theta=zero", {values, 2});
  EXPECT_EQ(zero->key(std::vector<float>{.5F, -1}, 0), 0b01U);
  Cells cells;
  std::vector<Move> moves;
  EXPECT_EQ(zero->key(std::vector<float>{.5F, -2}, 0, cells, moves), 0b01U);
  EXPECT_EQ(cells, (Cells{1, 0}));
  ASSERT_EQ(moves.size(), 2U);
  EXPECT_EQ(moves[0].cost, .25);
  EXPECT_EQ(1 + moves[0].step, 0b00U);
  EXPECT_EQ(moves[1].cost, 4);
  EXPECT_EQ(1 + moves[1].step, 0b11U);
}

TEST(HammingFamily, MediansPartTheTrainingVectorsInHalves) {
  const TestVectors vectors = make_test_vectors(1000, 10, 3);
  const auto all = family("hamming1:v=10,l=1", vectors.rows());
  for (unsigned bit = 0; bit < 10; ++bit) {
    int above = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
      above += (all->key(vectors.rows()[i], 0) >> bit & 1U) != 0 ? 1 : 0;
    }
    EXPECT_NEAR(above, 500, 1);
  }
}

// STATISTICAL: with random thresholds a bit differs as often as the vectors do, in ranges.
TEST(HammingFamily, RandomThresholdsMeasureTheAbsoluteDifference) {
  const std::vector<float> corners = {0, 0, 0, 0, 1, 2, 4, 8};
  const std::vector<float> x = {.1F, .5F, 1, 1};
  const std::vector<float> y = {.4F, .5F, 2, 5};
  const double expected = (.3 + 0 + .25 + .5) / 4;
  int differs = 0;
  const int trials = 8000;
  for (int seed = 0; seed < trials; ++seed) {
    const auto one =
        family("hamming1:v=1,l=1,theta=random,seed=" + std::to_string(seed), {corners, 4});
    differs += one->key(x, 0) != one->key(y, 0) ? 1 : 0;
  }
  EXPECT_NEAR(differs / double{trials}, expected,
              4 * std::sqrt(expected * (1 - expected) / trials));
}

// STATISTICAL: codes at distance d are found as the tuner promises, and nothing farther is
// answered.
TEST(HammingFamily, CodesAreFoundAsPromised) {
  const LshPlan plan =
      *choose_coordinates({.bits = 128, .radius = 15, .recall = .9, .items = 5000});
  int found = 0;
  const int seeds = 40;
  const int pairs = 50;
  for (int seed = 0; seed < seeds; ++seed) {
    const auto spec = fmt::format("hamming1:bits=128,v={},l={},seed={}", plan.v, plan.l, seed);
    auto index = *make_code_index(spec);
    EXPECT_EQ(index->spec(), spec);
    const Codes codes = make_random_codes(2, 10'000, static_cast<std::uint64_t>(seed) + 100);
    ASSERT_TRUE(index->insert_all(0, codes));
    Rng rng(static_cast<std::uint64_t>(seed));
    for (int i = 0; i < pairs; ++i) {
      const ItemId id = rng.below(10'000);
      const auto answer = answers(*index, flipped(row(codes, 2, id), 15, rng), 15);
      found += answer == std::vector<CodeMatch>{{id, 15}} ? 1 : 0;
    }
  }
  const double n = seeds * pairs;
  EXPECT_NEAR(found / n, plan.found, 4 * std::sqrt(plan.found * (1 - plan.found) / n));
}

TEST(HammingFamily, SpecsAreCanonicalAndBadOnesRefused) {
  EXPECT_EQ(canonical("hamming1"), "hamming1:v=16,l=10,theta=median,seed=0");
  EXPECT_EQ(canonical("hamming1:seed=4,theta=random,v=3,l=2"),
            "hamming1:v=3,l=2,theta=random,seed=4");
  expect_bad_specs({"hamming1:", "hamming1:v=0", "hamming1:v=9", "hamming1:l=0", "hamming1:l=257",
                    "hamming1:theta=mean", "hamming1:r=4", "hamming", "", "hamming1:v=3,v=3"});
  expect_refusals("hamming1:v=8");
  for (const char* spec : {"hamming1:bits=100", "hamming1:v=65", "hamming1:theta=zero"}) {
    EXPECT_FALSE(make_code_index(spec)) << spec;
  }
}

}  // namespace
}  // namespace twinsift
