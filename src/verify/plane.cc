// SPDX-License-Identifier: Apache-2.0
#include "verify/plane.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace twinsift {
namespace {

constexpr std::size_t kStride = Plane::kStride;

Plane shrunk(const Thumbnail& thumbnail, std::uint32_t side) {
  assert(side == 64 || side == 32 || side == 16);
  const std::uint32_t cell = kThumbnailSide / side;
  const float scale = 1.0F / static_cast<float>(cell * cell);
  Plane plane;
  plane.side = side;
  for (std::uint32_t y = 0; y < side; ++y) {
    for (std::uint32_t x = 0; x < side; ++x) {
      std::uint32_t sum = 0;
      for (std::uint32_t v = y * cell; v < (y + 1) * cell; ++v) {
        for (std::uint32_t u = x * cell; u < (x + 1) * cell; ++u)
          sum += thumbnail[v * kThumbnailSide + u];
      }
      plane.at[y * kStride + x] = static_cast<float>(sum) * scale;
    }
  }
  return plane;
}

// The smallest and the largest index at most `reach` away, and how many there are.
struct Window {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  Window(std::uint32_t at, std::uint32_t reach, std::uint32_t side)
      : begin(at > reach ? at - reach : 0), end(std::min(side, at + reach + 1)) {}
};

// Sums over windows of up to 2 * reach + 1 pixels in each direction, by adding what enters and
// taking away what leaves.  Grey levels are multiples of 1/16, so that all sums are exact and the
// order of the operations does not matter.
class WindowSums {
 public:
  WindowSums(std::uint32_t side, std::uint32_t reach) : side_(side), reach_(reach) {}

  template <typename Value, typename Use>
  void each(const Value& value, const Use& use) const {
    std::array<double, Plane::kMaxSide> columns{};
    for (std::uint32_t y = 0; y < std::min(reach_, side_); ++y) {
      for (std::uint32_t x = 0; x < side_; ++x) columns[x] += value(x, y);
    }
    for (std::uint32_t y = 0; y < side_; ++y) {
      const Window rows(y, reach_, side_);
      for (std::uint32_t x = 0; x < side_; ++x) {
        if (y + reach_ < side_) columns[x] += value(x, y + reach_);
        if (y > reach_) columns[x] -= value(x, y - reach_ - 1);
      }
      double sum = 0;
      for (std::uint32_t x = 0; x < std::min(reach_, side_); ++x) sum += columns[x];
      for (std::uint32_t x = 0; x < side_; ++x) {
        if (x + reach_ < side_) sum += columns[x + reach_];
        if (x > reach_) sum -= columns[x - reach_ - 1];
        const Window across(x, reach_, side_);
        use(x, y, sum / ((rows.end - rows.begin) * (across.end - across.begin)));
      }
    }
  }

 private:
  std::uint32_t side_;
  std::uint32_t reach_;
};

// Weighted 1-2-1 in both directions.
Plane smoothed(const Plane& grey) {
  const std::uint32_t last = grey.side - 1;
  Plane across;
  for (std::uint32_t y = 0; y <= last; ++y) {
    const float* row = grey.at.data() + y * kStride;
    for (std::uint32_t x = 0; x <= last; ++x) {
      across.at[y * kStride + x] = row[x > 0 ? x - 1 : 0] + 2 * row[x] + row[std::min(last, x + 1)];
    }
  }
  Plane out;
  out.side = grey.side;
  for (std::uint32_t y = 0; y <= last; ++y) {
    const float* above = across.at.data() + (y > 0 ? y - 1 : 0) * kStride;
    const float* row = across.at.data() + y * kStride;
    const float* below = across.at.data() + std::min(last, y + 1) * kStride;
    for (std::uint32_t x = 0; x <= last; ++x)
      out.at[y * kStride + x] = (above[x] + 2 * row[x] + below[x]) / 16;
  }
  return out;
}

}  // namespace

Plane grey_plane(const Thumbnail& thumbnail) { return shrunk(thumbnail, kThumbnailSide); }

Plane detail_plane(const Thumbnail& thumbnail) {
  constexpr std::uint32_t kReach = 7;
  const Plane grey = grey_plane(thumbnail);
  Plane detail = smoothed(grey);
  WindowSums(grey.side, kReach)
      .each([&](std::uint32_t x, std::uint32_t y) { return grey.at[y * kStride + x]; },
            [&](std::uint32_t x, std::uint32_t y, double mean) {
              detail.at[y * kStride + x] -= static_cast<float>(mean);
            });
  return detail;
}

Plane coarse_plane(const Thumbnail& thumbnail, std::uint32_t side) {
  constexpr double kLeastContrast = 5;  // grey levels: noise is not to be made a structure
  constexpr double kContrast = 20;      // what all contrasts are brought to
  const std::uint32_t reach = side == 32 ? 5 : 4;
  const Plane grey = shrunk(thumbnail, side);
  Plane coarse = smoothed(grey);
  Plane means;
  const WindowSums sums(side, reach);
  sums.each([&](std::uint32_t x, std::uint32_t y) { return grey.at[y * kStride + x]; },
            [&](std::uint32_t x, std::uint32_t y, double mean) {
              means.at[y * kStride + x] = static_cast<float>(mean);
            });
  sums.each(
      [&](std::uint32_t x, std::uint32_t y) {
        const double value = grey.at[y * kStride + x];
        return value * value;
      },
      [&](std::uint32_t x, std::uint32_t y, double mean_square) {
        const double mean = means.at[y * kStride + x];
        const double contrast = std::sqrt(std::max(0.0, mean_square - mean * mean));
        float& pixel = coarse.at[y * kStride + x];
        pixel = static_cast<float>((pixel - mean) * kContrast / (contrast + kLeastContrast));
      });
  return coarse;
}

}  // namespace twinsift
