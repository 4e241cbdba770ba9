// SPDX-License-Identifier: Apache-2.0
#include "feature/thumbnail.h"

#include <algorithm>
#include <span>
#include <vector>

#include "feature/box_sums.h"

namespace twinsift {
namespace {

// A place on a side whose pixels are kThumbnailSide long.
struct Share {
  std::uint32_t pixel = 0;
  std::uint32_t part = 0;  // of kThumbnailSide
};

// Where the i-th begins: so many whole pixels, and a part of one.
std::array<Share, kThumbnailSide + 1> borders_of(std::uint32_t length) {
  std::array<Share, kThumbnailSide + 1> borders{};
  for (std::uint32_t i = 0; i <= kThumbnailSide; ++i) {
    borders[i] = {i * length / kThumbnailSide, i * length % kThumbnailSide};
  }
  return borders;
}

// In runs of a fixed length, which compilers turn into SIMD.
void add_row(std::span<const std::uint8_t> pixels, std::uint32_t part,
             std::vector<std::uint32_t>& sums) {
  constexpr std::size_t kRun = 16;
  std::size_t x = 0;
  for (; x + kRun <= pixels.size(); x += kRun) {
    const std::uint8_t* from = &pixels[x];
    std::uint32_t* to = &sums[x];
    for (std::size_t i = 0; i < kRun; ++i) to[i] += from[i] * part;
  }
  for (; x < pixels.size(); ++x) sums[x] += pixels[x] * part;
}

// Sums of at most 255 * kSmall fit into 31 bits.
constexpr std::uint64_t kSmall = 1U << 22U;

// Whole rows are added up first, then their columns: what a column covers is the difference of what
// is left of its two borders.  Those sums may be too large for 32 bits, their difference is not.
Thumbnail thumbnail_of_small(const GreyView& picture) {
  const auto columns = borders_of(picture.width);
  const auto rows = borders_of(picture.height);
  const double area = double{1} * picture.width * picture.height;
  const auto half = static_cast<std::int32_t>(picture.width * picture.height / 2);
  Thumbnail thumbnail{};
  std::vector<std::uint32_t> sums(picture.width + std::size_t{1});  // the last stays 0
  std::vector<std::uint32_t> before(picture.width + std::size_t{1});
  for (std::uint32_t y = 0; y < kThumbnailSide; ++y) {
    std::fill(sums.begin(), sums.end(), 0U);
    const Share& top = rows[y];
    const Share& bottom = rows[y + 1];
    for (std::uint32_t row = top.pixel; row <= bottom.pixel; ++row) {
      const std::uint32_t begin = row == top.pixel ? top.part : 0;
      const std::uint32_t end = row == bottom.pixel ? bottom.part : kThumbnailSide;
      if (begin < end) add_row(picture.row(row), end - begin, sums);
    }
    for (std::size_t x = 0; x < picture.width; ++x) before[x + 1] = before[x] + sums[x];
    const auto left_of = [&](const Share& border) {
      return kThumbnailSide * before[border.pixel] + sums[border.pixel] * border.part;
    };
    std::array<std::int32_t, kThumbnailSide> totals{};
    std::uint32_t left = 0;
    for (std::uint32_t x = 0; x < kThumbnailSide; ++x) {
      const std::uint32_t right = left_of(columns[x + 1]);
      totals[x] = static_cast<std::int32_t>(right - left) + half;
      left = right;
    }
    // Truncated, a quotient of such numbers in double is that of integers, and far cheaper.
    for (std::uint32_t x = 0; x < kThumbnailSide; ++x) {
      thumbnail[y * kThumbnailSide + x] =
          static_cast<std::uint8_t>(static_cast<std::int32_t>(totals[x] / area));
    }
  }
  return thumbnail;
}

}  // namespace

Thumbnail thumbnail_of(const GreyView& picture) {
  const bool small = std::uint64_t{picture.width} * picture.height <= kSmall;
  return small ? thumbnail_of_small(picture) : thumbnail_of_large(picture);
}

Thumbnail thumbnail_of_large(const GreyView& picture) {
  Thumbnail thumbnail{};
  std::ranges::copy(box_means(picture, kThumbnailSide, kThumbnailSide), thumbnail.begin());
  return thumbnail;
}

Thumbnail oriented(const Thumbnail& thumbnail, int orientation) {
  constexpr std::uint32_t kLast = kThumbnailSide - 1;
  Thumbnail out{};
  for (std::uint32_t y = 0; y < kThumbnailSide; ++y) {
    for (std::uint32_t x = 0; x < kThumbnailSide; ++x) {
      // Where (x, y) comes from: back by the turn, then back by the mirror.
      std::uint32_t from_x = x;
      std::uint32_t from_y = y;
      for (int turn = 0; turn < orientation % 4; ++turn) {
        const std::uint32_t old_x = from_x;
        from_x = from_y;
        from_y = kLast - old_x;
      }
      if (orientation >= 4) from_x = kLast - from_x;
      out[y * kThumbnailSide + x] = thumbnail[from_y * kThumbnailSide + from_x];
    }
  }
  return out;
}

int inverse_orientation(int orientation) {
  // A mirrored picture that is turned right and mirrored again has been turned left.
  return orientation >= 4 ? orientation : (4 - orientation) % 4;
}

}  // namespace twinsift
