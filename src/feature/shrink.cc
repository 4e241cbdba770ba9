// SPDX-License-Identifier: Apache-2.0
#include "feature/shrink.h"

#include <algorithm>

namespace twinsift {
namespace {

// The pixels [first, first + parts.size()) of a side make up one of the smaller one, each with its
// part of it, in units of 1 / small pixels.
struct Shares {
  std::uint32_t first = 0;
  std::vector<std::uint32_t> parts;
};

std::vector<Shares> shares_of(std::uint32_t large, std::uint32_t small) {
  std::vector<Shares> shares(small);
  for (std::uint64_t i = 0; i < small; ++i) {
    const std::uint64_t begin = i * large;
    const std::uint64_t end = begin + large;
    shares[i].first = static_cast<std::uint32_t>(begin / small);
    for (std::uint64_t at = begin; at < end;) {
      const std::uint64_t next = std::min(end, (at / small + 1) * small);
      shares[i].parts.push_back(static_cast<std::uint32_t>(next - at));
      at = next;
    }
  }
  return shares;
}

}  // namespace

GreyImage shrunk(const GreyView& picture, std::uint32_t longest) {
  const std::uint64_t side = std::max(picture.width, picture.height);
  GreyImage out{{}, picture.width, picture.height};
  if (side <= longest) {
    out.pixels.assign(picture.pixels.begin(), picture.pixels.end());
    return out;
  }
  const auto scaled = [&](std::uint32_t length) {
    return static_cast<std::uint32_t>(
        std::max<std::uint64_t>(1, (std::uint64_t{length} * longest + side / 2) / side));
  };
  out.width = scaled(picture.width);
  out.height = scaled(picture.height);
  const auto columns = shares_of(picture.width, out.width);
  const auto rows = shares_of(picture.height, out.height);
  const std::uint64_t area = std::uint64_t{picture.width} * picture.height;
  out.pixels.reserve(std::size_t{out.width} * out.height);
  std::vector<std::uint64_t> sums(picture.width);  // over the rows that make up one
  for (const Shares& row : rows) {
    std::ranges::fill(sums, 0);
    for (std::uint32_t i = 0; i < row.parts.size(); ++i) {
      const auto pixels = picture.row(row.first + i);
      for (std::uint32_t x = 0; x < picture.width; ++x) {
        sums[x] += std::uint64_t{pixels[x]} * row.parts[i];
      }
    }
    for (const Shares& column : columns) {
      std::uint64_t sum = 0;
      for (std::uint32_t i = 0; i < column.parts.size(); ++i) {
        sum += sums[column.first + i] * column.parts[i];
      }
      out.pixels.push_back(static_cast<std::uint8_t>((sum + area / 2) / area));
    }
  }
  return out;
}

}  // namespace twinsift
