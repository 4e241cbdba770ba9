// SPDX-License-Identifier: Apache-2.0
#include "feature/box_sums.h"

#include <algorithm>
#include <span>

namespace twinsift {
namespace {

// The pixels from `first` on that make up one of the new ones, each with its part of it: the i-th
// covers [i * length, (i + 1) * length) if each pixel of the picture is `size` long.
struct Shares {
  std::uint32_t first = 0;
  std::vector<std::uint32_t> parts;
};

std::vector<Shares> shares_of(std::uint32_t length, std::uint32_t size) {
  std::vector<Shares> shares(size);
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::uint64_t begin = i * length;
    const std::uint64_t end = begin + length;
    shares[i].first = static_cast<std::uint32_t>(begin / size);
    for (std::uint64_t at = begin; at < end;) {
      const std::uint64_t next = std::min(end, (at / size + 1) * size);
      shares[i].parts.push_back(static_cast<std::uint32_t>(next - at));
      at = next;
    }
  }
  return shares;
}

}  // namespace

std::vector<std::uint64_t> box_sums(const GreyView& picture, std::uint32_t width,
                                    std::uint32_t height) {
  const auto columns = shares_of(picture.width, width);
  const auto rows = shares_of(picture.height, height);
  std::vector<std::uint64_t> sums;
  sums.reserve(std::size_t{width} * height);
  std::vector<std::uint64_t> together(picture.width);  // the rows that make up one
  for (const Shares& row : rows) {
    std::ranges::fill(together, 0);
    for (std::uint32_t i = 0; i < row.parts.size(); ++i) {
      const std::span<const std::uint8_t> pixels = picture.row(row.first + i);
      for (std::uint32_t x = 0; x < picture.width; ++x) {
        together[x] += std::uint64_t{pixels[x]} * row.parts[i];
      }
    }
    for (const Shares& column : columns) {
      std::uint64_t sum = 0;
      for (std::uint32_t i = 0; i < column.parts.size(); ++i) {
        sum += together[column.first + i] * column.parts[i];
      }
      sums.push_back(sum);
    }
  }
  return sums;
}

std::vector<std::uint8_t> box_means(const GreyView& picture, std::uint32_t width,
                                    std::uint32_t height) {
  const std::uint64_t area = std::uint64_t{picture.width} * picture.height;
  std::vector<std::uint8_t> means;
  means.reserve(std::size_t{width} * height);
  for (const std::uint64_t sum : box_sums(picture, width, height)) {
    means.push_back(static_cast<std::uint8_t>((sum + area / 2) / area));
  }
  return means;
}

}  // namespace twinsift
