// SPDX-License-Identifier: Apache-2.0
#include "sketch/redgreen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

const WeightedSet kBounds{.tokens = {1, 2, 3, 4}, .weights = {4, 2, 8, 6}};

RedGreenSketcher make(std::uint32_t k, std::uint64_t seed) {
  return *RedGreenSketcher::make(k, seed, kBounds);
}

// STATISTICAL: the darts are geometric with p = weight / M = 5/20, so that their mean is 4 with a
// variance of (1-p)/p^2 = 12 per component.
TEST(RedGreen, DartsAreTheBoundsOverTheWeight) {
  const std::uint32_t k = 10000;
  std::vector<std::uint64_t> darts(k);
  ASSERT_TRUE(make(k, 3).count_darts({.tokens = {1, 3}, .weights = {1, 4}}, darts));
  const double mean = std::accumulate(darts.begin(), darts.end(), 0.0) / k;
  EXPECT_NEAR(mean, 20.0 / 5, 4 * std::sqrt(12.0 / k));
}

// GOLDEN: 4.73 darts.  Which bounds and weights there are does not matter, only M / weight: each of
// these vocabularies has 4.73, and the darts of each are geometric with p = 1 / 4.73.  Their mean
// has the variance (1-p)/p^2 per component, and P(more than n darts) = (1-p)^n.
TEST(RedGreen, DartsAreGeometricWhateverTheVocabulary) {
  const std::uint32_t k = 40000;
  const double p = 1 / 4.73;
  struct Case {
    WeightedSet bounds;
    WeightedSet set;
  };
  const Case cases[] = {
      {{.tokens = {1}, .weights = {4.73}}, {.tokens = {1}, .weights = {1}}},
      {{.tokens = {1, 2, 3}, .weights = {10, 7.3, 30}}, {.tokens = {1, 3}, .weights = {9.5, 0.5}}},
      {{.tokens = {5, 6, 7, 8}, .weights = {1e-5, 173, 200, 99.99999}},
       {.tokens = {5, 7}, .weights = {1e-5, 99.99999}}}};
  for (const auto& [bounds, set] : cases) {
    std::vector<std::uint64_t> darts(k);
    ASSERT_TRUE(RedGreenSketcher::make(k, 11, bounds)->count_darts(set, darts));
    const double mean = std::accumulate(darts.begin(), darts.end(), 0.0) / k;
    EXPECT_NEAR(mean, 4.73, 4 * std::sqrt((1 - p) / p / p / k));
    for (const std::uint64_t n : {1U, 5U, 20U}) {
      const auto more = std::ranges::count_if(darts, [=](std::uint64_t d) { return d > n; });
      const double expected = std::pow(1 - p, n);
      EXPECT_NEAR(static_cast<double>(more) / k, expected,
                  4 * std::sqrt(expected * (1 - expected) / k))
          << n;
    }
  }
}

TEST(RedGreen, SetsThatFillTheirBoundsNeedOneDart) {
  std::vector<std::uint64_t> darts(100);
  ASSERT_TRUE(make(100, 3).count_darts(kBounds, darts));
  EXPECT_EQ(darts, std::vector<std::uint64_t>(100, 1));
}

TEST(RedGreen, WhatIsOutsideTheVocabularyIsAnError) {
  const RedGreenSketcher sketcher = make(8, 1);
  const auto above =
      sketcher.sketch(Feature{.value = WeightedSet{.tokens = {2}, .weights = {2.5}}});
  ASSERT_FALSE(above);
  EXPECT_EQ(above.error().message, "the weight 2.5 of id 2 is above its bound 2 in redgreen1");
  const auto unknown = sketcher.sketch(Feature{.value = TokenSet{9}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "id 9 is not in the vocabulary of redgreen1");
}

TEST(RedGreen, IdsOutsideTheVocabularyAreLikeThemselvesAlone) {
  const RedGreenSketcher sketcher = make(8, 1);
  Sketch a(8);
  Sketch b(8);
  Sketch c(8);
  sketcher.sketch_ids(TokenSet{9, 1}, a);
  sketcher.sketch_ids(TokenSet{1, 9, 9}, b);
  sketcher.sketch_ids(TokenSet{8, 1}, c);
  EXPECT_EQ(a, b);
  EXPECT_EQ(sketcher.similarity(a, c).value, 0);
}

TEST(RedGreen, SetsThatAreTooLightEndWithAnError) {
  const auto result =
      make(8, 1).sketch(Feature{.value = WeightedSet{.tokens = {2}, .weights = {1e-300}}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kLimit);
}

TEST(RedGreen, BoundsMustBeGoodWeights) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_FALSE(RedGreenSketcher::make(8, 1, {}));
  EXPECT_FALSE(RedGreenSketcher::make(8, 1, {.tokens = {1}, .weights = {-1}}));
  EXPECT_FALSE(RedGreenSketcher::make(8, 1, {.tokens = {1, 2}, .weights = {largest, largest}}));
}

TEST(RedGreen, SpecTellsVocabulariesApart) {
  WeightedSet other = kBounds;
  other.weights[0] = 5;
  EXPECT_TRUE(make(8, 1).spec().starts_with("redgreen1:k=8,seed=1,vocabulary="));
  EXPECT_EQ(make(8, 1).spec(), make(8, 1).spec());
  EXPECT_NE(make(8, 1).spec(), RedGreenSketcher::make(8, 1, other)->spec());
}

}  // namespace
}  // namespace twinsift
