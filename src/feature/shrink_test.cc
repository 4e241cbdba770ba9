// SPDX-License-Identifier: Apache-2.0
#include "feature/shrink.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "feature/test_grey.h"

namespace twinsift {
namespace {

TEST(Shrink, EachPixelIsTheMeanOfWhatItCovers) {
  for (const auto& [width, height] : {std::pair(64U, 48U), {101U, 67U}, {3U, 200U}, {200U, 1U}}) {
    const GreyImage image = grey_noise(width, height);
    const GreyImage small = shrunk(image.view(), 40);
    EXPECT_EQ(std::max(small.width, small.height), 40U);
    const double step_x = width / double(small.width);
    const double step_y = height / double(small.height);
    for (std::uint32_t y = 0; y < small.height; ++y) {
      for (std::uint32_t x = 0; x < small.width; x += 3) {
        const double expected =
            mean(image, x * step_x, (x + 1) * step_x, y * step_y, (y + 1) * step_y);
        EXPECT_NEAR(small.pixels[std::size_t{y} * small.width + x], expected, 0.5 + 1e-9);
      }
    }
  }
}

TEST(Shrink, WhatIsSmallStaysAsItIs) {
  const GreyImage image = grey_noise(30, 40);
  EXPECT_EQ(shrunk(image.view(), 40).pixels, image.pixels);
  EXPECT_EQ(shrunk(image.view(), 39).height, 39U);
}

}  // namespace
}  // namespace twinsift
