// SPDX-License-Identifier: Apache-2.0
#include "feature/shrink.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

GreyImage noise(std::uint32_t width, std::uint32_t height) {
  GreyImage image{std::vector<std::uint8_t>(std::size_t{width} * height), width, height};
  Rng rng(width * 1000 + height);
  for (std::uint8_t& pixel : image.pixels) pixel = static_cast<std::uint8_t>(rng.next() >> 56U);
  return image;
}

// The mean over a rectangle with real borders, in the plainest way.
double mean(const GreyImage& image, double x0, double x1, double y0, double y1) {
  double sum = 0;
  for (std::uint32_t y = 0; y < image.height; ++y) {
    for (std::uint32_t x = 0; x < image.width; ++x) {
      const double wide = std::min<double>(x + 1, x1) - std::max<double>(x, x0);
      const double high = std::min<double>(y + 1, y1) - std::max<double>(y, y0);
      if (wide > 0 && high > 0) sum += wide * high * image.pixels[std::size_t{y} * image.width + x];
    }
  }
  return sum / ((x1 - x0) * (y1 - y0));
}

TEST(Shrink, EachPixelIsTheMeanOfWhatItCovers) {
  for (const auto& [width, height] : {std::pair(64U, 48U), {101U, 67U}, {3U, 200U}, {200U, 1U}}) {
    const GreyImage image = noise(width, height);
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
  const GreyImage image = noise(30, 40);
  EXPECT_EQ(shrunk(image.view(), 40).pixels, image.pixels);
  EXPECT_EQ(shrunk(image.view(), 39).height, 39U);
}

}  // namespace
}  // namespace twinsift
