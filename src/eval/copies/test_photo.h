// SPDX-License-Identifier: Apache-2.0
// Photos for tests, drawn by whole numbers alone.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "eval/copies/rgb_image.h"

namespace twinsift {

// Patches of many sizes and colours on a ramp; another picture for each seed.
inline RgbImage draw_photo(std::uint32_t width, std::uint32_t height, std::uint64_t seed) {
  RgbImage image(width, height);
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      std::uint8_t* pixel = image.at(x, y);
      pixel[0] = static_cast<std::uint8_t>(40 + 150 * x / width);
      pixel[1] = static_cast<std::uint8_t>(60 + 120 * y / height);
      pixel[2] = static_cast<std::uint8_t>(200 - 100 * (x + y) / (width + height));
    }
  }
  Rng random(seed);
  for (std::uint32_t i = 0; i < 60; ++i) {
    const std::uint32_t columns = 1 + random.below(width / (2 + i / 6) + 1);
    const std::uint32_t rows = 1 + random.below(height / (2 + i / 6) + 1);
    const std::uint32_t left = random.below(width);
    const std::uint32_t top = random.below(height);
    const std::uint32_t colour = random.below(1U << 24U);
    for (std::uint32_t y = top; y < height && y < top + rows; ++y) {
      for (std::uint32_t x = left; x < width && x < left + columns; ++x) {
        for (std::uint32_t c = 0; c < 3; ++c) {
          const unsigned paint = (colour >> (8 * c)) & 255U;
          image.at(x, y)[c] = static_cast<std::uint8_t>((image.at(x, y)[c] + 3 * paint) / 4);
        }
      }
    }
  }
  return image;
}

inline double mean_of(const RgbImage& image) {
  double sum = 0;
  for (const std::uint8_t sample : image.bytes) sum += sample;
  return sum / static_cast<double>(image.bytes.size());
}

}  // namespace twinsift
