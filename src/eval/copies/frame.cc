// SPDX-License-Identifier: Apache-2.0
// Transforms that move pixels and compute none.
#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "eval/copies/transforms.h"

namespace twinsift {
namespace {

std::uint32_t kept_side(std::uint32_t side, double share) {
  const double kept = std::floor(side * std::sqrt(1 - share) + 0.5);  // the same everywhere
  return std::clamp(static_cast<std::uint32_t>(kept), 1U, side);
}

// Somewhere in the first or the last third of the room there is.
std::uint32_t off_centre(std::uint32_t room, Rng& random) {
  const bool last = (random.next() & 1U) != 0;
  const std::uint32_t from_edge = random.below(room / 3 + 1);
  return last ? room - from_edge : from_edge;
}

}  // namespace

RgbImage cropped(const RgbImage& image, double share, std::uint64_t seed) {
  RgbImage out(kept_side(image.width, share), kept_side(image.height, share));
  Rng random(seed);
  const std::uint32_t left = off_centre(image.width - out.width, random);
  const std::uint32_t top = off_centre(image.height - out.height, random);
  for (std::uint32_t y = 0; y < out.height; ++y) {
    std::copy_n(image.at(left, top + y), std::size_t{3} * out.width, out.at(0, y));
  }
  return out;
}

RgbImage mirrored(const RgbImage& image) {
  RgbImage out(image.width, image.height);
  for (std::uint32_t y = 0; y < out.height; ++y) {
    for (std::uint32_t x = 0; x < out.width; ++x) {
      std::copy_n(image.at(image.width - 1 - x, y), 3, out.at(x, y));
    }
  }
  return out;
}

RgbImage quarter_turned(const RgbImage& image) {
  RgbImage out(image.height, image.width);
  for (std::uint32_t y = 0; y < out.height; ++y) {
    for (std::uint32_t x = 0; x < out.width; ++x) {
      std::copy_n(image.at(y, image.height - 1 - x), 3, out.at(x, y));
    }
  }
  return out;
}

RgbImage bordered(const RgbImage& image) {
  const std::uint32_t border = std::min(image.width, image.height) / 8;
  RgbImage out(image.width + 2 * border, image.height + 2 * border);
  std::ranges::fill(out.bytes, std::uint8_t{255});
  for (std::uint32_t y = 0; y < image.height; ++y) {
    std::copy_n(image.at(0, y), std::size_t{3} * image.width, out.at(border, border + y));
  }
  return out;
}

}  // namespace twinsift
