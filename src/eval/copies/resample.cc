// SPDX-License-Identifier: Apache-2.0
// Scaling and turning.
//
// Scaling counts in parts of a pixel: if W pixels become w, then each old one has w parts and each
// new one W, so that every overlap is a whole number and the means are exact.
#include <algorithm>
#include <cmath>

#include "eval/copies/transforms.h"

namespace twinsift {
namespace {

std::uint32_t scaled_side(std::uint32_t side, std::uint32_t percent) {
  return static_cast<std::uint32_t>(
      std::max<std::uint64_t>(1, (std::uint64_t{side} * percent + 50) / 100));
}

// Calls add(old, parts) for each old pixel that overlaps the new one.
template <class Add>
void for_each_overlap(std::uint32_t target, std::uint64_t old_side, std::uint64_t new_side,
                      Add add) {
  const std::uint64_t begin = target * old_side;
  const std::uint64_t end = begin + old_side;
  for (std::uint64_t old = begin / new_side; old * new_side < end; ++old) {
    const std::uint64_t from = std::max(begin, old * new_side);
    const std::uint64_t to = std::min(end, (old + 1) * new_side);
    add(static_cast<std::uint32_t>(old), to - from);
  }
}

std::uint8_t mix(const std::uint8_t* corners[4], unsigned across, unsigned down, unsigned c) {
  const unsigned above = corners[0][c] * (256 - across) + corners[1][c] * across;
  const unsigned below = corners[2][c] * (256 - across) + corners[3][c] * across;
  return static_cast<std::uint8_t>((above * (256 - down) + below * down + (1U << 15U)) >> 16U);
}

// The bilinear mixture at a place that lies in the picture; centres of pixels are whole numbers.
void sample(const RgbImage& image, double x, double y, std::uint8_t* out) {
  const auto fixed_x = static_cast<std::int64_t>(std::floor(x * 256 + 0.5));
  const auto fixed_y = static_cast<std::int64_t>(std::floor(y * 256 + 0.5));
  const auto inside = [](std::int64_t place, std::uint32_t side) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(place, 0, side - 1));
  };
  const std::uint32_t left = inside(fixed_x >> 8, image.width);
  const std::uint32_t right = inside((fixed_x >> 8) + 1, image.width);
  const std::uint32_t top = inside(fixed_y >> 8, image.height);
  const std::uint32_t bottom = inside((fixed_y >> 8) + 1, image.height);
  const std::uint8_t* corners[4] = {image.at(left, top), image.at(right, top),
                                    image.at(left, bottom), image.at(right, bottom)};
  const auto across = static_cast<unsigned>(fixed_x & 255);
  const auto down = static_cast<unsigned>(fixed_y & 255);
  for (unsigned c = 0; c < 3; ++c) out[c] = mix(corners, across, down, c);
}

}  // namespace

RgbImage scaled(const RgbImage& image, std::uint32_t percent) {
  RgbImage out(scaled_side(image.width, percent), scaled_side(image.height, percent));
  std::vector<std::uint64_t> sums(std::size_t{3} * out.width);
  const std::uint64_t whole = std::uint64_t{image.width} * image.height;
  for (std::uint32_t y = 0; y < out.height; ++y) {
    std::ranges::fill(sums, 0);
    for_each_overlap(y, image.height, out.height, [&](std::uint32_t row, std::uint64_t down) {
      for (std::uint32_t x = 0; x < out.width; ++x) {
        for_each_overlap(x, image.width, out.width,
                         [&](std::uint32_t column, std::uint64_t across) {
                           const std::uint8_t* pixel = image.at(column, row);
                           for (std::size_t c = 0; c < 3; ++c)
                             sums[3 * x + c] += pixel[c] * across * down;
                         });
      }
    });
    for (std::size_t i = 0; i < sums.size(); ++i) {
      out.at(0, y)[i] = static_cast<std::uint8_t>((sums[i] + whole / 2) / whole);
    }
  }
  return out;
}

RgbImage rotated(const RgbImage& image, Angle angle) {
  RgbImage out(image.width, image.height);
  const double centre_x = (image.width - 1) / 2.0;
  const double centre_y = (image.height - 1) / 2.0;
  for (std::uint32_t row = 0; row < out.height; ++row) {
    for (std::uint32_t column = 0; column < out.width; ++column) {
      const double dx = column - centre_x;
      const double dy = row - centre_y;
      const double x = angle.cosine * dx + angle.sine * dy + centre_x;
      const double y = angle.cosine * dy - angle.sine * dx + centre_y;
      const bool inside =
          x >= -0.5 && y >= -0.5 && x <= image.width - 0.5 && y <= image.height - 0.5;
      if (inside) sample(image, x, y, out.at(column, row));
    }
  }
  return out;
}

}  // namespace twinsift
