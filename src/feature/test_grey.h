// SPDX-License-Identifier: Apache-2.0
// Grey pictures for tests, and what their rectangles are like.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/random.h"
#include "feature/grey_image.h"

namespace twinsift {

inline GreyImage grey_noise(std::uint32_t width, std::uint32_t height) {
  GreyImage image{std::vector<std::uint8_t>(std::size_t{width} * height), width, height};
  Rng rng(width * 1000 + height);
  for (std::uint8_t& pixel : image.pixels) pixel = static_cast<std::uint8_t>(rng.next() >> 56U);
  return image;
}

// The mean over a rectangle with real borders, in the plainest way.
inline double mean(const GreyImage& image, double x0, double x1, double y0, double y1) {
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

}  // namespace twinsift
