// SPDX-License-Identifier: Apache-2.0
#include "media/image/orient.h"

#include <cassert>
#include <cstring>

namespace twinsift {

// Orientation says where the first stored row and column belong:
//   1 top, left    2 top, right    3 bottom, right    4 bottom, left
//   5 left, top    6 right, top    7 right, bottom    8 left, bottom
// For an upright pixel (x, y) the stored one is therefore (x, y) or (y, x), counted from the
// other end where the table says right or bottom.
std::string oriented(std::string pixels, const PixelSize& stored, unsigned orientation) {
  assert(orientation >= 1 && orientation <= 8);
  if (orientation == 1) return pixels;
  const bool swap = swaps_sides(orientation);
  const std::uint32_t columns = swap ? stored.rows : stored.columns;
  const std::uint32_t rows = swap ? stored.columns : stored.rows;
  const bool from_right =
      orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  const bool from_bottom =
      orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
  const std::size_t channels = stored.channels;
  std::string upright(pixels.size(), '\0');
  char* out = upright.data();
  for (std::uint32_t y = 0; y < rows; ++y) {
    const std::size_t v = from_bottom ? rows - 1 - y : y;
    for (std::uint32_t x = 0; x < columns; ++x) {
      const std::size_t u = from_right ? columns - 1 - x : x;
      const std::size_t at = swap ? u * stored.columns + v : v * stored.columns + u;
      std::memcpy(out, pixels.data() + at * channels, channels);
      out += channels;
    }
  }
  return upright;
}

}  // namespace twinsift
