// SPDX-License-Identifier: Apache-2.0
// A picture squeezed into a square: each pixel of it is the mean of the rectangle that it covers.
//
// Whole rows are added up first, then their columns: what a column covers is the difference of what
// is left of its two borders.  Those sums may be too large for 32 bits, their difference is not.
//
// Cost: one multiplication and one addition a pixel, and a few operations for each of the square.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "feature/grey_image.h"

namespace twinsift {

// Sums of at most 255 times this fit into 31 bits.
inline bool can_be_squeezed(const GreyView& picture) {
  return std::uint64_t{picture.width} * picture.height <= 1U << 22U;
}

// Adds a row, each pixel so many times.  Requires: part <= 128, and as many sums as pixels or more.
void add_row(std::span<const std::uint8_t> pixels, std::uint32_t part,
             std::span<std::uint32_t> sums);

// A place on a side whose pixels are as long as the square has pixels.
struct SqueezeShare {
  std::uint32_t pixel = 0;
  std::uint32_t part = 0;
};

// Where the i-th pixel of the square begins: so many whole pixels, and a part of one.
template <std::uint32_t kSide>
std::array<SqueezeShare, kSide + 1> squeeze_borders(std::uint32_t length) {
  std::array<SqueezeShare, kSide + 1> borders{};
  for (std::uint32_t i = 0; i <= kSide; ++i) borders[i] = {i * length / kSide, i * length % kSide};
  return borders;
}

// Row by row from the top.  Requires: can_be_squeezed(picture), and neither side is 0.
template <std::uint32_t kSide>
std::array<std::uint8_t, std::size_t{kSide} * kSide> squeezed(const GreyView& picture) {
  static_assert(kSide <= 128);
  const auto columns = squeeze_borders<kSide>(picture.width);
  const auto rows = squeeze_borders<kSide>(picture.height);
  const double area = double{1} * picture.width * picture.height;
  const auto half = static_cast<std::int32_t>(picture.width * picture.height / 2);
  std::array<std::uint8_t, std::size_t{kSide} * kSide> square{};
  std::vector<std::uint32_t> sums(picture.width + std::size_t{1});  // the last stays 0
  std::vector<std::uint32_t> before(picture.width + std::size_t{1});
  for (std::uint32_t y = 0; y < kSide; ++y) {
    std::fill(sums.begin(), sums.end(), 0U);
    const SqueezeShare& top = rows[y];
    const SqueezeShare& bottom = rows[y + 1];
    for (std::uint32_t row = top.pixel; row <= bottom.pixel; ++row) {
      const std::uint32_t begin = row == top.pixel ? top.part : 0;
      const std::uint32_t end = row == bottom.pixel ? bottom.part : kSide;
      if (begin < end) add_row(picture.row(row), end - begin, sums);
    }
    for (std::size_t x = 0; x < picture.width; ++x) before[x + 1] = before[x] + sums[x];
    const auto left_of = [&](const SqueezeShare& border) {
      return kSide * before[border.pixel] + sums[border.pixel] * border.part;
    };
    std::array<std::int32_t, kSide> totals{};
    std::uint32_t left = 0;
    for (std::uint32_t x = 0; x < kSide; ++x) {
      const std::uint32_t right = left_of(columns[x + 1]);
      totals[x] = static_cast<std::int32_t>(right - left) + half;
      left = right;
    }
    // Truncated, a quotient of such numbers in double is that of integers, and far cheaper.
    for (std::uint32_t x = 0; x < kSide; ++x) {
      square[y * kSide + x] =
          static_cast<std::uint8_t>(static_cast<std::int32_t>(totals[x] / area));
    }
  }
  return square;
}

}  // namespace twinsift
