// SPDX-License-Identifier: Apache-2.0
// Draws pictures for tests, and compares them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "media/image/decoders.h"

namespace twinsift {

struct Drawing {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t channels = 3;  // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
  std::vector<std::uint8_t> pixels;

  [[nodiscard]] std::uint8_t& at(std::uint32_t x, std::uint32_t y, std::uint32_t c) {
    return pixels[(std::size_t{y} * width + x) * channels + c];
  }
  [[nodiscard]] std::uint8_t at(std::uint32_t x, std::uint32_t y, std::uint32_t c) const {
    return pixels[(std::size_t{y} * width + x) * channels + c];
  }
};

// Soft waves and one dark block near the left upper corner, so that no turn or mirror image of it
// looks the same; alpha falls from left to right.
inline Drawing draw(std::uint32_t width, std::uint32_t height, std::uint32_t channels) {
  Drawing drawing{width, height, channels, {}};
  drawing.pixels.resize(std::size_t{width} * height * channels);
  const std::uint32_t colours = channels < 3 ? 1 : 3;
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      const double u = x / static_cast<double>(width);
      const double v = y / static_cast<double>(height);
      const bool block = u > 0.1 && u < 0.4 && v > 0.1 && v < 0.3;
      for (std::uint32_t c = 0; c < colours; ++c) {
        const double wave = 140 + 50 * std::sin(5 * u + c) + 50 * std::cos(4 * v - c);
        drawing.at(x, y, c) = static_cast<std::uint8_t>(block ? 20 + 30 * c : wave);
      }
      if (channels % 2 == 0)
        drawing.at(x, y, channels - 1) = static_cast<std::uint8_t>(255 - 200 * u);
    }
  }
  return drawing;
}

// What a decoder should make of it: RGB on white.
inline Drawing flattened(const Drawing& drawing) {
  Drawing flat{drawing.width, drawing.height, 3, {}};
  flat.pixels.resize(std::size_t{flat.width} * flat.height * 3);
  for (std::uint32_t y = 0; y < flat.height; ++y) {
    for (std::uint32_t x = 0; x < flat.width; ++x) {
      const bool has_alpha = drawing.channels % 2 == 0;
      const double alpha = has_alpha ? drawing.at(x, y, drawing.channels - 1) / 255.0 : 1;
      for (std::uint32_t c = 0; c < 3; ++c) {
        const double value = drawing.at(x, y, drawing.channels < 3 ? 0 : c);
        flat.at(x, y, c) = static_cast<std::uint8_t>(value * alpha + 255 * (1 - alpha) + 0.5);
      }
    }
  }
  return flat;
}

inline Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// Decodes in this process.
inline Result<Picture> decode(PictureKind kind, std::string_view file,
                              const PictureRequest& request = {},
                              std::uint64_t pixels = std::uint64_t{1} << 28U) {
  return decode_picture(kind, bytes_of(file), request, pixels);
}

// The largest difference of any sample, or 256 if the sizes differ.
inline int difference(const Picture& picture, const Drawing& drawing) {
  if (picture.columns != drawing.width || picture.rows != drawing.height ||
      picture.channels != drawing.channels || picture.bytes.size() != drawing.pixels.size()) {
    return 256;
  }
  int most = 0;
  for (std::size_t i = 0; i < drawing.pixels.size(); ++i) {
    const int sample = static_cast<std::uint8_t>(picture.bytes[i]);
    most = std::max(most, std::abs(sample - drawing.pixels[i]));
  }
  return most;
}

inline double mean_difference(std::string_view a, std::string_view b) {
  double sum = a.size() == b.size() ? 0 : 1e9;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    sum += std::abs(static_cast<std::uint8_t>(a[i]) - static_cast<std::uint8_t>(b[i]));
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, a.size()));
}

inline std::string fact_of(const Picture& picture, std::string_view name) {
  for (const auto& [key, value] : picture.facts) {
    if (key == name) return value;
  }
  return "";
}

}  // namespace twinsift
