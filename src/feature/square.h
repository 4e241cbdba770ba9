// SPDX-License-Identifier: Apache-2.0
// A picture of any shape as a square of any side, in grey or in colour: what networks look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twinsift {

// Pixels row by row, `channels` bytes each, without gaps.
struct PixelView {
  std::span<const std::uint8_t> bytes;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::size_t channels = 1;
};

// Each pixel is the mean of those of the picture that it touches.  Requires: no size is 0.
std::vector<std::uint8_t> square_of(const PixelView& picture, std::size_t side);

}  // namespace twinsift
