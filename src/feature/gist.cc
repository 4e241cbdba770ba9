// SPDX-License-Identifier: Apache-2.0
#include "feature/gist.h"

#include <algorithm>
#include <cmath>

namespace twinsift {
namespace {

constexpr std::size_t kBlocks = 16;  // along each side, at every scale
constexpr std::size_t kPart = kGistDirections * kGistCells;

// A picture of 16-bit numbers whose outermost pixels are there twice, so that a gradient at the
// edge needs no case of its own.
template <std::size_t kSide>
struct Plane {
  static constexpr std::size_t kStride = kSide + 2;
  std::array<std::int16_t, kStride * kStride> values;

  [[nodiscard]] std::int16_t* row(std::size_t y) { return &values[(y + 1) * kStride + 1]; }
  [[nodiscard]] const std::int16_t* row(std::size_t y) const {
    return &values[(y + 1) * kStride + 1];
  }

  void extend() {
    for (std::size_t y = 0; y < kSide; ++y) {
      row(y)[-1] = row(y)[0];
      row(y)[kSide] = row(y)[kSide - 1];
    }
    std::copy_n(&values[kStride], kStride, &values[0]);
    std::copy_n(&values[kSide * kStride], kStride, &values[(kSide + 1) * kStride]);
  }
};

// The sum of four pixels, not their mean: nothing is rounded.
template <std::size_t kSide>
Plane<kSide / 2> halved(const Plane<kSide>& plane) {
  Plane<kSide / 2> half;
  for (std::size_t y = 0; y < kSide / 2; ++y) {
    const std::int16_t* above = plane.row(2 * y);
    const std::int16_t* below = plane.row(2 * y + 1);
    std::int16_t* out = half.row(y);
    for (std::size_t x = 0; x < kSide / 2; ++x) {
      out[x] = static_cast<std::int16_t>(above[2 * x] + above[2 * x + 1] + below[2 * x] +
                                         below[2 * x + 1]);
    }
  }
  half.extend();
  return half;
}

template <std::size_t kSide>
using RowSums = std::array<std::array<std::int16_t, kSide>, kGistDirections>;

// Adds the gradients of a row, each as its shares of two neighbouring directions.
template <std::size_t kSide>
void add_gradients(const Plane<kSide>& plane, std::size_t y, RowSums<kSide>& sums) {
  const std::int16_t* row = plane.row(y);
  const std::int16_t* before = row - 1;  // rows have a margin
  const std::int16_t* above = row - Plane<kSide>::kStride;
  const std::int16_t* below = row + Plane<kSide>::kStride;
  using Int = std::int16_t;
  const auto positive = [](Int v) { return std::max(v, Int{0}); };
  for (std::size_t x = 0; x < kSide; ++x) {
    const Int dx = static_cast<Int>(row[x + 1] - before[x]);
    const Int dy = static_cast<Int>(below[x] - above[x]);
    const Int right = positive(dx);
    const Int left = positive(static_cast<Int>(-dx));
    const Int down = positive(dy);
    const Int up = positive(static_cast<Int>(-dy));
    const Int wide = static_cast<Int>(right + left);
    const Int high = static_cast<Int>(down + up);
    const auto add = [&](std::size_t direction, Int v) {
      sums[direction][x] = static_cast<Int>(sums[direction][x] + v);
    };
    add(0, positive(static_cast<Int>(right - high)));
    add(1, std::min(right, down));
    add(2, positive(static_cast<Int>(down - wide)));
    add(3, std::min(left, down));
    add(4, positive(static_cast<Int>(left - high)));
    add(5, std::min(left, up));
    add(6, positive(static_cast<Int>(up - wide)));
    add(7, std::min(right, up));
  }
}

// Of a cell over the blocks of one side, in eighths: a triangle, cut off at the ends.
constexpr std::array<std::array<std::uint32_t, kBlocks>, kGistSide> kWindows = [] {
  std::array<std::array<std::uint32_t, kBlocks>, kGistSide> windows{};
  for (std::size_t cell = 0; cell < kGistSide; ++cell) {
    for (std::size_t block = 0; block < kBlocks; ++block) {
      const int away = static_cast<int>(2 * block + 1) - static_cast<int>(8 * cell + 4);
      windows[cell][block] = static_cast<std::uint32_t>(std::max(0, 8 - (away < 0 ? -away : away)));
    }
  }
  return windows;
}();

using Sums = std::array<std::uint32_t, kPart>;  // by direction and cell

// At most 128^2 * 255 in each, at every scale: fewer pixels are larger numbers.
template <std::size_t kSide>
Sums cell_sums(const Plane<kSide>& plane) {
  constexpr std::size_t kBlock = kSide / kBlocks;
  Sums sums{};
  for (std::size_t block_y = 0; block_y < kBlocks; ++block_y) {
    RowSums<kSide> rows{};
    for (std::size_t y = 0; y < kBlock; ++y) add_gradients(plane, block_y * kBlock + y, rows);
    for (std::size_t direction = 0; direction < kGistDirections; ++direction) {
      std::array<std::uint32_t, kBlocks> blocks{};
      for (std::size_t x = 0; x < kSide; ++x) {
        blocks[x / kBlock] += static_cast<std::uint32_t>(rows[direction][x]);
      }
      for (std::size_t cell_x = 0; cell_x < kGistSide; ++cell_x) {
        std::uint32_t sum = 0;
        for (std::size_t x = 0; x < kBlocks; ++x) sum += blocks[x] * kWindows[cell_x][x];
        for (std::size_t cell_y = 0; cell_y < kGistSide; ++cell_y) {
          sums[direction * kGistCells + cell_y * kGistSide + cell_x] +=
              sum * kWindows[cell_y][block_y];
        }
      }
    }
  }
  return sums;
}

// A quarter of a grey level a pixel of the thumbnail, in a cell of which nothing is cut off.
constexpr std::uint32_t kNoticeable = 32 * 32 * 16 / 4;

int noticeable_edges(const Sums& sums) {
  constexpr std::size_t kAxes = kPart / 2;
  int count = 0;
  for (std::size_t i = 0; i < kAxes; ++i) {
    count += static_cast<int>(std::min(sums[i], sums[i + kAxes]) >= kNoticeable);
  }
  return count;
}

void normalise(const Sums& sums, std::int16_t* out) {
  // A step of (1, 1) is as long as sqrt(2) of (1, 0).
  std::array<std::uint32_t, kPart> lengths{};
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < kPart; ++i) {
    lengths[i] = sums[i] * (i / kGistCells % 2 == 1 ? 181U : 128U);
    total += lengths[i];
  }
  if (total == 0) return;
  // Exact but for one rounding each of /, sqrt and *, which are the same everywhere.
  for (std::size_t i = 0; i < kPart; ++i) {
    const double share = static_cast<double>(lengths[i]) / static_cast<double>(total);
    out[i] = static_cast<std::int16_t>(std::sqrt(share) * kGistUnit + 0.5);
  }
}

using Order = std::array<std::uint16_t, kGistLength>;

Order make_order(int orientation) {
  constexpr std::size_t kLast = kGistSide - 1;
  Order order{};
  for (std::size_t i = 0; i < kGistLength; ++i) {
    std::size_t x = i % kGistSide;
    std::size_t y = i / kGistSide % kGistSide;
    std::size_t direction = i / kGistCells % kGistDirections;
    // As with thumbnails: back by the turn, then back by the mirror.
    for (int turn = 0; turn < orientation % 4; ++turn) {
      const std::size_t old_x = x;
      x = y;
      y = kLast - old_x;
      direction = (direction + kGistDirections - 2) % kGistDirections;
    }
    if (orientation >= 4) {
      x = kLast - x;
      direction = (4 + kGistDirections - direction) % kGistDirections;
    }
    const std::size_t scale = i / kPart;
    order[i] = static_cast<std::uint16_t>(
        ((scale * kGistDirections + direction) * kGistSide + y) * kGistSide + x);
  }
  return order;
}

}  // namespace

Gist gist_of(const Thumbnail& thumbnail) {
  Plane<kThumbnailSide> whole;
  for (std::size_t y = 0; y < kThumbnailSide; ++y) {
    std::copy_n(&thumbnail[y * kThumbnailSide], kThumbnailSide, whole.row(y));
  }
  whole.extend();
  const auto half = halved(whole);
  const Sums middle = cell_sums(half);
  Gist gist;
  normalise(cell_sums(whole), &gist.values[0]);
  normalise(middle, &gist.values[kPart]);
  normalise(cell_sums(halved(half)), &gist.values[2 * kPart]);
  gist.information = noticeable_edges(middle);
  return gist;
}

const std::array<std::uint16_t, kGistLength>& gist_order(int orientation) {
  static const std::array<Order, kOrientations> orders = [] {
    std::array<Order, kOrientations> all{};
    for (int o = 0; o < kOrientations; ++o) all[static_cast<std::size_t>(o)] = make_order(o);
    return all;
  }();
  return orders[static_cast<std::size_t>(orientation)];
}

Gist oriented(const Gist& gist, int orientation) {
  const Order& order = gist_order(orientation);
  Gist out{.values = {}, .information = gist.information};
  for (std::size_t i = 0; i < kGistLength; ++i) out.values[i] = gist.values[order[i]];
  return out;
}

}  // namespace twinsift
