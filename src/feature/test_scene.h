// SPDX-License-Identifier: Apache-2.0
// Drawn pictures with places to find, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"
#include "feature/grey_image.h"

namespace twinsift {

// Both coordinates in pixels, from the middle of the first.
using GreyPaint = std::function<double(double x, double y)>;

inline GreyImage draw_grey(std::uint32_t width, std::uint32_t height, const GreyPaint& paint) {
  GreyImage image{.pixels = {}, .width = width, .height = height};
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      image.pixels.push_back(static_cast<std::uint8_t>(std::clamp(paint(x, y) + 0.5, 0.0, 255.0)));
    }
  }
  return image;
}

struct Blob {
  double x = 0;
  double y = 0;
  double sigma = 0;
  double height = 0;
  double stretch = 1;  // along x
};

inline double blob_at(const Blob& blob, double x, double y) {
  const double dx = (x - blob.x) / blob.stretch;
  const double dy = y - blob.y;
  const double reach = 6 * blob.sigma;
  if (dx > reach || dx < -reach || dy > reach || dy < -reach) return 0;
  const double t = (dx * dx + dy * dy) / (2 * blob.sigma * blob.sigma);
  return blob.height * std::exp(-t);
}

// Many blobs of all sizes, heights and shapes: nothing in it repeats.  For pictures of about
// `side`.
inline GreyPaint blob_scene(std::uint64_t seed, double side, int blobs = 150) {
  Rng rng(seed);
  std::vector<Blob> all;
  for (int i = 0; i < blobs; ++i) {
    all.push_back({.x = side * rng.uniform(),
                   .y = side * rng.uniform(),
                   .sigma = 2 + 8 * rng.uniform() * rng.uniform(),
                   .height = 160 * rng.uniform() - 80,
                   .stretch = 0.6 + 0.8 * rng.uniform()});
  }
  return [all](double x, double y) {
    double sum = 120;
    for (const Blob& blob : all) sum += blob_at(blob, x, y);
    return sum;
  };
}

}  // namespace twinsift
