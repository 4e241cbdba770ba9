// SPDX-License-Identifier: Apache-2.0
#include "eval/copies/transforms.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "eval/copies/test_photo.h"

namespace twinsift {
namespace {

using Pixel = std::array<int, 3>;

Pixel pixel(const RgbImage& image, std::uint32_t x, std::uint32_t y) {
  const std::uint8_t* at = image.at(x, y);
  return {at[0], at[1], at[2]};
}

RgbImage uniform(std::uint32_t width, std::uint32_t height, std::uint8_t value) {
  RgbImage image(width, height);
  std::ranges::fill(image.bytes, value);
  return image;
}

// The pixels of a small picture have their own coordinates as values.
RgbImage numbered(std::uint32_t width, std::uint32_t height) {
  RgbImage image(width, height);
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      image.at(x, y)[0] = static_cast<std::uint8_t>(x);
      image.at(x, y)[1] = static_cast<std::uint8_t>(y);
    }
  }
  return image;
}

TEST(Crop, CutsAwayTheShareOfTheSurfaceAndKeepsTheProportions) {
  const RgbImage photo = draw_photo(200, 120, 1);
  for (const double share : {0.1, 0.2, 0.5}) {
    const RgbImage out = cropped(photo, share, 5);
    EXPECT_NEAR(double{1} * out.width * out.height / (200 * 120), 1 - share, 0.01);
    EXPECT_NEAR(double{1} * out.width / out.height, 200.0 / 120, 0.02);
  }
  EXPECT_EQ(cropped(uniform(1, 1, 7), 0.5, 1), uniform(1, 1, 7));
}

TEST(Crop, LeavesThePixelsWhereTheyAreAndLiesOffTheCentre) {
  const RgbImage photo = numbered(200, 120);
  std::set<Pixel> corners;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RgbImage out = cropped(photo, 0.2, seed);
    const Pixel first = pixel(out, 0, 0);
    corners.insert(first);
    EXPECT_EQ(pixel(out, 50, 40), (Pixel{first[0] + 50, first[1] + 40, 0}));
    const int room = 200 - static_cast<int>(out.width);
    EXPECT_TRUE(first[0] <= room / 3 || first[0] >= room - room / 3) << first[0];
  }
  EXPECT_GT(corners.size(), 20U);
}

TEST(Mirror, ExchangesLeftAndRight) {
  const RgbImage out = mirrored(numbered(5, 3));
  EXPECT_EQ(pixel(out, 0, 1), (Pixel{4, 1, 0}));
  EXPECT_EQ(pixel(out, 4, 2), (Pixel{0, 2, 0}));
  EXPECT_EQ(mirrored(out), numbered(5, 3));
}

TEST(QuarterTurn, IsClockwiseAndFourOfThemAreNone) {
  const RgbImage photo = numbered(5, 3);
  const RgbImage out = quarter_turned(photo);
  EXPECT_EQ(out.width, 3U);
  EXPECT_EQ(out.height, 5U);
  EXPECT_EQ(pixel(out, 2, 0), (Pixel{0, 0, 0}));  // the upper left corner is now the right one
  EXPECT_EQ(pixel(out, 2, 4), (Pixel{4, 0, 0}));
  EXPECT_EQ(quarter_turned(quarter_turned(quarter_turned(out))), photo);
}

TEST(Border, IsWhiteAndAnEighthOfTheShorterSide) {
  const RgbImage out = bordered(numbered(40, 16));
  EXPECT_EQ(out.width, 44U);
  EXPECT_EQ(out.height, 20U);
  EXPECT_EQ(pixel(out, 1, 10), (Pixel{255, 255, 255}));
  EXPECT_EQ(pixel(out, 43, 19), (Pixel{255, 255, 255}));
  EXPECT_EQ(pixel(out, 2, 2), (Pixel{0, 0, 0}));
  EXPECT_EQ(pixel(out, 41, 17), (Pixel{39, 15, 0}));
}

TEST(Scale, TakesExactMeansOfWhatEachPixelCovers) {
  RgbImage four(4, 1);
  for (std::uint32_t x = 0; x < 4; ++x) four.at(x, 0)[0] = static_cast<std::uint8_t>(60 * x);
  const RgbImage half = scaled(four, 50);  // one row stays one
  ASSERT_EQ(half.width, 2U);
  EXPECT_EQ(pixel(half, 0, 0)[0], 30);
  EXPECT_EQ(pixel(half, 1, 0)[0], 150);
  const RgbImage three = scaled(four, 75);  // 4/3 of an old pixel each
  ASSERT_EQ(three.width, 3U);
  EXPECT_EQ(pixel(three, 0, 0)[0], 15);   // (0 + 60/3) / (4/3)
  EXPECT_EQ(pixel(three, 1, 0)[0], 90);   // (60 * 2/3 + 120 * 2/3) / (4/3)
  EXPECT_EQ(pixel(three, 2, 0)[0], 165);  // (120/3 + 180) / (4/3)
}

TEST(Scale, KeepsMeansAndTheWholeOfAPictureThatStays) {
  const RgbImage photo = draw_photo(120, 80, 2);
  EXPECT_EQ(scaled(photo, 100), photo);
  for (const std::uint32_t percent : {25U, 50U, 75U}) {
    const RgbImage out = scaled(photo, percent);
    EXPECT_EQ(out.width, 120 * percent / 100);
    EXPECT_EQ(out.height, 80 * percent / 100);
    EXPECT_NEAR(mean_of(out), mean_of(photo), 0.3);  // halves are rounded up
  }
  EXPECT_EQ(scaled(uniform(1, 1, 9), 25), uniform(1, 1, 9));
}

TEST(Rotate, TurnsClockwiseAboutTheCentreWithBlackCorners) {
  RgbImage photo = uniform(101, 101, 200);
  std::fill_n(photo.at(90, 50), 3, std::uint8_t{0});  // 40 to the right of the centre
  const RgbImage out = rotated(photo, kTwentyFiveDegrees);
  EXPECT_EQ(out.width, 101U);
  EXPECT_EQ(pixel(out, 50, 50), (Pixel{200, 200, 200}));
  EXPECT_LT(pixel(out, 86, 67)[0], 150);  // 40 * (cos 25, sin 25) = (36.3, 16.9)
  for (const std::uint32_t corner : {0U, 100U}) {
    EXPECT_EQ(pixel(out, corner, corner), (Pixel{0, 0, 0}));
    EXPECT_EQ(pixel(out, corner, 100 - corner), (Pixel{0, 0, 0}));
  }
  EXPECT_EQ(rotated(photo, Angle{}), photo);
}

TEST(Rotate, TheAnglesAreWhatTheyAreCalled) {
  constexpr double kDegree = 3.14159265358979323846 / 180;
  EXPECT_NEAR(kFiveDegrees.cosine, std::cos(5 * kDegree), 1e-15);
  EXPECT_NEAR(kFiveDegrees.sine, std::sin(5 * kDegree), 1e-15);
  EXPECT_NEAR(kTwentyFiveDegrees.cosine, std::cos(25 * kDegree), 1e-15);
  EXPECT_NEAR(kTwentyFiveDegrees.sine, std::sin(25 * kDegree), 1e-15);
}

TEST(Blur, SpreadsAPointAsTheNormalDistributionDoes) {
  RgbImage point(41, 41);
  std::fill_n(point.at(20, 20), 3, std::uint8_t{255});
  const RgbImage out = blurred(point, 1);
  EXPECT_NEAR(pixel(out, 20, 20)[0], 255 / (2 * 3.14159), 1);
  EXPECT_NEAR(pixel(out, 21, 20)[0], 255 / (2 * 3.14159) * std::exp(-0.5), 1);
  EXPECT_EQ(pixel(out, 21, 20), pixel(out, 20, 19));
  EXPECT_EQ(pixel(out, 25, 20)[0], 0);
  const RgbImage photo = draw_photo(120, 80, 2);
  for (const double sigma : {1.0, 3.0}) {
    EXPECT_NEAR(mean_of(blurred(photo, sigma)), mean_of(photo), 1);
    EXPECT_EQ(blurred(uniform(20, 3, 77), sigma), uniform(20, 3, 77));
  }
}

TEST(Noise, HasTheSigmaThatWasAskedForAndItsSeed) {
  const RgbImage flat = uniform(100, 100, 128);
  for (const double sigma : {10.0, 25.0}) {
    const RgbImage out = noisy(flat, sigma, 3);
    double sum = 0;
    double squares = 0;
    for (const std::uint8_t sample : out.bytes) {
      sum += sample - 128;
      squares += (sample - 128) * (sample - 128);
    }
    const auto n = static_cast<double>(out.bytes.size());
    EXPECT_NEAR(sum / n, 0, 4 * sigma / std::sqrt(n));
    EXPECT_NEAR(std::sqrt(squares / n), sigma, 4 * sigma / std::sqrt(2 * n));
    EXPECT_EQ(noisy(flat, sigma, 3), out);
    EXPECT_NE(noisy(flat, sigma, 4), out);
  }
  const RgbImage white = noisy(uniform(50, 50, 255), 25, 1);  // clamped, not wrapped
  EXPECT_GT(*std::ranges::min_element(white.bytes), 100);
}

TEST(Brightness, IsTwelveTenthsAndFifteen) {
  EXPECT_EQ(brightened(uniform(2, 2, 0)), uniform(2, 2, 15));
  EXPECT_EQ(brightened(uniform(2, 2, 100)), uniform(2, 2, 135));
  EXPECT_EQ(brightened(uniform(2, 2, 101)), uniform(2, 2, 136));  // 136.2
  EXPECT_EQ(brightened(uniform(2, 2, 250)), uniform(2, 2, 255));
}

TEST(Grey, IsTheLumaInAllThreeBytes) {
  RgbImage photo(1, 1);
  photo.bytes = {200, 100, 50};
  EXPECT_EQ(pixel(grey(photo), 0, 0), (Pixel{124, 124, 124}));  // 59.8 + 58.7 + 5.7
  EXPECT_EQ(grey(uniform(3, 3, 255)), uniform(3, 3, 255));
}

}  // namespace
}  // namespace twinsift
