// SPDX-License-Identifier: Apache-2.0
#include "feature/thumbnail.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "feature/test_grey.h"

namespace twinsift {
namespace {

TEST(Thumbnail, EachPixelIsTheMeanOfWhatItCovers) {
  for (const auto& [width, height] : {std::pair(64U, 64U), {1U, 1U}, {3U, 200U}, {125U, 94U}}) {
    const GreyImage image = grey_noise(width, height);
    const Thumbnail thumbnail = thumbnail_of(image.view());
    for (std::uint32_t y = 0; y < kThumbnailSide; y += 7) {
      for (std::uint32_t x = 0; x < kThumbnailSide; x += 9) {
        const double step_x = width / double{kThumbnailSide};
        const double step_y = height / double{kThumbnailSide};
        const double expected =
            mean(image, x * step_x, (x + 1) * step_x, y * step_y, (y + 1) * step_y);
        EXPECT_NEAR(thumbnail[y * kThumbnailSide + x], expected, 0.5 + 1e-9);
      }
    }
  }
}

TEST(Thumbnail, SmallPicturesAreWhatLargeOnesWouldBe) {
  for (const std::uint32_t width : {1U, 2U, 63U, 64U, 65U, 125U, 300U}) {
    for (const std::uint32_t height : {1U, 5U, 64U, 94U, 301U}) {
      const GreyImage image = grey_noise(width, height);
      EXPECT_EQ(thumbnail_of(image.view()), thumbnail_of_large(image.view()))
          << width << ' ' << height;
    }
  }
  // The largest sums there are, and one beyond them.
  for (const auto& [width, height] : {std::pair(1U << 22U, 1U), {1U, 1U << 22U}, {2048U, 2049U}}) {
    const GreyImage white{std::vector<std::uint8_t>(std::size_t{width} * height, 255), width,
                          height};
    const Thumbnail thumbnail = thumbnail_of(white.view());
    EXPECT_EQ(std::count(thumbnail.begin(), thumbnail.end(), 255), 64 * 64);
  }
}

TEST(Thumbnail, OrientationsAreThoseOfASquare) {
  const Thumbnail t = thumbnail_of(grey_noise(64, 64).view());
  EXPECT_EQ(oriented(t, 0), t);
  const auto at = [](const Thumbnail& o, std::uint32_t x, std::uint32_t y) {
    return o[y * 64 + x];
  };
  // Clockwise: what was on top is at the right.
  EXPECT_EQ(at(oriented(t, 1), 63, 5), at(t, 5, 0));
  EXPECT_EQ(at(oriented(t, 2), 60, 58), at(t, 3, 5));
  EXPECT_EQ(at(oriented(t, 4), 60, 5), at(t, 3, 5));
  EXPECT_EQ(oriented(t, 5), oriented(oriented(t, 4), 1));
  for (int o = 0; o < kOrientations; ++o) {
    EXPECT_EQ(oriented(oriented(t, o), inverse_orientation(o)), t) << o;
    for (int p = 0; p < o; ++p) EXPECT_NE(oriented(t, o), oriented(t, p));
  }
}

}  // namespace
}  // namespace twinsift
