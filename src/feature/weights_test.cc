// SPDX-License-Identifier: Apache-2.0
#include "feature/weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Result<WeightedSet> make(const TokenSet& ids, const std::vector<double>& weights) {
  return make_weighted_set(ids, weights);
}

TEST(WeightedSets, AreSortedWithDuplicatesSummedAndZerosDropped) {
  const auto set = make({9, 3, 9, 4, 5}, {1, 2, 0.5, 0.0, -0.0});
  ASSERT_TRUE(set);
  EXPECT_EQ(set->tokens, (TokenSet{3, 9}));
  EXPECT_EQ(set->weights, (std::vector<double>{2, 1.5}));
  EXPECT_TRUE(is_canonical(*set));
}

TEST(WeightedSets, OfZerosOnlyAreEmpty) {
  const auto set = make({1, 2}, {0.0, -0.0});
  ASSERT_TRUE(set);
  EXPECT_TRUE(set->tokens.empty());
  EXPECT_TRUE(is_canonical(*set));
}

TEST(WeightedSets, BadWeightsAreRefusedWithTheirIndex) {
  EXPECT_EQ(make({1, 2}, {1, -1}).error().message, "the weight of element 1 is negative");
  EXPECT_EQ(make({1, 2}, {std::nan(""), 1}).error().message,
            "the weight of element 0 is not a number");
  EXPECT_EQ(make({1, 2, 3}, {1, 1, kInfinity}).error().message,
            "the weight of element 2 is infinite");
  EXPECT_EQ(make({1, 2, 3}, {1, 1, -kInfinity}).error().message,
            "the weight of element 2 is infinite");
  EXPECT_EQ(make({5, 5}, {1e308, 1e308}).error().message,
            "the weight of element 1 overflows when it is added to those of the same id");
  EXPECT_EQ(make({5, 5}, {1}).error().message, "2 ids have 1 weights");
}

TEST(WeightedSets, CanonicalFormIsRecognised) {
  EXPECT_TRUE(is_canonical({}));
  EXPECT_FALSE(is_canonical({.tokens = {1, 1}, .weights = {1, 1}}));
  EXPECT_FALSE(is_canonical({.tokens = {2, 1}, .weights = {1, 1}}));
  EXPECT_FALSE(is_canonical({.tokens = {1, 2}, .weights = {1}}));
  EXPECT_FALSE(is_canonical({.tokens = {1}, .weights = {0}}));
  EXPECT_FALSE(is_canonical({.tokens = {1}, .weights = {kInfinity}}));
  EXPECT_FALSE(is_canonical({.tokens = {1}, .weights = {std::nan("")}}));
}

// PROPERTY
RC_GTEST_PROP(WeightedSets, DoNotDependOnTheOrderOfTheInput, ()) {
  const auto ids = *rc::gen::container<TokenSet>(rc::gen::inRange<std::uint64_t>(0, 5));
  std::vector<double> weights;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    weights.push_back(std::ldexp(*rc::gen::inRange(0, 1000), *rc::gen::inRange(-60, 60)));
  }
  const auto forward = make(ids, weights);
  const auto backward = make(TokenSet(ids.rbegin(), ids.rend()),
                             std::vector<double>(weights.rbegin(), weights.rend()));
  RC_ASSERT(forward->tokens == backward->tokens);
  RC_ASSERT(forward->weights == backward->weights);
  RC_ASSERT(is_canonical(*forward));
}

TEST(UnitWeights, AreOnePerDistinctId) {
  const WeightedSet set = unit_weights(TokenSet{7, 3, 7});
  EXPECT_EQ(set.tokens, (TokenSet{3, 7}));
  EXPECT_EQ(set.weights, (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace twinsift
