// SPDX-License-Identifier: Apache-2.0
// The eight ways in which a camera can be held, as EXIF numbers them.
#pragma once

#include <cstdint>
#include <string>

namespace twinsift {

struct PixelSize {
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  std::uint32_t channels = 0;
};

// True if width and height change places.
constexpr bool swaps_sides(unsigned orientation) { return orientation >= 5; }

// The pixels as a person sees them.  Requires: 1 <= orientation <= 8.
std::string oriented(std::string pixels, const PixelSize& stored, unsigned orientation);

}  // namespace twinsift
