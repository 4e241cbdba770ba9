// SPDX-License-Identifier: Apache-2.0
// What a thumbnail looks like to those who compare it pixel by pixel.
//
// Most of the variance of a photograph is in its largest structures, and these are alike in many
// photographs: bright sky above, dark ground below.  So the local mean is taken away; what is left
// are structures of a few pixels, which tell pictures apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "feature/thumbnail.h"

namespace twinsift {

struct Plane {
  static constexpr std::uint32_t kMaxSide = kThumbnailSide;
  static constexpr std::size_t kStride = kMaxSide;  // from row to row, whatever the side
  using Pixels = std::array<float, kStride * kMaxSide>;

  std::uint32_t side = 0;
  Pixels at;  // only the first `side` columns and rows have a meaning
};

// The grey levels as they are.
Plane grey_plane(const Thumbnail& thumbnail);

// Without the local mean, and slightly smoothed, so that half a pixel of displacement does not
// matter.
Plane detail_plane(const Thumbnail& thumbnail);

// The same at a side of 32 or 16, and divided by the local contrast, so that the edges of a caption
// or a border weigh no more than other structures.
Plane coarse_plane(const Thumbnail& thumbnail, std::uint32_t side);

}  // namespace twinsift
