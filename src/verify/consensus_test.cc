// SPDX-License-Identifier: Apache-2.0
#include "verify/consensus.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/tails.h"
#include "verify/test_local_words.h"

namespace twinsift {
namespace {

constexpr PictureSize kSize{.width = 500, .height = 400};

PlacedMatch under(const PlanarMap& map, Point a, std::uint32_t i) {
  const auto slope = map.slope(a);
  return {.a = i,
          .b = i,
          .at_a = a,
          .at_b = map(a),
          .turn = {(slope[0] + slope[3]) / 2, (slope[2] - slope[1]) / 2}};
}

Point random_place(Rng& rng) { return {500 * rng.uniform(), 400 * rng.uniform()}; }

std::vector<PlacedMatch> matches_under(const PlanarMap& map, std::uint32_t good, std::uint32_t bad,
                                       std::uint64_t seed) {
  Rng rng(seed);
  std::vector<PlacedMatch> matches;
  for (std::uint32_t i = 0; i < good + bad; ++i) {
    PlacedMatch match = under(map, random_place(rng), i);
    match.at_b.x += 2 * rng.uniform() - 1;
    match.at_b.y += 2 * rng.uniform() - 1;
    if (i % (good + bad) >= good) {
      match.at_b = random_place(rng);
      match.turn = turned_map(360 * rng.uniform(), 0.5 + rng.uniform(), {}, {})({1, 0});
    }
    matches.push_back(match);
  }
  return matches;
}

void expect_map(const Consensus& found, const PlanarMap& truth, double pixels) {
  for (const Point p : {Point{0, 0}, {500, 0}, {500, 400}, {0, 400}}) {
    EXPECT_NEAR(found.map(p).x, truth(p).x, pixels);
    EXPECT_NEAR(found.map(p).y, truth(p).y, pixels);
  }
}

TEST(Consensus, FindsASimilarityAmongOutliers) {
  for (const double degrees : {0.0, 25.0, 90.0, 180.0, -135.0}) {
    const PlanarMap map = turned_map(degrees, 0.7, {250, 200}, {250, 200});
    const auto found = find_consensus(matches_under(map, 40, 80, 1), kSize, kSize, {});
    ASSERT_TRUE(found) << degrees;
    EXPECT_GE(found->inliers.size(), 40U);
    EXPECT_LE(found->inliers.size(), 43U);
    EXPECT_GT(found->evidence, 20);
    expect_map(*found, map, 3);
  }
}

TEST(Consensus, FindsAnAffineMapAndAHomography) {
  const PlanarMap affine{.m = {1.15, 0.2, -40, -0.1, 0.85, 60, 0, 0, 1}};
  const auto found = find_consensus(matches_under(affine, 60, 60, 2), kSize, kSize, {});
  ASSERT_TRUE(found);
  EXPECT_GE(found->inliers.size(), 58U);
  expect_map(*found, affine, 4);
  const PlanarMap leaning{.m = {1.1, 0.1, -20, 0.05, 1.05, 10, 3e-4, 2e-4, 1}};
  const auto seen = find_consensus(matches_under(leaning, 100, 60, 3), kSize, kSize, {});
  ASSERT_TRUE(seen);
  EXPECT_GE(seen->inliers.size(), 95U);
  expect_map(*seen, leaning, 6);
}

TEST(Consensus, DegenerateMatchesGiveNothing) {
  EXPECT_FALSE(find_consensus({}, kSize, kSize, {}));
  const auto map = turned_map(10, 1, {250, 200}, {250, 200});
  std::vector<PlacedMatch> same;
  for (std::uint32_t i = 0; i < 50; ++i) same.push_back(under(map, {100, 100}, i));
  EXPECT_FALSE(find_consensus(same, kSize, kSize, {}));
  // One key point that looks like all of the other picture's.
  std::vector<PlacedMatch> one = matches_under(map, 50, 0, 4);
  for (PlacedMatch& match : one) match.a = 0;
  EXPECT_FALSE(find_consensus(one, kSize, kSize, {}));
}

TEST(Consensus, ExtremeScalesAndMirrorImagesAreRefused) {
  const auto tiny = turned_map(0, 1.0 / 9, {250, 200}, {250, 200});
  EXPECT_FALSE(find_consensus(matches_under(tiny, 60, 0, 5), kSize, kSize, {}));
  const PlanarMap mirror{.m = {-1, 0, 500, 0, 1, 0, 0, 0, 1}};
  auto matches = matches_under(mirror, 60, 0, 6);
  for (PlacedMatch& match : matches) match.turn = {1, 0};
  const auto found = find_consensus(matches, kSize, kSize, {});
  EXPECT_TRUE(!found || found->evidence < 9);
}

TEST(Consensus, MatchesFromOnePlaceCountOnce) {
  const auto map = turned_map(0, 1, {250, 200}, {250, 200});
  auto matches = matches_under(map, 12, 0, 7);
  const auto plain = find_consensus(matches, kSize, kSize, {});
  for (std::uint32_t i = 0; i < 12; ++i) {
    PlacedMatch again = matches[i];
    again.a += 12;
    again.b += 12;
    matches.push_back(again);
  }
  const auto doubled = find_consensus(matches, kSize, kSize, {});
  ASSERT_TRUE(plain && doubled);
  EXPECT_EQ(doubled->inliers.size(), 24U);
  EXPECT_EQ(doubled->places, plain->places);
}

// The bound is one: never more evidence than the exact binomial tail allows.
TEST(Consensus, EvidenceIsABoundOnTheBinomialTail) {
  for (const std::uint32_t n : {6U, 20U, 100U, 500U}) {
    for (const double p : {1e-4, 1e-3, 2e-2}) {
      double before = 0;
      for (std::uint32_t k = 4; k <= n && k < 40; ++k) {
        const double evidence = evidence_of(n, k, 3, p);
        const double models = n * (n - 1.0) * (n - 2.0) / 6;
        const double exact = -std::log10(models * binomial_at_least(n - 3, p, k - 3));
        EXPECT_LE(evidence, std::max(exact, 0.0) + 1e-9) << n << ' ' << k << ' ' << p;
        EXPECT_GE(evidence, before);
        before = evidence;
      }
    }
  }
  EXPECT_EQ(evidence_of(10, 3, 3, 1e-3), 0);
  EXPECT_EQ(evidence_of(10, 2, 3, 1e-3), 0);
}

}  // namespace
}  // namespace twinsift
