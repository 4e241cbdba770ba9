// SPDX-License-Identifier: Apache-2.0
// Drawn pictures as PNG files whose data is stored and not compressed, so that no library is
// needed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace twinsift {

inline std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24U), static_cast<char>(value >> 16U),
          static_cast<char>(value >> 8U), static_cast<char>(value)};
}

inline std::string png_chunk(const std::string& type, const std::string& data) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : type + data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(~crc);
}

inline std::string zlib_stored(const std::string& data) {
  constexpr std::size_t kMost = 65535;
  std::string out = "\x78\x01";
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char c : data) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  for (std::size_t at = 0; at < data.size(); at += kMost) {
    const std::string block = data.substr(at, kMost);
    const auto size = static_cast<std::uint32_t>(block.size());
    out += at + kMost >= data.size() ? '\1' : '\0';
    for (const std::uint32_t number : {size, ~size}) {
      out += static_cast<char>(number);
      out += static_cast<char>(number >> 8U);
    }
    out += block;
  }
  return out + big_endian((b << 16U) | a);
}

// colour(x, y) gives {R, G, B}.
template <class Colour>
std::string stored_png(std::uint32_t width, std::uint32_t height, Colour colour) {
  std::string rows;
  for (std::uint32_t y = 0; y < height; ++y) {
    rows += '\0';
    for (std::uint32_t x = 0; x < width; ++x) {
      for (const std::uint8_t value : std::array<std::uint8_t, 3>(colour(x, y))) {
        rows += static_cast<char>(value);
      }
    }
  }
  const std::string head =
      big_endian(width) + big_endian(height) + std::string("\x08\x02\0\0\0", 5);
  return std::string("\x89PNG\r\n\x1A\n") + png_chunk("IHDR", head) +
         png_chunk("IDAT", zlib_stored(rows)) + png_chunk("IEND", "");
}

}  // namespace twinsift
