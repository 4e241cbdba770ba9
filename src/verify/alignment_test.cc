// SPDX-License-Identifier: Apache-2.0
#include "verify/alignment.h"

#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "verify/test_textures.h"

namespace twinsift {
namespace {

SizedThumbnail sized(const Thumbnail& thumbnail, std::uint32_t width = 640,
                     std::uint32_t height = 480) {
  return {thumbnail, width, height};
}

void expect_near(const Affine& found, const Affine& expected, double tolerance) {
  for (const Point corner : {Point{0, 0}, Point{1, 0}, Point{0, 1}, Point{1, 1}}) {
    EXPECT_NEAR(mapped(found, corner).x, mapped(expected, corner).x, tolerance);
    EXPECT_NEAR(mapped(found, corner).y, mapped(expected, corner).y, tolerance);
  }
}

// A turn clockwise about the middle, and a scale, in a square picture.
Affine turned(double degrees, double scale = 1) {
  const double angle = degrees * 3.14159265358979 / 180;
  const double c = scale * std::cos(angle);
  const double s = scale * std::sin(angle);
  return {c, -s, (1 - c + s) / 2, s, c, (1 - s - c) / 2};
}

TEST(Alignment, IdenticalPicturesScoreOne) {
  const Thumbnail t = Texture(1).seen(kIdentity);
  const Alignment alignment = align(sized(t), sized(t));
  EXPECT_EQ(alignment.score, 1);
  EXPECT_EQ(alignment.correlation, 1);
  EXPECT_EQ(alignment.overlap_a, 1);
  EXPECT_EQ(alignment.overlap_b, 1);
  EXPECT_TRUE(alignment.converged);
  expect_near(alignment.a_to_b, kIdentity, 1e-9);
}

TEST(Alignment, RecoversTheMap) {
  // What b shows of the texture, whose unit square a shows.
  const std::array<Affine, 8> shown = {{{0.9, 0, 0, 0, 0.9, 0},
                                        {0.9, 0, 0.1, 0, 0.9, 0.1},
                                        {0.85, 0, 0.1, 0, 1, 0},
                                        {1.1, 0, -0.08, 0, 1.1, -0.02},
                                        {1, 0, 0.05, 0, 1, -0.03},
                                        turned(5),
                                        turned(-7, 0.95),
                                        {0.72, 0, 0.03, 0, 0.72, 0.24}}};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Texture texture(seed);
    const Thumbnail a = texture.seen(kIdentity);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      SCOPED_TRACE("map " + std::to_string(i) + " of texture " + std::to_string(seed));
      const Thumbnail b = texture.seen(shown[i]);
      const Alignment alignment = align(sized(a), sized(b));
      expect_near(alignment.a_to_b, inverse(shown[i]), 0.01);
      EXPECT_GE(alignment.score, kSamePicture);
      EXPECT_GT(alignment.correlation, 0.9);
    }
  }
}

TEST(Alignment, OverlapIsThatOfTheCrop) {
  const Texture texture(4);
  const Thumbnail a = texture.seen(kIdentity);
  const Thumbnail crop = texture.seen({0.9, 0, 0.02, 0, 0.8, 0.15});
  const Alignment alignment = align(sized(a), sized(crop, 576, 384));
  EXPECT_NEAR(alignment.overlap_a, 0.72, 0.01);
  EXPECT_NEAR(alignment.overlap_b, 1, 0.01);
  const Alignment other_way = align(sized(crop, 576, 384), sized(a));
  EXPECT_NEAR(other_way.overlap_a, 1, 0.01);
  EXPECT_NEAR(other_way.overlap_b, 0.72, 0.01);
}

TEST(Alignment, BrightnessAndContrastDoNotMatter) {
  const Texture texture(5);
  const Thumbnail a = texture.seen(kIdentity);
  for (const auto& [gain, bias] : {std::pair(0.5, 10.0), {0.7, 70.0}, {1.1, -10.0}}) {
    const Thumbnail b = texture.seen(turned(3), gain, bias);
    const Alignment alignment = align(sized(a), sized(b));
    EXPECT_GE(alignment.score, 0.95) << gain;
    expect_near(alignment.a_to_b, inverse(turned(3)), 0.01);
  }
}

TEST(Alignment, ANegativeIsAnotherPicture) {
  const Thumbnail a = Texture(6).seen(kIdentity);
  Thumbnail b = a;
  for (std::uint8_t& pixel : b) pixel = static_cast<std::uint8_t>(255 - pixel);
  EXPECT_LT(align(sized(a), sized(b)).score, 0.5);
}

TEST(Alignment, ACaptionIsForgiven) {
  const Texture texture(7);
  const Thumbnail a = texture.seen(kIdentity);
  Thumbnail b = texture.seen({0.95, 0, 0.03, 0, 0.95, 0.01});
  for (std::uint32_t y = 52; y < 61; ++y) {
    for (std::uint32_t x = 2; x < 60; ++x) b[y * 64 + x] = (x / 3 + y / 4) % 2 == 0 ? 255 : 0;
  }
  const Alignment alignment = align(sized(a), sized(b));
  EXPECT_GE(alignment.score, kSamePicture);
  EXPECT_LT(alignment.score, 0.99);
  expect_near(alignment.a_to_b, inverse({0.95, 0, 0.03, 0, 0.95, 0.01}), 0.01);
}

TEST(Alignment, HalfOfThePictureIsNotForgiven) {
  Thumbnail a = Texture(8).seen(kIdentity);
  const Thumbnail other = Texture(9).seen(kIdentity);
  const Thumbnail b = a;
  std::copy(other.begin(), other.begin() + 64 * 32, a.begin());
  EXPECT_LT(align(sized(a), sized(b)).score, kSamePicture);
}

TEST(Alignment, UnrelatedTexturesScoreLow) {
  for (std::uint64_t seed = 10; seed < 30; ++seed) {
    const Thumbnail a = Texture(seed).seen(kIdentity);
    const Thumbnail b = Texture(seed + 100).seen(kIdentity);
    EXPECT_LT(align(sized(a), sized(b)).score, 0.5) << seed;
  }
}

TEST(Alignment, WhatIsBrightAboveAndDarkBelowIsNotTheSame) {
  // Two sunsets: the same strong gradient, and details of their own.
  Thumbnail a{};
  Thumbnail b{};
  Rng rng(40);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto slope = static_cast<std::uint8_t>(230 - i / 64 * 3);
    a[i] = static_cast<std::uint8_t>(slope + rng.below(12));
    b[i] = static_cast<std::uint8_t>(slope + rng.below(12));
  }
  const Alignment alignment = align(sized(a), sized(b));
  EXPECT_LT(alignment.score, 0.5);
}

TEST(Alignment, FlatPicturesHaveNothingInCommon) {
  Thumbnail flat{};
  flat.fill(200);
  Thumbnail other = flat;
  other.fill(17);
  const Thumbnail texture = Texture(41).seen(kIdentity);
  for (const auto& [a, b] : {std::pair(flat, flat), {flat, other}, {flat, texture}}) {
    const Alignment alignment = align(sized(a), sized(b));
    EXPECT_EQ(alignment.correlation, 0);
    EXPECT_EQ(alignment.score, 0);
    EXPECT_FALSE(alignment.converged);
  }
}

TEST(Alignment, TheOrderOfTheTwoDoesNotMatter) {
  for (std::uint64_t seed = 50; seed < 56; ++seed) {
    const Thumbnail a = Texture(seed).seen(kIdentity);
    const Thumbnail b = Texture(seed + seed % 2).seen(turned(4, 0.93));
    for (int o = 0; o < kOrientations; ++o) {
      const std::array<int, 1> there = {o};
      const std::array<int, 1> back = {inverse_orientation(o)};
      const Thumbnail turned_b = oriented(b, o);
      const Alignment one = align(sized(a), sized(turned_b), there);
      const Alignment two = align(sized(turned_b), sized(a), back);
      EXPECT_EQ(one.score, two.score);
      EXPECT_EQ(one.correlation, two.correlation);
      EXPECT_NEAR(one.overlap_a, two.overlap_b, 2e-6);
      const Affine round = compose(compose(two.a_to_b, orientation_map(back[0])),
                                   compose(one.a_to_b, orientation_map(o)));
      expect_near(round, kIdentity, 1e-9);
    }
  }
}

TEST(Alignment, TheBestOrientationIsFound) {
  const Texture texture(60);
  const Thumbnail a = texture.seen(kIdentity);
  std::array<int, kOrientations> all{};
  std::iota(all.begin(), all.end(), 0);
  for (int o = 0; o < kOrientations; ++o) {
    const Thumbnail b = oriented(texture.seen(turned(3, 0.95)), o);
    const Alignment alignment = align(sized(a), sized(b), all);
    EXPECT_EQ(alignment.orientation, o);
    EXPECT_GE(alignment.score, kSamePicture);
  }
}

// The map of places must say where each pixel went.
TEST(Placement, OrientationMapsMovePlacesAsPixels) {
  for (int o = 0; o < kOrientations; ++o) {
    Thumbnail t{};
    t[10 * 64 + 3] = 255;
    const Thumbnail moved = oriented(t, o);
    const Point place = mapped(orientation_map(o), {3.5 / 64, 10.5 / 64});
    const auto x = static_cast<std::size_t>(place.x * 64);
    const auto y = static_cast<std::size_t>(place.y * 64);
    EXPECT_EQ(moved[y * 64 + x], 255) << o;
  }
}

TEST(Placement, FrameOfACropInAllOrientations) {
  const Texture texture(61);
  const Thumbnail a = texture.seen(kIdentity);
  const Affine shown = {0.9, 0, 0.02, 0, 0.8, 0.15};
  for (int o = 0; o < kOrientations; ++o) {
    SCOPED_TRACE(o);
    const Thumbnail b = oriented(texture.seen(shown), o);
    const bool lying = o % 2 == 1;
    const SizedThumbnail first = sized(a, 1000, 500);
    const SizedThumbnail second = sized(b, lying ? 800 : 1800, lying ? 1800 : 800);
    const std::array<int, 1> there = {o};
    const Placement placement = placement_of(align(first, second, there), first, second);
    EXPECT_EQ(placement.mirrored, o >= 4);
    const std::array<double, 4> turns = {0, 90, 180, -90};
    double difference = placement.turned - turns[static_cast<std::size_t>(o % 4)];
    if (difference < -180) difference += 360;
    EXPECT_NEAR(difference, 0, 1);
    EXPECT_NEAR(placement.scale, 2, 0.02);
    EXPECT_NEAR(placement.covered_a, 0.72, 0.01);
    EXPECT_NEAR(placement.covered_b, 1, 0.01);
    // Where the upper left corner of b, the next clockwise, and so on were before it was turned.
    const std::array<Point, 4> corners = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Point expected =
          mapped(shown, mapped(orientation_map(inverse_orientation(o)), corners[i]));
      EXPECT_NEAR(placement.frame_of_b[i].x, expected.x, 0.01);
      EXPECT_NEAR(placement.frame_of_b[i].y, expected.y, 0.01);
    }
    EXPECT_EQ(placement.a_to_b[6], 0);
    EXPECT_EQ(placement.a_to_b[7], 0);
    EXPECT_EQ(placement.a_to_b[8], 1);
  }
}

TEST(Affine, CoveredShareIsTheAreaOfTheFrameWithinThePicture) {
  EXPECT_EQ(covered_share(kIdentity), 1);
  EXPECT_NEAR(covered_share({2, 0, -0.5, 0, 2, -0.5}), 0.25, 1e-12);
  EXPECT_NEAR(covered_share({1, 0, 0.25, 0, 1, 0}), 0.75, 1e-12);
  EXPECT_EQ(covered_share({1, 0, 5, 0, 1, 0}), 0);
  // A square on its corner within another: an octagon.
  EXPECT_NEAR(covered_share(turned(45)), 2 * (std::sqrt(2.0) - 1), 1e-9);
}

}  // namespace
}  // namespace twinsift
