// SPDX-License-Identifier: Apache-2.0
// Made-up photos: leaves of many sizes and shades that cover one another, which have edges and
// contrasts as photos have them, and what people do to photos.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"

namespace twinsift::cli {

struct Scene {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> pixels;  // R, G, B

  Scene(std::uint32_t w, std::uint32_t h) : width(w), height(h), pixels(std::size_t{w} * h * 3) {}
  [[nodiscard]] std::uint8_t& at(std::uint32_t x, std::uint32_t y, std::uint32_t c) {
    return pixels[(std::size_t{y} * width + x) * 3 + c];
  }
  [[nodiscard]] std::uint8_t at(std::uint32_t x, std::uint32_t y, std::uint32_t c) const {
    return pixels[(std::size_t{y} * width + x) * 3 + c];
  }
};

// Pixel (x, y) of the result is `shade(x, y, c)`.
template <class Shade>
Scene shaded(std::uint32_t width, std::uint32_t height, Shade shade) {
  Scene scene(width, height);
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      for (std::uint32_t c = 0; c < 3; ++c) scene.at(x, y, c) = shade(x, y, c);
    }
  }
  return scene;
}

inline Scene leaves(std::uint64_t seed, std::uint32_t width = 320, std::uint32_t height = 240) {
  Rng rng(seed * 7919 + 1);
  Scene scene = shaded(width, height, [](auto, auto, auto) { return std::uint8_t{128}; });
  for (int leaf = 0; leaf < 500; ++leaf) {
    const double radius = 4 + 40 / (1 + 15 * rng.uniform());
    const double cx = rng.uniform() * width;
    const double cy = rng.uniform() * height;
    const double turn = 6.2832 * rng.uniform();
    const double flat = 0.4 + 0.6 * rng.uniform();
    const auto shade = static_cast<double>(rng.below(200) + 20);
    const std::uint32_t hue = rng.below(40);
    const double reach = radius + 1;
    const auto low = [](double v) { return static_cast<std::uint32_t>(std::max(0.0, v)); };
    for (std::uint32_t y = low(cy - reach); y < std::min<double>(height, cy + reach); ++y) {
      for (std::uint32_t x = low(cx - reach); x < std::min<double>(width, cx + reach); ++x) {
        const double u = (x - cx) * std::cos(turn) + (y - cy) * std::sin(turn);
        const double v = ((y - cy) * std::cos(turn) - (x - cx) * std::sin(turn)) / flat;
        if (u * u + v * v > radius * radius) continue;
        for (std::uint32_t c = 0; c < 3; ++c) {
          scene.at(x, y, c) =
              static_cast<std::uint8_t>(shade * (0.9 + 0.1 * u / radius) + hue / (c + 1));
        }
      }
    }
  }
  return scene;
}

inline Scene halved(const Scene& scene) {
  return shaded(scene.width / 2, scene.height / 2, [&](auto x, auto y, auto c) {
    return static_cast<std::uint8_t>((scene.at(2 * x, 2 * y, c) + scene.at(2 * x + 1, 2 * y, c) +
                                      scene.at(2 * x, 2 * y + 1, c) +
                                      scene.at(2 * x + 1, 2 * y + 1, c) + 2) /
                                     4);
  });
}

inline Scene mirrored(const Scene& scene) {
  return shaded(scene.width, scene.height,
                [&](auto x, auto y, auto c) { return scene.at(scene.width - 1 - x, y, c); });
}

// A quarter, clockwise.
inline Scene turned(const Scene& scene) {
  return shaded(scene.height, scene.width,
                [&](auto x, auto y, auto c) { return scene.at(y, scene.height - 1 - x, c); });
}

inline Scene cropped(const Scene& scene, std::uint32_t left, std::uint32_t top, std::uint32_t width,
                     std::uint32_t height) {
  return shaded(width, height,
                [&](auto x, auto y, auto c) { return scene.at(left + x, top + y, c); });
}

inline Scene bordered(const Scene& scene, std::uint32_t border, std::uint8_t shade) {
  return shaded(scene.width + 2 * border, scene.height + 2 * border, [&](auto x, auto y, auto c) {
    const bool inside =
        x >= border && x < scene.width + border && y >= border && y < scene.height + border;
    return inside ? scene.at(x - border, y - border, c) : shade;
  });
}

// Each pixel four times.
inline Scene doubled(const Scene& scene) {
  return shaded(2 * scene.width, 2 * scene.height,
                [&](auto x, auto y, auto c) { return scene.at(x / 2, y / 2, c); });
}

inline Scene brighter(const Scene& scene) {
  return shaded(scene.width, scene.height, [&](auto x, auto y, auto c) {
    return static_cast<std::uint8_t>(std::min(255.0, 1.2 * scene.at(x, y, c) + 15));
  });
}

inline Scene noisy(const Scene& scene, std::uint64_t seed) {
  Rng rng(seed);
  return shaded(scene.width, scene.height, [&](auto x, auto y, auto c) {
    return static_cast<std::uint8_t>(
        std::clamp<int>(scene.at(x, y, c) + static_cast<int>(rng.below(41)) - 20, 0, 255));
  });
}

inline std::string ppm(const Scene& scene) {
  std::string file =
      "P6\n" + std::to_string(scene.width) + " " + std::to_string(scene.height) + "\n255\n";
  file.append(scene.pixels.begin(), scene.pixels.end());
  return file;
}

// 24 bits, from the bottom up.
inline std::string bmp(const Scene& scene) {
  const auto number = [](std::uint32_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
    return text;
  };
  const std::uint32_t row = (scene.width * 3 + 3) / 4 * 4;
  std::string file = "BM" + number(54 + row * scene.height, 4) + number(0, 4) + number(54, 4) +
                     number(40, 4) + number(scene.width, 4) + number(scene.height, 4) +
                     number(1, 2) + number(24, 2) + std::string(24, '\0');
  for (std::uint32_t y = scene.height; y-- > 0;) {
    std::string line;
    for (std::uint32_t x = 0; x < scene.width; ++x) {
      for (std::uint32_t c = 3; c-- > 0;) line.push_back(static_cast<char>(scene.at(x, y, c)));
    }
    line.resize(row);
    file += line;
  }
  return file;
}

}  // namespace twinsift::cli
