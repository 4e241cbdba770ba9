// SPDX-License-Identifier: Apache-2.0
// A picture in memory, as the copy set is made of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace twinsift {

// Three bytes a pixel, row by row from the top.
struct RgbImage {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> bytes;

  RgbImage() = default;
  // Black.
  RgbImage(std::uint32_t columns, std::uint32_t rows)
      : width(columns), height(rows), bytes(std::size_t{3} * columns * rows) {}

  // The three bytes of a pixel.
  [[nodiscard]] std::uint8_t* at(std::uint32_t x, std::uint32_t y) {
    return bytes.data() + 3 * (std::size_t{y} * width + x);
  }
  [[nodiscard]] const std::uint8_t* at(std::uint32_t x, std::uint32_t y) const {
    return bytes.data() + 3 * (std::size_t{y} * width + x);
  }
  friend bool operator==(const RgbImage&, const RgbImage&) = default;
};

}  // namespace twinsift
