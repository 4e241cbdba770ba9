// SPDX-License-Identifier: Apache-2.0
// The run-length code of BMP: pairs of a count and an index, or 0 and an escape: 0 ends the row, 1
// the picture, 2 moves on by a column and row count, 3 and more are as many indices as they are,
// padded to 16 bits.  With 4 bits a byte holds two indices, which alternate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twinsift {

struct RleShape {
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  bool nibbles = false;  // 4 bits
};

struct RleIndices {
  std::vector<std::uint8_t> pixels;  // in the order of the file: the lowest row first
  std::uint64_t rows = 0;            // of them, that were there before the data ended
};

inline RleIndices unpack_bmp_rle(const RleShape& shape, std::span<const std::byte> packed) {
  RleIndices out;
  out.pixels.resize(shape.width * shape.height);
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  std::size_t at = 0;
  const auto next = [&] { return std::to_integer<std::uint8_t>(packed[at++]); };
  const auto put = [&](unsigned byte, std::uint64_t i) {
    const unsigned index = !shape.nibbles ? byte : (i % 2 == 0 ? byte >> 4U : byte & 15U);
    if (x < shape.width) out.pixels[y * shape.width + x++] = static_cast<std::uint8_t>(index);
  };
  while (y < shape.height && packed.size() - at >= 2) {
    const unsigned count = next();
    const unsigned value = next();
    if (count > 0) {
      for (unsigned i = 0; i < count; ++i) put(value, i);
    } else if (value == 0) {
      x = 0;
      ++y;
    } else if (value == 1) {
      y = shape.height;
    } else if (value == 2) {
      if (packed.size() - at < 2) break;
      x += next();
      y += next();
    } else {
      const std::size_t size = shape.nibbles ? (value + 1) / 2 : value;
      if (packed.size() - at < size + size % 2) break;
      unsigned byte = 0;
      for (unsigned i = 0; i < value; ++i) {
        if (!shape.nibbles || i % 2 == 0) byte = next();
        put(byte, i);
      }
      at += size % 2;
    }
  }
  out.rows = y < shape.height ? y : shape.height;
  return out;
}

}  // namespace twinsift
