// SPDX-License-Identifier: Apache-2.0
#include "feature/square.h"

#include <array>
#include <cassert>

namespace twinsift {
namespace {

struct Range {
  std::size_t begin, end;
};
// The pixels that the i-th of `side` parts of a length touches.
Range touched(std::size_t i, std::size_t side, std::size_t length) {
  return {i * length / side, ((i + 1) * length + side - 1) / side};
}

}  // namespace

std::vector<std::uint8_t> square_of(const PixelView& picture, std::size_t side) {
  assert(picture.width > 0 && picture.height > 0 && picture.channels <= 4);
  std::vector<std::uint8_t> square;
  square.reserve(side * side * picture.channels);
  for (std::size_t y = 0; y < side; ++y) {
    const Range rows = touched(y, side, picture.height);
    for (std::size_t x = 0; x < side; ++x) {
      const Range columns = touched(x, side, picture.width);
      std::array<std::uint64_t, 4> sums{};
      for (std::size_t row = rows.begin; row < rows.end; ++row) {
        const std::uint8_t* pixel =
            &picture.bytes[(row * picture.width + columns.begin) * picture.channels];
        for (std::size_t i = 0; i < columns.end - columns.begin; ++i) {
          for (std::size_t c = 0; c < picture.channels; ++c) sums[c] += *pixel++;
        }
      }
      const std::uint64_t count = (rows.end - rows.begin) * (columns.end - columns.begin);
      for (std::size_t c = 0; c < picture.channels; ++c) {
        square.push_back(static_cast<std::uint8_t>((sums[c] + count / 2) / count));
      }
    }
  }
  return square;
}

}  // namespace twinsift
