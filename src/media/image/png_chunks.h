// SPDX-License-Identifier: Apache-2.0
// What is in a PNG file beside the picture: EXIF, which may follow the pixels although it says how
// they are to be turned, and the number of frames of an animation, of which libpng knows nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace twinsift {

struct PngChunks {
  std::span<const std::byte> exif;
  std::uint32_t frames = 1;
};

inline PngChunks read_png_chunks(std::span<const std::byte> file) {
  constexpr std::size_t kSignature = 8;
  constexpr std::size_t kFrame = 12;  // length and type before the data, a checksum behind it
  PngChunks chunks;
  const auto u32 = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      value = value * 256 + std::to_integer<std::uint32_t>(file[at + i]);
    }
    return value;
  };
  for (std::size_t at = kSignature; at + kFrame <= file.size();) {
    const std::size_t size = u32(at);
    if (size > file.size() - at - kFrame) break;
    const std::string_view type(reinterpret_cast<const char*>(file.data()) + at + 4, 4);
    if (type == "eXIf") chunks.exif = file.subspan(at + 8, size);
    if (type == "acTL" && size == 8) chunks.frames = u32(at + 8);
    at += kFrame + size;
  }
  return chunks;
}

}  // namespace twinsift
