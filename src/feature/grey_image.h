// SPDX-License-Identifier: Apache-2.0
// Grey pixels: what the features of pictures are computed from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twinsift {

// Row by row from the top, without gaps: width * height bytes.
struct GreyView {
  std::span<const std::uint8_t> pixels;
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  [[nodiscard]] std::span<const std::uint8_t> row(std::uint32_t y) const {
    return pixels.subspan(std::size_t{y} * width, width);
  }
};

struct GreyImage {
  std::vector<std::uint8_t> pixels;
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  [[nodiscard]] GreyView view() const { return {pixels, width, height}; }
};

}  // namespace twinsift
