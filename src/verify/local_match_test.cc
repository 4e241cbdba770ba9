// SPDX-License-Identifier: Apache-2.0
#include "verify/local_match.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "verify/test_local_words.h"

namespace twinsift {
namespace {

Point in_unit(const PlanarMap& pixels, Point p, const LocalWords& a, const LocalWords& b) {
  const Point q = pixels({p.x * a.width, p.y * a.height});
  return {q.x / b.width, q.y / b.height};
}

void expect_placed(const Placement& placement, const PlanarMap& truth, const LocalWords& a,
                   const LocalWords& b, double tolerance) {
  const PlanarMap found{.m = placement.a_to_b};
  for (const Point p : {Point{0.2, 0.2}, {0.8, 0.3}, {0.6, 0.7}, {0.3, 0.8}}) {
    EXPECT_NEAR(found(p).x, in_unit(truth, p, a, b).x, tolerance);
    EXPECT_NEAR(found(p).y, in_unit(truth, p, a, b).y, tolerance);
  }
}

TEST(LocalMatch, TurnedCopiesAreFoundAndPlaced) {
  Rng rng(1);
  const LocalWords a = random_words(rng);
  for (const double degrees : {0.0, 25.0, 90.0, -60.0}) {
    const PlanarMap map = turned_map(degrees, 0.8, {256, 192}, {250, 250});
    const LocalWords b = copy_under(a, map, 500, 500, rng);
    const auto match = match_local(a, b);
    ASSERT_TRUE(match) << degrees;
    EXPECT_GE(match->score, 0.6);
    EXPECT_LT(match->score, 1);
    EXPECT_NEAR(match->placement.turned, degrees, 0.5);
    EXPECT_NEAR(match->placement.scale, 0.8, 0.01);
    EXPECT_FALSE(match->placement.mirrored);
    EXPECT_GE(match->inliers, 100U);
    EXPECT_LE(match->inliers, match->tentative);
    EXPECT_EQ(match->placement.points.size(), match->inliers);
    expect_placed(match->placement, map, a, b, 0.01);
  }
}

// Half of the area, from a known box; its corners within one per cent of the picture.
TEST(LocalMatch, CropBoxIsFound) {
  Rng rng(2);
  for (int trial = 0; trial < 10; ++trial) {
    const LocalWords a = random_words(rng);
    const double side = std::sqrt(0.5);
    const Point corner{(1 - side) * rng.uniform(), (1 - side) * rng.uniform()};
    const double scale = 512 / (side * 512);
    const PlanarMap map{
        .m = {scale, 0, -corner.x * 512 * scale, 0, scale, -corner.y * 384 * scale, 0, 0, 1}};
    const auto match = match_local(a, copy_under(a, map, 512, 384, rng));
    ASSERT_TRUE(match);
    EXPECT_NEAR(match->placement.covered_a, 0.5, 0.02);
    EXPECT_NEAR(match->placement.covered_b, 1, 0.02);
    EXPECT_NEAR(match->placement.scale, scale, 0.02);
    const auto& frame = match->placement.frame_of_b;
    EXPECT_NEAR(frame[0].x, corner.x, 0.01);
    EXPECT_NEAR(frame[0].y, corner.y, 0.01);
    EXPECT_NEAR(frame[2].x, corner.x + side, 0.01);
    EXPECT_NEAR(frame[2].y, corner.y + side, 0.01);
    EXPECT_NEAR(frame[1].x, corner.x + side, 0.01);
    EXPECT_NEAR(frame[3].y, corner.y + side, 0.01);
    EXPECT_GT(match->span_b, 0.7);
    EXPECT_LT(match->span_a, 0.51);
  }
}

TEST(LocalMatch, PerspectiveIsFound) {
  Rng rng(3);
  const LocalWords a = random_words(rng);
  const PlanarMap map{.m = {0.9, 0.05, 10, 0.02, 0.9, 8, 2e-4, 1e-4, 1}};
  const LocalWords b = copy_under(a, map, 512, 384, rng);
  const auto match = match_local(a, b);
  ASSERT_TRUE(match);
  expect_placed(match->placement, map, a, b, 0.012);
}

// b is the mirror image of a turned copy; the map goes to b itself.
TEST(LocalMatch, MirroredCopiesAreFoundAndPlaced) {
  Rng rng(4);
  const LocalWords a = random_words(rng);
  const PlanarMap map = turned_map(30, 0.9, {256, 192}, {256, 192});
  const LocalWords straight = copy_under(a, map, 512, 384, rng);
  const LocalWords b = mirrored_words(straight);
  EXPECT_FALSE(match_local(a, b));
  const auto match = match_local_or_mirrored(a, b, mirrored_words(b));
  ASSERT_TRUE(match);
  EXPECT_TRUE(match->placement.mirrored);
  // Mirroring after turning clockwise is mirroring, then turning the other way.
  EXPECT_NEAR(match->placement.turned, -30, 0.5);
  EXPECT_NEAR(match->placement.scale, 0.9, 0.01);
  expect_placed(match->placement, compose({.m = {-1, 0, 512, 0, 1, 0, 0, 0, 1}}, map), a, b, 0.01);
  for (const PointPair& pair : match->placement.points) {
    const Point to = PlanarMap{.m = match->placement.a_to_b}(pair.a);
    EXPECT_NEAR(to.x, pair.b.x, 0.02);
    EXPECT_NEAR(to.y, pair.b.y, 0.02);
  }
  const auto plain = match_local_or_mirrored(a, straight, b);
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->placement.mirrored);
}

TEST(LocalMatch, BothDirectionsAgreeAndTheirMapsAreInverse) {
  Rng rng(5);
  int accepted = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const LocalWords a = random_words(rng);
    const PlanarMap map = turned_map(360 * rng.uniform(), 0.5 + rng.uniform(), {256, 192},
                                     {400 * rng.uniform(), 300 * rng.uniform()});
    const CopyOptions weak{.kept = 0.02 + 0.2 * rng.uniform(), .flipped = 14};
    const LocalWords b = copy_under(a, map, 400, 300, rng, weak);
    const auto there = match_local(a, b);
    const auto back = match_local(b, a);
    ASSERT_EQ(there.has_value(), back.has_value());
    if (!there) continue;
    ++accepted;
    EXPECT_EQ(there->score, back->score);
    EXPECT_EQ(there->inliers, back->inliers);
    EXPECT_EQ(there->span_a, back->span_b);
    EXPECT_NEAR(there->placement.covered_a, back->placement.covered_b, 1e-9);
    EXPECT_NEAR(there->placement.scale * back->placement.scale, 1, 1e-6);
    for (const Point p : {Point{0, 0}, {1, 0}, {0.5, 1}}) {
      const Point q =
          PlanarMap{.m = back->placement.a_to_b}(PlanarMap{.m = there->placement.a_to_b}(p));
      EXPECT_NEAR(q.x, p.x, 1e-9);
      EXPECT_NEAR(q.y, p.y, 1e-9);
    }
  }
  EXPECT_GE(accepted, 10);
  EXPECT_LE(accepted, 55);  // else nothing was near the limit
}

// Words without signatures from a small vocabulary give each pair of unrelated pictures about 27
// matches, and equal scales and directions leave it all to their places.  The bound: evidence e
// occurs in at most 10^-e of all trials, hence the 9 that a score of .6 needs in 10^4 trials with a
// probability of at most 10^-5.
TEST(LocalMatch, ChanceNeverMatches) {
  Rng rng(6);
  LocalMatchOptions open;  // everything but the evidence
  open.words.radius = 128;
  open.consensus.least_inliers = 3;
  open.span = open.agreement = 1e-9;
  open.least_score = 0;
  std::vector<LocalWords> words;
  for (int i = 0; i < 142; ++i) {
    words.push_back(random_words(rng, {.points = 40, .vocabulary = 60}));
    for (LocalWord& word : words.back().words) {  // as if they all stood upright
      word.scale = 4500;
      word.angle = 0;
    }
  }
  int trials = 0;
  int found = 0;
  std::array<int, 4> reached{};
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j, ++trials) {
      const auto match = match_local(words[i], words[j], open);
      if (!match) continue;
      ++found;
      ASSERT_LT(match->evidence, open.evidence);
      for (std::size_t e = 0; e < reached.size(); ++e) {
        if (match->evidence > static_cast<double>(e)) ++reached[e];
      }
    }
  }
  EXPECT_GE(trials, 10000);
  EXPECT_GT(found, 50);  // there was something to reject
  EXPECT_LE(reached[1], trials / 10);
  EXPECT_LE(reached[2], trials / 100);
  EXPECT_LE(reached[3], trials / 1000);
}

TEST(LocalMatch, EmptyAndTinyListsDoNotMatch) {
  Rng rng(7);
  const LocalWords a = random_words(rng);
  EXPECT_FALSE(match_local(a, {}));
  EXPECT_FALSE(match_local({}, {}));
  EXPECT_FALSE(match_local({}, a));
  LocalWords few = a;
  few.words.resize(4);
  EXPECT_FALSE(match_local(few, few));
}

TEST(LocalMatch, KeyPointsInOnePlaceOrOnALineDoNotMatch) {
  Rng rng(8);
  LocalWords same = random_words(rng);
  for (LocalWord& word : same.words) word.x = word.y = 30000;
  EXPECT_FALSE(match_local(same, same));
  LocalWords line = random_words(rng);
  for (LocalWord& word : line.words) word.y = 30000;
  sort_words(line);
  EXPECT_FALSE(match_local(line, line));
}

TEST(LocalMatch, ScoreGrowsWithTheEvidence) {
  Rng rng(9);
  const LocalWords a = random_words(rng);
  const PlanarMap map = turned_map(10, 0.9, {256, 192}, {256, 192});
  LocalMatchOptions options;
  options.least_score = 0;
  const auto weak = match_local(a, copy_under(a, map, 512, 384, rng, {.kept = 0.06}), options);
  const auto strong = match_local(a, copy_under(a, map, 512, 384, rng, {.kept = 0.8}), options);
  ASSERT_TRUE(weak && strong);
  EXPECT_LT(weak->evidence, strong->evidence);
  EXPECT_LT(weak->score, strong->score);
}

// Replaces the key points of `words` in a box, in unit coordinates, by those of `stamp`.
LocalWords stamped(LocalWords words, const LocalWords& stamp, Point from, Point to) {
  std::erase_if(words.words, [&](const LocalWord& w) {
    const Point p{w.x / 65536.0, w.y / 65536.0};
    return p.x >= from.x && p.x < to.x && p.y >= from.y && p.y < to.y;
  });
  for (LocalWord word : stamp.words) {
    const auto put = [](double low, double high, std::uint16_t at) {
      return static_cast<std::uint16_t>(low * 65535 + (high - low) * at);
    };
    word.x = put(from.x, to.x, word.x);
    word.y = put(from.y, to.y, word.y);
    words.words.push_back(word);
  }
  sort_words(words);
  return words;
}

TEST(LocalMatch, SharedCaptionsLogosAndFramesAreNoCopies) {
  Rng rng(10);
  const LocalWords stamp = random_words(rng, {.points = 80});
  const LocalWords a = random_words(rng);
  const LocalWords b = random_words(rng);
  const auto both = [&](Point from, Point to) {
    return match_local(stamped(a, stamp, from, to), stamped(b, stamp, from, to));
  };
  EXPECT_FALSE(both({0.1, 0.85}, {0.9, 0.98}));  // caption
  EXPECT_FALSE(both({0.8, 0.8}, {0.95, 0.95}));  // logo
  EXPECT_FALSE(both({0, 0.45}, {1, 0.5}));       // stripe
  EXPECT_TRUE(both({0, 0}, {1, 0.7}));           // most of the picture
  // A frame of 1/12 of the width all around has the hull of the whole picture.
  const auto framed = [&](const LocalWords& words) {
    LocalWords result = stamped(words, stamp, {0, 0}, {1, 0.08});
    result = stamped(result, stamp, {0, 0.92}, {1, 1});
    result = stamped(result, stamp, {0, 0.08}, {0.08, 0.92});
    return stamped(result, stamp, {0.92, 0.08}, {1, 0.92});
  };
  EXPECT_FALSE(match_local(framed(a), framed(b)));
}

}  // namespace
}  // namespace twinsift
