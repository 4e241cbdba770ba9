// SPDX-License-Identifier: Apache-2.0
#include "feature/box_sums.h"

#include <algorithm>
#include <span>

namespace twinsift {
namespace {

// How the pixels of one side are shared out among those of the square: the i-th of these covers
// [i * length, (i + 1) * length) if each pixel of the picture is `side` long.
struct Share {
  std::uint32_t pixel = 0;
  std::uint32_t part = 0;  // of the side
};

std::vector<std::vector<Share>> shares_of(std::uint32_t length, std::uint32_t side) {
  std::vector<std::vector<Share>> shares(side);
  for (std::uint64_t i = 0; i < side; ++i) {
    const std::uint64_t end = (i + 1) * length;
    for (std::uint64_t at = i * length; at < end;) {
      const std::uint64_t pixel = at / side;
      const std::uint64_t next = std::min(end, (pixel + 1) * side);
      shares[i].push_back(
          {static_cast<std::uint32_t>(pixel), static_cast<std::uint32_t>(next - at)});
      at = next;
    }
  }
  return shares;
}

}  // namespace

std::vector<std::uint64_t> box_sums(const GreyView& picture, std::uint32_t side) {
  const auto columns = shares_of(picture.width, side);
  const auto rows = shares_of(picture.height, side);
  std::vector<std::uint64_t> sums(std::size_t{side} * side);
  for (std::size_t y = 0; y < side; ++y) {
    for (const Share& row : rows[y]) {
      const std::span<const std::uint8_t> pixels = picture.row(row.pixel);
      for (std::size_t x = 0; x < side; ++x) {
        std::uint64_t sum = 0;
        for (const Share& column : columns[x])
          sum += std::uint64_t{pixels[column.pixel]} * column.part;
        sums[y * side + x] += sum * row.part;
      }
    }
  }
  return sums;
}

}  // namespace twinsift
