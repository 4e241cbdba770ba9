// SPDX-License-Identifier: Apache-2.0
#include "index/banding.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

Sketch random_sketch(std::size_t k, std::uint64_t seed) {
  Rng rng(seed);
  Sketch sketch(k);
  for (auto& component : sketch) component = rng.next();
  return sketch;
}

TEST(Banding, KeysAgreeExactlyWhereWholeBandsDo) {
  const BandingIndex index(5, 4);
  const Sketch a = random_sketch(20, 1);
  for (std::size_t changed = 0; changed < 20; ++changed) {
    Sketch b = a;
    ++b[changed];
    std::vector<std::uint32_t> keys_a(5);
    std::vector<std::uint32_t> keys_b(5);
    index.keys(a, keys_a);
    index.keys(b, keys_b);
    for (std::size_t band = 0; band < 5; ++band) {
      EXPECT_EQ(keys_a[band] == keys_b[band], band != changed / 4);
    }
  }
}

TEST(Banding, OrderOfComponentsMatters) {
  const BandingIndex index(1, 2);
  std::vector<std::uint32_t> ab(1);
  std::vector<std::uint32_t> ba(1);
  index.keys({7, 8}, ab);
  index.keys({8, 7}, ba);
  EXPECT_NE(ab, ba);
}

// GOLDEN
TEST(Banding, ProbabilityOfBeingFound) {
  EXPECT_NEAR(BandingIndex(20, 5).found(0.8), 0.999644, 1e-6);
  EXPECT_NEAR(BandingIndex(16, 8).found(0.5), 0.060702, 1e-6);
}

// STATISTICAL: components that agree with probability s make candidates with probability P(s).
TEST(Banding, CandidatesAppearAsPredicted) {
  const BandingIndex index(16, 6);
  Rng rng(5);
  const int trials = 4000;
  for (const double s : {0.5, 0.7, 0.8}) {
    int found = 0;
    for (int t = 0; t < trials; ++t) {
      const Sketch a = random_sketch(96, rng.next());
      Sketch b = a;
      for (auto& component : b) component += rng.uniform() < s ? 0U : 1U;
      std::vector<std::uint32_t> keys_a(16);
      std::vector<std::uint32_t> keys_b(16);
      index.keys(a, keys_a);
      index.keys(b, keys_b);
      bool candidate = false;
      for (std::size_t i = 0; i < 16; ++i) candidate |= keys_a[i] == keys_b[i];
      found += candidate ? 1 : 0;
    }
    const double p = index.found(s);
    EXPECT_NEAR(found / static_cast<double>(trials), p, 4 * std::sqrt(p * (1 - p) / trials)) << s;
  }
}

TEST(Banding, SpecMakesTheSameIndexAgainAndBadOnesAreRefused) {
  EXPECT_EQ((*make_index("banding1:b=26,r=8"))->spec(), "banding1:b=26,r=8");
  EXPECT_EQ((*make_index("banding1:b=26,r=8"))->tables(), 26U);
  for (const char* spec :
       {"", "banding", "banding1", "banding1:", "banding1:b=1", "banding1:r=1,b=2",
        "banding1:b=0,r=1", "banding1:b=1,r=1,", "banding1:b=99999,r=1"}) {
    const auto made = make_index(spec);
    ASSERT_FALSE(made) << spec;
    EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace twinsift
