// SPDX-License-Identifier: Apache-2.0
// Pictures for tests that can be seen through any map: sums of waves, known at every place.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "feature/thumbnail.h"
#include "verify/affine.h"

namespace twinsift {

class Texture {
 public:
  explicit Texture(std::uint64_t seed) {
    Rng rng(seed);
    for (int i = 0; i < 25; ++i) {
      const double across = (rng.uniform() - 0.5) * 24;
      const double down = (rng.uniform() - 0.5) * 24;
      const double strength = 30 / (1 + std::hypot(across, down) / 3);
      waves_.push_back({across, down, rng.uniform(), strength});
    }
  }
  [[nodiscard]] double at(const Point& p) const {
    double sum = 0;
    for (const Wave& w : waves_)
      sum += w.strength * std::cos(6.283185307179586 * (w.across * p.x + w.down * p.y + w.phase));
    return 128 + 0.8 * sum;
  }
  // What a picture shows whose places are those of this texture seen through `to_texture`.
  [[nodiscard]] Thumbnail seen(const Affine& to_texture, double gain = 1, double bias = 0) const {
    Thumbnail thumbnail{};
    for (std::uint32_t y = 0; y < kThumbnailSide; ++y) {
      for (std::uint32_t x = 0; x < kThumbnailSide; ++x) {
        // The waves are so long that the value in the middle is the mean of the pixel.
        const Point p = {(x + 0.5) / kThumbnailSide, (y + 0.5) / kThumbnailSide};
        const double value = std::clamp(at(mapped(to_texture, p)) * gain + bias, 0.0, 255.0);
        thumbnail[y * kThumbnailSide + x] = static_cast<std::uint8_t>(value + 0.5);
      }
    }
    return thumbnail;
  }

 private:
  struct Wave {
    double across, down, phase, strength;
  };
  std::vector<Wave> waves_;
};

}  // namespace twinsift
