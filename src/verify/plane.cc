// SPDX-License-Identifier: Apache-2.0
#include "verify/plane.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace twinsift {
namespace {

constexpr std::size_t kStride = Plane::kStride;
using Line = std::array<std::uint32_t, Plane::kMaxSide>;

// Sums over square cells of the thumbnail.  Whole numbers: sums over windows stay exact, whatever
// is added and taken away.
struct Cells {
  std::uint32_t side = 0;
  float scale = 0;  // to grey levels
  std::array<std::uint32_t, kStride * Plane::kMaxSide> at;
};

Cells cells_of(const Thumbnail& thumbnail, std::uint32_t side) {
  assert(side == 64 || side == 32 || side == 16);
  const std::uint32_t cell = kThumbnailSide / side;
  Cells cells;
  cells.side = side;
  cells.scale = 1.0F / static_cast<float>(cell * cell);
  for (std::uint32_t y = 0; y < side; ++y) {
    Line columns{};
    for (std::uint32_t v = y * cell; v < (y + 1) * cell; ++v) {
      const std::uint8_t* row = thumbnail.data() + std::size_t{v} * kThumbnailSide;
      for (std::size_t x = 0; x < kThumbnailSide; ++x) columns[x] += row[x];
    }
    for (std::uint32_t x = 0; x < side; ++x) {
      std::uint32_t sum = 0;
      for (std::uint32_t u = x * cell; u < (x + 1) * cell; ++u) sum += columns[u];
      cells.at[y * kStride + x] = sum;
    }
  }
  return cells;
}

// One over the number of cells at most `reach` away, for each place in a line.
std::array<float, Plane::kMaxSide> shares(std::uint32_t side, std::uint32_t reach) {
  std::array<float, Plane::kMaxSide> out{};
  for (std::uint32_t i = 0; i < side; ++i) {
    const std::uint32_t begin = i > reach ? i - reach : 0;
    const std::uint32_t end = std::min(side, i + reach + 1);
    out[i] = 1.0F / static_cast<float>(end - begin);
  }
  return out;
}

// The means over windows of up to 2 * reach + 1 cells in both directions.
Plane window_means(const Cells& cells, std::uint32_t reach) {
  const std::uint32_t side = cells.side;
  const auto share = shares(side, reach);
  Plane means;
  means.side = side;
  Line columns{};
  const auto row = [&](std::uint32_t y) { return cells.at.data() + y * kStride; };
  for (std::uint32_t y = 0; y < reach; ++y) {
    for (std::uint32_t x = 0; x < side; ++x) columns[x] += row(y)[x];
  }
  for (std::uint32_t y = 0; y < side; ++y) {
    if (y + reach < side) {
      for (std::uint32_t x = 0; x < side; ++x) columns[x] += row(y + reach)[x];
    }
    if (y > reach) {
      for (std::uint32_t x = 0; x < side; ++x) columns[x] -= row(y - reach - 1)[x];
    }
    const float scale = cells.scale * share[y];
    std::uint32_t sum = 0;
    for (std::uint32_t x = 0; x < reach; ++x) sum += columns[x];
    for (std::uint32_t x = 0; x < side; ++x) {
      if (x + reach < side) sum += columns[x + reach];
      if (x > reach) sum -= columns[x - reach - 1];
      means.at[y * kStride + x] = static_cast<float>(sum) * (scale * share[x]);
    }
  }
  return means;
}

Cells squares_of(const Cells& cells) {
  Cells squares;
  squares.side = cells.side;
  squares.scale = cells.scale * cells.scale;
  for (std::uint32_t y = 0; y < cells.side; ++y) {
    for (std::size_t at = y * kStride; at < y * kStride + cells.side; ++at)
      squares.at[at] = cells.at[at] * cells.at[at];
  }
  return squares;
}

// Weighted 1-2-1 in both directions, less the means.
Plane less_means(const Cells& cells, const Plane& means) {
  const std::uint32_t last = cells.side - 1;
  Plane out;
  out.side = cells.side;
  for (std::uint32_t y = 0; y <= last; ++y) {
    const std::uint32_t* above = cells.at.data() + (y > 0 ? y - 1 : 0) * kStride;
    const std::uint32_t* row = cells.at.data() + y * kStride;
    const std::uint32_t* below = cells.at.data() + std::min(last, y + 1) * kStride;
    Line sums{};
    for (std::uint32_t x = 0; x <= last; ++x) sums[x] = above[x] + 2 * row[x] + below[x];
    const auto smooth = [&](std::uint32_t x, std::uint32_t before, std::uint32_t after) {
      const std::uint32_t sum = sums[before] + 2 * sums[x] + sums[after];
      const std::size_t at = y * kStride + x;
      out.at[at] = static_cast<float>(sum) * (cells.scale / 16) - means.at[at];
    };
    smooth(0, 0, 1);
    for (std::uint32_t x = 1; x < last; ++x) smooth(x, x - 1, x + 1);
    smooth(last, last - 1, last);
  }
  return out;
}

}  // namespace

Plane grey_plane(const Thumbnail& thumbnail) {
  Plane plane;
  plane.side = kThumbnailSide;
  std::copy(thumbnail.begin(), thumbnail.end(), plane.at.begin());
  return plane;
}

Plane detail_plane(const Thumbnail& thumbnail) {
  constexpr std::uint32_t kReach = 7;
  const Cells cells = cells_of(thumbnail, kThumbnailSide);
  return less_means(cells, window_means(cells, kReach));
}

Plane coarse_plane(const Thumbnail& thumbnail, std::uint32_t side) {
  constexpr float kLeastContrast = 5;  // grey levels: noise is not to be made a structure
  constexpr float kContrast = 20;      // what all contrasts are brought to
  const std::uint32_t reach = side == 32 ? 5 : 4;
  const Cells cells = cells_of(thumbnail, side);
  const Plane means = window_means(cells, reach);
  const Plane mean_squares = window_means(squares_of(cells), reach);
  Plane coarse = less_means(cells, means);
  for (std::uint32_t y = 0; y < side; ++y) {
    for (std::size_t at = y * kStride; at < y * kStride + side; ++at) {
      const float variance = mean_squares.at[at] - means.at[at] * means.at[at];
      const float contrast = std::sqrt(std::max(0.0F, variance));
      coarse.at[at] *= kContrast / (contrast + kLeastContrast);
    }
  }
  return coarse;
}

}  // namespace twinsift
