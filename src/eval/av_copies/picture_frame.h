// SPDX-License-Identifier: Apache-2.0
// A frame of a film, and what people do to it, one function each.
//
// All are pure functions of their arguments; sums are whole numbers.  Cost: linear in the pixels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace twinsift {

// One byte for each sample of luma, or of a difference of colour.
struct Plane {
  Plane() = default;
  Plane(std::size_t columns, std::size_t lines, std::uint8_t value = 0)
      : width(columns), height(lines), bytes(columns * lines, value) {}

  [[nodiscard]] std::uint8_t* row(std::size_t y) { return bytes.data() + y * width; }
  [[nodiscard]] const std::uint8_t* row(std::size_t y) const { return bytes.data() + y * width; }

  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> bytes;
  friend bool operator==(const Plane&, const Plane&) = default;
};

// Luma of 16 to 235 and two planes of colour with half as many columns and rows.  Width and height
// are even.
struct PictureFrame {
  PictureFrame() = default;
  PictureFrame(std::size_t width, std::size_t height)  // black
      : planes{Plane(width, height, 16), Plane(width / 2, height / 2, 128),
               Plane(width / 2, height / 2, 128)} {}

  [[nodiscard]] std::size_t width() const { return planes[0].width; }
  [[nodiscard]] std::size_t height() const { return planes[0].height; }

  std::array<Plane, 3> planes;
  friend bool operator==(const PictureFrame&, const PictureFrame&) = default;
};

// The place is in 0..1 of what there is to choose from; it is rounded to even pixels.
// Requires: 0 < percent < 100.
PictureFrame cropped(const PictureFrame& frame, double percent, double place_x, double place_y);
PictureFrame letterboxed(const PictureFrame& frame);           // each bar a sixth of the height
PictureFrame mirrored(const PictureFrame& frame);              // left to right
PictureFrame turned(const PictureFrame& frame, int quarters);  // clockwise
PictureFrame brightened(const PictureFrame& frame);            // luma: 1.2 v + 15
// A Gaussian blur of sigma 2, then normally distributed noise.
PictureFrame blurred_noisy(const PictureFrame& frame, double sigma, std::uint64_t seed);
// A striped box that covers so many percent of the area; corners count clockwise from the upper
// left one.
PictureFrame with_logo(const PictureFrame& frame, double percent, unsigned corner);

}  // namespace twinsift
