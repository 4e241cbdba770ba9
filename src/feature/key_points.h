// SPDX-License-Identifier: Apache-2.0
// Places in a picture that can be found again in its copies, and what they look like.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace twinsift {

// In pixels of the picture it was found in; the middle of the first pixel is (0, 0).
struct KeyPoint {
  float x = 0;
  float y = 0;
  float scale = 0;  // sigma of the blur at which it stands out
  float angle = 0;  // of its strongest gradient, radians in [0, 2 pi), from +x towards +y
};

using SiftDescriptor = std::array<std::uint8_t, 128>;

// points[i] looks like descriptors[i].
struct KeyPoints {
  std::uint32_t width = 0;  // of the picture
  std::uint32_t height = 0;
  std::vector<KeyPoint> points;
  std::vector<SiftDescriptor> descriptors;
};

// A key point as it is remembered, in 32 bytes: its descriptor has become a visual word and a
// signature of which most bits agree if two descriptors of the same word are alike.
struct LocalWord {
  std::uint32_t word = 0;
  std::uint16_t x = 0;  // (x + 1/2) / width * 2^16
  std::uint16_t y = 0;
  std::uint16_t scale = 0;  // log2(scale) * 256 + 2^12, of the picture at `width`
  std::uint16_t angle = 0;  // / (2 pi) * 2^16
  std::array<std::uint64_t, 2> signature{};
  friend bool operator==(const LocalWord&, const LocalWord&) = default;
};

// Ascending by word, then by place.
struct LocalWords {
  std::uint32_t width = 0;  // of the picture the key points were found in
  std::uint32_t height = 0;
  std::vector<LocalWord> words;
};

}  // namespace twinsift
