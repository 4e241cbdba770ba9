// SPDX-License-Identifier: Apache-2.0
#include "index/pstable.h"

#include <cmath>

#include <gtest/gtest.h>

#include "index/test_vectors.h"
#include "tune/lsh_plan.h"

namespace twinsift {
namespace {

std::unique_ptr<VectorFamily> family(const std::string& spec, std::size_t dimension) {
  return *make_pstable_family(*IndexSpec::parse(spec, {"v", "l", "r", "seed"}), {{}, dimension});
}

// STATISTICAL: one function collides with probability p(u; r).
TEST(Pstable, CollidesAsTheFormulaSays) {
  const auto one = family("pstable1:v=1,l=256,r=4,seed=3", 12);
  Rng rng(1);
  for (const double u : {.5, 1., 2., 4., 8.}) {
    int same = 0;
    const int pairs = 60;
    for (int i = 0; i < pairs; ++i) {
      std::vector<float> x(12);
      std::vector<float> step(12);
      double norm = 0;
      for (std::size_t j = 0; j < 12; ++j) {
        x[j] = static_cast<float>(10 * normal(rng));
        step[j] = static_cast<float>(normal(rng));
        norm += step[j] * double{step[j]};
      }
      std::vector<float> y = x;
      for (std::size_t j = 0; j < 12; ++j) {
        y[j] += static_cast<float>(step[j] * u / std::sqrt(norm));
      }
      for (std::uint32_t t = 0; t < 256; ++t) same += one->key(x, t) == one->key(y, t) ? 1 : 0;
    }
    const double p = pstable_collision(u, 4);
    const double n = pairs * 256;
    // The 256 functions are shared by all pairs: they, not the pairs, are the sample.
    EXPECT_NEAR(same / n, p, 4 * std::sqrt(p * (1 - p) / n) + .02) << u;
  }
}

// STATISTICAL: pairs at the radius are found as the tuner promises.
TEST(Pstable, VectorsAreFoundAsPromised) {
  const LshPlan plan = *choose_pstable({.dimension = 16, .radius = 1, .far = 5, .recall = .9});
  int found = 0;
  const int seeds = 60;
  const int pairs = 20;
  for (int seed = 0; seed < seeds; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    TestVectors vectors = make_test_vectors(200, 16, rng.next());
    const auto spec = "pstable1:v=" + std::to_string(plan.v) + ",l=" + std::to_string(plan.l) +
                      ",r=" + std::to_string(plan.r) + ",seed=" + std::to_string(seed);
    const auto index = *make_vector_index(spec, vectors.rows(), vectors.rows());
    for (int i = 0; i < pairs; ++i) {
      const ItemId id = rng.below(200);
      const VectorView row = vectors.rows()[id];
      std::vector<float> question(row.begin(), row.end());
      question[rng.below(16)] += 1;  // at distance 1
      std::vector<VectorMatch> out;
      ASSERT_TRUE(index->near(question, 1.0001, out));
      found += std::ranges::any_of(out, [&](const VectorMatch& m) { return m.id == id; }) ? 1 : 0;
    }
  }
  const double n = seeds * pairs;
  EXPECT_GE(found / n, plan.found - 4 * std::sqrt(plan.found * (1 - plan.found) / n));
}

TEST(Pstable, MovesLeadToTheNeighbouringCells) {
  const auto one = family("pstable1:v=1,l=1,r=2,seed=1", 1);
  Cells cells;
  std::vector<Move> moves;
  const std::uint64_t home = one->key(std::vector<float>{0}, 0, cells, moves);
  ASSERT_EQ(moves.size(), 2U);
  EXPECT_EQ(home, one->key(std::vector<float>{0}, 0));
  EXPECT_NEAR(std::sqrt(moves[0].cost) + std::sqrt(moves[1].cost), 1, 1e-12);
  // Walking either way, the first other key is one of the two moves.
  for (const float step : {.01F, -.01F}) {
    std::vector<float> x = {0};
    while (one->key(x, 0) == home) x[0] += step;
    const std::uint64_t other = one->key(x, 0);
    EXPECT_TRUE(other == home + moves[0].step || other == home + moves[1].step);
  }
}

TEST(Pstable, HugeNumbersHaveKeys) {
  const auto some = family("pstable1:v=4,l=2,r=1e-30", 3);
  EXPECT_EQ(some->key(std::vector<float>{3e38F, -3e38F, 3e38F}, 1),
            some->key(std::vector<float>{3e38F, -3e38F, 3e38F}, 1));
}

// GOLDEN: the same keys on every machine.
TEST(Pstable, KeysNeverChange) {
  const auto some = family("pstable1:v=3,l=2,r=0.5,seed=9", 5);
  const std::vector<float> x = {1, -2, 3, .5F, .25F};
  EXPECT_EQ(some->key(x, 0), 13587034833603812208U);
  EXPECT_EQ(some->key(x, 1), 4694347810485376942U);
}

TEST(Pstable, SpecsAreCanonicalAndBadOnesRefused) {
  EXPECT_EQ(canonical("pstable1"), "pstable1:v=8,l=20,r=4,seed=0");
  EXPECT_EQ(canonical("pstable1:r=0.25"), "pstable1:v=8,l=20,r=0.25,seed=0");
  expect_bad_specs({"pstable1:", "pstable1:r=0", "pstable1:r=-1", "pstable1:r=nan",
                    "pstable1:r=inf", "pstable1:r=1x", "pstable1:v=0", "pstable1:theta=zero"});
  expect_refusals("pstable1:l=3");
}

}  // namespace
}  // namespace twinsift
