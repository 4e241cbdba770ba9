// SPDX-License-Identifier: Apache-2.0
#include "feature/film_still.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "feature/test_grey.h"
#include "feature/test_scene.h"

namespace twinsift {
namespace {

FilmStill still(std::uint32_t width, std::uint32_t height, const GreyPaint& paint) {
  return still_of(draw_grey(width, height, paint).view());
}

TEST(FilmStill, IsTheMeanOfWhatEachPixelCovers) {
  for (const auto& [width, height] : {std::pair{37U, 301U}, {128U, 128U}, {200U, 131U}, {1U, 3U}}) {
    const GreyImage image = grey_noise(width, height);
    const FilmStill made = still_of(image.view());
    const double wide = double{1} * width / kStillSide;
    const double high = double{1} * height / kStillSide;
    for (std::uint32_t y = 0; y < kStillSide; y += 9) {
      for (std::uint32_t x = 0; x < kStillSide; x += 7) {
        const double expected = mean(image, x * wide, (x + 1) * wide, y * high, (y + 1) * high);
        EXPECT_NEAR(made[y * kStillSide + x], expected, 0.5001) << width << ' ' << x << ' ' << y;
      }
    }
  }
}

TEST(FilmStill, SmallPicturesAreWhatLargeOnesWouldBe) {
  for (const std::uint32_t width : {1U, 2U, 127U, 128U, 129U, 300U}) {
    for (const std::uint32_t height : {1U, 5U, 128U, 301U}) {
      const GreyImage image = grey_noise(width, height);
      EXPECT_EQ(still_of(image.view()), still_of_large(image.view())) << width << ' ' << height;
    }
  }
  // The largest sums there are, and one beyond them.
  for (const auto& [width, height] : {std::pair(1U << 22U, 1U), {1U, 1U << 22U}, {2048U, 2049U}}) {
    const GreyImage white{std::vector<std::uint8_t>(std::size_t{width} * height, 255), width,
                          height};
    const FilmStill made = still_of(white.view());
    EXPECT_EQ(std::count(made.begin(), made.end(), 255), 128 * 128);
  }
}

TEST(FilmStill, SeesBarsOfAnyLevelOnTwoSides) {
  const auto scene = blob_scene(3, 160);
  for (const double level : {0.0, 16.0, 120.0, 235.0}) {
    const auto made = still(
        160, 160, [&](double x, double y) { return y < 20 || y >= 140 ? level : scene(x, y); });
    const Bars bars = bars_of(made);
    EXPECT_EQ(bars.clear, (Sides{16, 16, 0, 0})) << level;
  }
}

TEST(FilmStill, SeesBarsOnAllSides) {
  const auto scene = blob_scene(3, 128);
  const auto made = still(128, 128, [&](double x, double y) {
    return y < 10 || y >= 118 || x < 20 || x >= 100 ? 16 : scene(x, y);
  });
  EXPECT_EQ(bars_of(made).clear, (Sides{10, 10, 20, 28}));
}

TEST(FilmStill, TakesNoSkyForABar) {
  const auto scene = blob_scene(4, 128);
  const auto made = still(128, 128, [&](double x, double y) { return y < 40 ? 200 : scene(x, y); });
  EXPECT_EQ(bars_of(made).possible[0], 0);
}

TEST(FilmStill, TakesNoPaperAroundWritingForABar) {
  const auto made = still(128, 128, [&](double x, double y) {
    return y > 50 && y < 70 && x > 30 && x < 98 && static_cast<int>(x / 6) % 2 == 0 ? 10 : 235;
  });
  EXPECT_EQ(bars_of(made).possible, (Sides{}));
}

TEST(FilmStill, FindsNothingClearInTheDark) {
  const Bars bars = bars_of(still(64, 64, [](double, double) { return 17; }));
  EXPECT_EQ(bars.clear, (Sides{}));
  EXPECT_EQ(bars.possible, (Sides{kWidestBar, kWidestBar, kWidestBar, kWidestBar}));
}

TEST(FilmStill, ShowsWhatLiesWithinBars) {
  const auto scene = blob_scene(5, 128);
  const auto with = still(
      128, 192, [&](double x, double y) { return y < 32 || y >= 160 ? 0 : scene(x, y - 32); });
  const auto without = still(128, 128, scene);
  const Sides bars = bars_of(with).possible;
  const Thumbnail a = within_bars(with, bars);
  const Thumbnail b = within_bars(without, {});
  double difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference += std::abs(int{a[i]} - int{b[i]});
  EXPECT_LT(difference / static_cast<double>(a.size()), 3);
}

}  // namespace
}  // namespace twinsift
