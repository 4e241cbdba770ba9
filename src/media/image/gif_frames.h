// SPDX-License-Identifier: Apache-2.0
// Counts the frames of a GIF without decoding them, by stepping over their blocks: an animation
// of ten thousand frames costs no more than its length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace twinsift {

inline std::uint64_t count_gif_frames(std::span<const std::byte> file) {
  constexpr std::size_t kScreen = 13;
  constexpr std::size_t kDescriptor = 10;
  const auto byte = [&](std::size_t at) {
    return at < file.size() ? std::to_integer<unsigned>(file[at]) : 0U;
  };
  // A table of 2^(n+1) colours follows if the highest bit is set.
  const auto table = [](unsigned flags) {
    return (flags & 0x80U) != 0 ? std::size_t{3} << ((flags & 7U) + 1) : std::size_t{0};
  };
  std::size_t at = kScreen + table(byte(10));
  const auto skip_blocks = [&] {
    while (byte(at) != 0) at += 1 + byte(at);
    ++at;
  };
  std::uint64_t frames = 0;
  while (at < file.size()) {
    if (byte(at) == ',') {
      ++frames;
      at += kDescriptor + table(byte(at + 9)) + 1;
    } else if (byte(at) == '!') {
      at += 2;
    } else {
      break;
    }
    skip_blocks();
  }
  return frames;
}

}  // namespace twinsift
