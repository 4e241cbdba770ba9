// SPDX-License-Identifier: Apache-2.0
// Arithmetic on 8-bit pixels.  Transparency is laid on white, as a page or a viewer would show it;
// so a picture and its flattened copy have the same pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace twinsift {

using Pixels = std::span<const std::uint8_t>;
using MutablePixels = std::span<std::uint8_t>;

// a * b / 255, rounded.
constexpr std::uint8_t scale8(unsigned a, unsigned b) {
  return static_cast<std::uint8_t>((a * b + 127) / 255);
}
constexpr std::uint8_t on_white(unsigned value, unsigned alpha) {
  return static_cast<std::uint8_t>((value * alpha + 255 * (255 - alpha) + 127) / 255);
}
// A sample of 0..max as 0..255.
constexpr std::uint8_t to_8_bits(std::uint32_t value, std::uint32_t max) {
  const std::uint64_t limited = value < max ? value : max;
  return static_cast<std::uint8_t>((limited * 255 + max / 2) / max);
}

// The luma of ITU-R BT.601, as in the Y of a JPEG, so that a JPEG and its PNG copy agree.
constexpr std::uint8_t luma(unsigned r, unsigned g, unsigned b) {
  return static_cast<std::uint8_t>((19595 * r + 38470 * g + 7471 * b + 32768) >> 16U);
}

inline void grey_from_rgb(Pixels rgb, MutablePixels grey) {
  for (std::size_t i = 0; i < grey.size(); ++i) {
    grey[i] = luma(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
  }
}

inline void rgb_from_grey(Pixels grey, MutablePixels rgb) {
  for (std::size_t i = 0; i < grey.size(); ++i) {
    rgb[3 * i] = rgb[3 * i + 1] = rgb[3 * i + 2] = grey[i];
  }
}

inline void rgb_from_rgba(Pixels rgba, MutablePixels rgb) {
  for (std::size_t i = 0; i < rgb.size() / 3; ++i) {
    const unsigned alpha = rgba[4 * i + 3];
    for (std::size_t c = 0; c < 3; ++c) rgb[3 * i + c] = on_white(rgba[4 * i + c], alpha);
  }
}

inline void grey_from_grey_alpha(Pixels pairs, MutablePixels grey) {
  for (std::size_t i = 0; i < grey.size(); ++i) {
    grey[i] = on_white(pairs[2 * i], pairs[2 * i + 1]);
  }
}

// Printers' inks without a profile: each takes its share of the light.  `inverted` as Adobe
// stores them in JPEG: 255 is no ink.
inline void rgb_from_cmyk(Pixels cmyk, bool inverted, MutablePixels rgb) {
  const unsigned flip = inverted ? 0 : 255;
  for (std::size_t i = 0; i < rgb.size() / 3; ++i) {
    const unsigned k = cmyk[4 * i + 3] ^ flip;
    for (std::size_t c = 0; c < 3; ++c) rgb[3 * i + c] = scale8(cmyk[4 * i + c] ^ flip, k);
  }
}

// Adds each pixel to the sum of the box it falls into.
inline void add_boxes(Pixels row, std::uint32_t box, std::uint32_t channels,
                      std::span<std::uint32_t> sums) {
  std::size_t in = 0;
  for (std::size_t out = 0; out < sums.size(); out += channels) {
    for (std::uint32_t i = 0; i < box && in < row.size(); ++i) {
      for (std::uint32_t c = 0; c < channels; ++c) sums[out + c] += row[in++];
    }
  }
}

}  // namespace twinsift
