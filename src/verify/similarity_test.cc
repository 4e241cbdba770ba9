// SPDX-License-Identifier: Apache-2.0
#include "verify/similarity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "feature/weights.h"

namespace twinsift {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TokenSet random_set(Rng& rng) {
  TokenSet set;
  for (std::uint64_t id = 0; id < 20; ++id) {
    if (rng.below(3) > 0) set.push_back(id);
  }
  return set;
}

WeightedSet random_weights(Rng& rng) {
  WeightedSet set{.tokens = random_set(rng), .weights = {}};
  for (std::size_t i = 0; i < set.tokens.size(); ++i) set.weights.push_back(rng.uniform() * 4);
  return set;
}

DenseVector random_vector(Rng& rng) {
  DenseVector vector;
  for (int i = 0; i < 8; ++i) vector.push_back(static_cast<float>(rng.uniform() - 0.5));
  return vector;
}

// GOLDEN
TEST(Jaccard, GoldenDocuments) {
  const TokenSet d1{1, 2, 5, 10, 12, 15};
  const TokenSet d2{1, 2, 6, 10, 12, 14};
  const TokenSet d3{2, 9, 10, 12, 14};
  EXPECT_DOUBLE_EQ(jaccard(d1, d2), 1.0 / 2);
  EXPECT_DOUBLE_EQ(jaccard(d1, d3), 3.0 / 8);
  EXPECT_DOUBLE_EQ(jaccard(d2, d3), 4.0 / 7);
  EXPECT_DOUBLE_EQ(containment(d1, d3), 3.0 / 6);
  EXPECT_DOUBLE_EQ(containment(d3, d1), 3.0 / 5);
  // Weights of 1 change nothing.
  EXPECT_DOUBLE_EQ(weighted_jaccard(unit_weights(d2), unit_weights(d3)), 4.0 / 7);
  EXPECT_DOUBLE_EQ(weighted_containment(unit_weights(d3), unit_weights(d1)), 3.0 / 5);
}

TEST(Jaccard, EmptySetsFollowTheConvention) {
  EXPECT_EQ(jaccard({}, {}), 1);
  EXPECT_EQ(jaccard({}, TokenSet{1}), 0);
  EXPECT_EQ(containment({}, TokenSet{1}), 1);
  EXPECT_EQ(weighted_jaccard({}, {}), 1);
  EXPECT_EQ(weighted_jaccard({}, WeightedSet{.tokens = {1}, .weights = {1}}), 0);
  EXPECT_EQ(weighted_jaccard_at_least({}, {}, 1), 1);
}

TEST(WeightedJaccard, IsMinimaOverMaxima) {
  const WeightedSet a{.tokens = {1, 2, 3}, .weights = {1, 2, 5}};
  const WeightedSet b{.tokens = {2, 3, 4}, .weights = {4, 2, 1}};
  EXPECT_DOUBLE_EQ(weighted_jaccard(a, b), 4.0 / 11);
  const Evidence evidence = weighted_evidence(a, b);
  EXPECT_DOUBLE_EQ(evidence.jaccard, 4.0 / 11);
  EXPECT_DOUBLE_EQ(evidence.containment_a, 4.0 / 8);
  EXPECT_DOUBLE_EQ(evidence.containment_b, 4.0 / 7);
  EXPECT_EQ(evidence.shared, 2U);
  EXPECT_EQ(evidence.total_a, 3U);
  EXPECT_EQ(evidence.total_b, 3U);
}

TEST(WeightedJaccard, NeitherOverflowsNorVanishes) {
  for (const double w : {5e-324, 1e-300, 1.0, 1e300, std::numeric_limits<double>::max()}) {
    const WeightedSet a{.tokens = {1, 2, 3}, .weights = {w, w, w}};
    const WeightedSet b{.tokens = {2, 3, 4}, .weights = {w, w, w}};
    EXPECT_DOUBLE_EQ(weighted_jaccard(a, b), 0.5) << w;
    EXPECT_DOUBLE_EQ(weighted_containment(a, b), 2.0 / 3) << w;
    EXPECT_DOUBLE_EQ(weighted_jaccard_at_least(a, b, 0.5), 0.5) << w;
    EXPECT_EQ(weighted_jaccard_at_least(a, b, 0.51), -1) << w;
  }
}

// PROPERTY: early rejection never rejects what the merge would accept.
RC_GTEST_PROP(WeightedJaccard, AtLeastAgreesWithTheFullComparison, (std::uint64_t seed)) {
  Rng rng(seed);
  const WeightedSet a = random_weights(rng);
  WeightedSet b = rng.below(4) == 0 ? a : random_weights(rng);
  const double j = weighted_jaccard(a, b);
  for (const double threshold : {0.0, 0.3, 0.5, j, std::nextafter(j, 2.0), 1.0}) {
    RC_ASSERT(weighted_jaccard_at_least(a, b, threshold) == (j >= threshold ? j : -1));
  }
}

// PROPERTY: symmetry, range, J = 1 only if equal, and the triangle inequality of 1 - J.
RC_GTEST_PROP(Jaccard, IsASimilarityWhoseComplementIsAMetric, (std::uint64_t seed)) {
  Rng rng(seed);
  const TokenSet a = random_set(rng);
  const TokenSet b = random_set(rng);
  const TokenSet c = random_set(rng);
  RC_ASSERT(jaccard(a, b) == jaccard(b, a));
  RC_ASSERT(jaccard(a, b) >= 0 && jaccard(a, b) <= 1);
  RC_ASSERT(jaccard(a, a) == 1);
  RC_ASSERT((jaccard(a, b) == 1) == (a == b));
  RC_ASSERT(1 - jaccard(a, c) <= 2 - jaccard(a, b) - jaccard(b, c) + 1e-12);
}

RC_GTEST_PROP(WeightedJaccard, IsASimilarityWhoseComplementIsAMetric, (std::uint64_t seed)) {
  Rng rng(seed);
  const WeightedSet a = random_weights(rng);
  const WeightedSet b = random_weights(rng);
  const WeightedSet c = random_weights(rng);
  RC_ASSERT(weighted_jaccard(a, b) == weighted_jaccard(b, a));
  RC_ASSERT(weighted_jaccard(a, b) >= 0 && weighted_jaccard(a, b) <= 1);
  RC_ASSERT(weighted_jaccard(a, a) == 1);
  RC_ASSERT((weighted_jaccard(a, b) == 1) == (a.tokens == b.tokens && a.weights == b.weights));
  RC_ASSERT(1 - weighted_jaccard(a, c) <=
            2 - weighted_jaccard(a, b) - weighted_jaccard(b, c) + 1e-12);
}

RC_GTEST_PROP(VectorDistances, AreMetrics, (std::uint64_t seed)) {
  Rng rng(seed);
  const DenseVector a = random_vector(rng);
  const DenseVector b = random_vector(rng);
  const DenseVector c = random_vector(rng);
  for (const double r : {1.0, 2.0, 3.5, kInfinity}) {
    RC_ASSERT(*lr_distance(a, b, r) == *lr_distance(b, a, r));
    RC_ASSERT(*lr_distance(a, a, r) == 0);
    RC_ASSERT(*lr_distance(a, b, r) > 0);
    RC_ASSERT(*lr_distance(a, c, r) <= *lr_distance(a, b, r) + *lr_distance(b, c, r) + 1e-12);
  }
  const auto angle = [](const DenseVector& x, const DenseVector& y) {
    return angular_distance(x, y)->value;
  };
  RC_ASSERT(angle(a, b) == angle(b, a));
  RC_ASSERT(angle(a, a) == 0);
  RC_ASSERT(angle(a, c) <= angle(a, b) + angle(b, c) + 1e-12);
  RC_ASSERT(std::fabs(std::cos(angle(a, b) * M_PI) - cosine(a, b)->value) < 1e-12);
}

TEST(LrDistance, KnownValues) {
  const DenseVector x{0, 0};
  const DenseVector y{3, -4};
  EXPECT_DOUBLE_EQ(*lr_distance(x, y, 1), 7);
  EXPECT_DOUBLE_EQ(*lr_distance(x, y, 2), 5);
  EXPECT_DOUBLE_EQ(*lr_distance(x, y, kInfinity), 4);
  EXPECT_NEAR(*lr_distance(x, y, 1e6), 4, 1e-9);
  EXPECT_EQ(*lr_distance({}, {}, 2), 0);
  const DenseVector huge{-3e38F, 3e38F};
  EXPECT_NEAR(*lr_distance(huge, x, 300) / 3e38, std::pow(2.0, 1.0 / 300), 1e-7);
}

TEST(LrDistance, RefusesWhatIsNoDistance) {
  const DenseVector x{1, 2};
  EXPECT_EQ(lr_distance(x, x, 0.5).error().message,
            "L_0.5 is not a distance: r must be at least 1");
  EXPECT_FALSE(lr_distance(x, x, std::nan("")));
  EXPECT_FALSE(lr_distance(x, x, -kInfinity));
  EXPECT_FALSE(lr_distance(x, DenseVector{1}, 2));
  EXPECT_EQ(lr_distance(x, DenseVector{1, std::nanf("")}, 2).error().message,
            "number 1 of a vector is infinite or not a number");
  EXPECT_FALSE(cosine(x, DenseVector{1}));
  EXPECT_FALSE(angular_distance(x, DenseVector{1, HUGE_VALF}));
}

TEST(Cosine, KnownValues) {
  EXPECT_DOUBLE_EQ(cosine(DenseVector{1, 0}, DenseVector{0, 2})->value, 0);
  EXPECT_DOUBLE_EQ(cosine(DenseVector{1, 1}, DenseVector{2, 2})->value, 1);
  EXPECT_DOUBLE_EQ(cosine(DenseVector{1, 1}, DenseVector{-2, -2})->value, -1);
  EXPECT_DOUBLE_EQ(angular_distance(DenseVector{1, 0}, DenseVector{0, 2})->value, 0.5);
  EXPECT_DOUBLE_EQ(angular_distance(DenseVector{1, 0}, DenseVector{1, 1})->value, 0.25);
  EXPECT_DOUBLE_EQ(angular_distance(DenseVector{1, 1}, DenseVector{-2, -2})->value, 1);
  EXPECT_NEAR(angular_distance(DenseVector{1, 0}, DenseVector{1, 1e-12F})->value * M_PI, 1e-12,
              1e-18);
}

TEST(Cosine, IsFlaggedWithoutADirection) {
  const auto zero = cosine(DenseVector{0, 0}, DenseVector{1, 2});
  EXPECT_EQ(zero->value, 0);
  EXPECT_FALSE(zero->defined);
  EXPECT_FALSE(angular_distance(DenseVector{0, 0}, DenseVector{0, 0})->defined);
  EXPECT_TRUE(cosine(DenseVector{1e-38F}, DenseVector{1e-38F})->defined);
}

}  // namespace
}  // namespace twinsift
