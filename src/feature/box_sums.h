// SPDX-License-Identifier: Apache-2.0
// A picture brought to another size: each pixel stands for the rectangle of the picture it covers.
#pragma once

#include <cstdint>
#include <vector>

#include "feature/grey_image.h"

namespace twinsift {

// The sums over width x height equal rectangles, row by row from the top; a pixel on a border
// counts in part.  Exact: they are in units of 1 / (width * height) of a pixel, so that the mean of
// a rectangle is its sum divided by the picture's own width * height.  Requires: no size is 0.
std::vector<std::uint64_t> box_sums(const GreyView& picture, std::uint32_t width,
                                    std::uint32_t height);

// The same as means, rounded.
std::vector<std::uint8_t> box_means(const GreyView& picture, std::uint32_t width,
                                    std::uint32_t height);

}  // namespace twinsift
