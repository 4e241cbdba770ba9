// SPDX-License-Identifier: Apache-2.0
// A picture squeezed into a small square: what whole pictures are compared by.
//
// Each pixel is the mean of the rectangle of the picture that it covers, so that size and noise
// hardly matter, and the shape of the picture not at all.  A square has eight orientations, and the
// thumbnail of a turned or mirrored picture is the turned or mirrored thumbnail, but for rounding.
#pragma once

#include <array>
#include <cstdint>

#include "feature/grey_image.h"

namespace twinsift {

inline constexpr std::uint32_t kThumbnailSide = 64;
inline constexpr int kOrientations = 8;

// Row by row from the top.
using Thumbnail = std::array<std::uint8_t, std::size_t{kThumbnailSide} * kThumbnailSide>;

// Requires: neither width nor height is 0.
Thumbnail thumbnail_of(const GreyView& picture);

// The same in the plainest way: the reference, and for pictures whose sums need 64 bits.
Thumbnail thumbnail_of_large(const GreyView& picture);

// Orientation 0 is as it is; 4 is mirrored left to right; o and o + 1 of each four differ by a
// quarter turn clockwise.
Thumbnail oriented(const Thumbnail& thumbnail, int orientation);

// That which undoes another.
int inverse_orientation(int orientation);

}  // namespace twinsift
