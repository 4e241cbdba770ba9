// SPDX-License-Identifier: Apache-2.0
// A picture squeezed into a square: each pixel stands for the rectangle of the picture it covers.
#pragma once

#include <cstdint>
#include <vector>

#include "feature/grey_image.h"

namespace twinsift {

// The sums over side x side equal rectangles, row by row from the top; a pixel on a border counts
// in part.  Exact: they are in units of 1 / side^2 of a pixel, so that the mean of a rectangle is
// its sum divided by width * height.  Requires: neither width nor height is 0.
std::vector<std::uint64_t> box_sums(const GreyView& picture, std::uint32_t side);

}  // namespace twinsift
