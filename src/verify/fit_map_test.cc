// SPDX-License-Identifier: Apache-2.0
#include "verify/fit_map.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

const PlanarMap kSimilarity{.m = {1.2, -0.7, 30, 0.7, 1.2, -12, 0, 0, 1}};
const PlanarMap kAffine{.m = {1.2, -0.3, 30, 0.5, 0.8, -12, 0, 0, 1}};
const PlanarMap kHomography{.m = {1.2, -0.3, 30, 0.5, 0.8, -12, 2e-4, -3e-4, 1}};

std::vector<PointPair> pairs_under(const PlanarMap& map, int count, double noise = 0) {
  Rng rng(11);
  std::vector<PointPair> pairs;
  for (int i = 0; i < count; ++i) {
    const Point a{500 * rng.uniform(), 400 * rng.uniform()};
    const Point b = map(a);
    pairs.push_back(
        {a, {b.x + noise * (2 * rng.uniform() - 1), b.y + noise * (2 * rng.uniform() - 1)}});
  }
  return pairs;
}

void expect_same(const PlanarMap& found, const PlanarMap& truth, double pixels) {
  for (const Point p : {Point{0, 0}, {500, 0}, {500, 400}, {0, 400}, {250, 200}}) {
    EXPECT_NEAR(found(p).x, truth(p).x, pixels);
    EXPECT_NEAR(found(p).y, truth(p).y, pixels);
  }
}

TEST(FitMap, ExactPointsGiveTheExactMap) {
  expect_same(*fit_similarity(pairs_under(kSimilarity, 2)), kSimilarity, 1e-9);
  expect_same(*fit_affine(pairs_under(kAffine, 3)), kAffine, 1e-8);
  expect_same(*fit_homography(pairs_under(kHomography, 4)), kHomography, 1e-6);
  expect_same(*fit_affine(pairs_under(kSimilarity, 20)), kSimilarity, 1e-9);
  expect_same(*fit_homography(pairs_under(kAffine, 20)), kAffine, 1e-8);
}

// The error at the corners is that of the noise divided by the root of the number of points,
// times what extrapolation to a corner costs, here below 4.
TEST(FitMap, NoiseAveragesOut) {
  const double allowed = 4 * 2 / std::sqrt(400);
  expect_same(*fit_similarity(pairs_under(kSimilarity, 400, 2)), kSimilarity, allowed);
  expect_same(*fit_affine(pairs_under(kAffine, 400, 2)), kAffine, allowed);
  expect_same(*fit_homography(pairs_under(kHomography, 400, 2)), kHomography, 2 * allowed);
}

TEST(FitMap, TooFewPointsAreRefused) {
  EXPECT_FALSE(fit_similarity({}));
  EXPECT_FALSE(fit_similarity(pairs_under(kSimilarity, 1)));
  EXPECT_FALSE(fit_affine(pairs_under(kAffine, 2)));
  EXPECT_FALSE(fit_homography(pairs_under(kHomography, 3)));
}

TEST(FitMap, OnePlaceIsRefused) {
  const std::vector<PointPair> same(10, {{3.1, 4.7}, {1e5 / 3, 2}});
  EXPECT_FALSE(fit_similarity(same));
  EXPECT_FALSE(fit_affine(same));
  EXPECT_FALSE(fit_homography(same));
}

// All points of a go to one of b.
TEST(FitMap, CollapseIsRefused) {
  auto pairs = pairs_under(kSimilarity, 10);
  for (PointPair& pair : pairs) pair.b = {7, 7};
  EXPECT_FALSE(fit_similarity(pairs));
  EXPECT_FALSE(fit_affine(pairs));
  EXPECT_FALSE(fit_homography(pairs));
}

TEST(FitMap, ALineDeterminesASimilarityOnly) {
  std::vector<PointPair> pairs;
  for (int i = 0; i < 10; ++i) {
    const Point a{10.0 * i, 5.0 * i};
    pairs.push_back({a, kSimilarity(a)});
  }
  expect_same(*fit_similarity(pairs), kSimilarity, 1e-8);
  EXPECT_FALSE(fit_affine(pairs));
  EXPECT_FALSE(fit_homography(pairs));
}

// Three of four points on a line leave a homography open.
TEST(FitMap, FourPointsThreeOnALineGiveNoHomography) {
  std::vector<PointPair> pairs;
  for (const Point a : {Point{0, 0}, {100, 0}, {200, 0}, {50, 100}}) {
    pairs.push_back({a, kAffine(a)});
  }
  EXPECT_TRUE(fit_affine(pairs));
  EXPECT_FALSE(fit_homography(pairs));
}

TEST(FitMap, MirrorImagesAreNoSimilarities) {
  auto pairs = pairs_under({.m = {-1, 0, 500, 0, 1, 0, 0, 0, 1}}, 200);
  const auto map = fit_similarity(pairs);
  // It shrinks to what little the two have in common, or is refused.
  if (map) {
    EXPECT_LT(std::abs(map->m[0]) + std::abs(map->m[3]), 0.3);
  }
  EXPECT_LT(fit_affine(pairs)->m[0], 0);
}

}  // namespace
}  // namespace twinsift
