// SPDX-License-Identifier: Apache-2.0
// Affine maps between two pictures, both seen as unit squares.
//
// (0, 0) is the upper left corner of a picture and (1, 1) its lower right one, so that a map knows
// nothing of pixels, and the map of a picture onto a resized copy is the identity.
#pragma once

#include <array>

#include "twinsift/types.h"

namespace twinsift {

// (x, y) -> (m[0] x + m[1] y + m[2], m[3] x + m[4] y + m[5]).
using Affine = std::array<double, 6>;

inline constexpr Affine kIdentity = {1, 0, 0, 0, 1, 0};

inline Point mapped(const Affine& m, const Point& p) {
  return {m[0] * p.x + m[1] * p.y + m[2], m[3] * p.x + m[4] * p.y + m[5]};
}

inline double determinant(const Affine& m) { return m[0] * m[4] - m[1] * m[3]; }

// First `inner`, then `outer`.
Affine compose(const Affine& outer, const Affine& inner);

// Requires: a determinant other than 0.
Affine inverse(const Affine& m);

// The map that a place takes when its picture is turned and mirrored as `oriented` does.
Affine orientation_map(int orientation);

// The corners of the second picture, clockwise from its upper left one, as places in the first.
std::array<Point, 4> frame_of_second(const Affine& first_to_second);

// Share of the first picture that the second one covers: the area of the second one's frame within
// the unit square.
double covered_share(const Affine& first_to_second);

}  // namespace twinsift
