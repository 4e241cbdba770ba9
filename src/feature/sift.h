// SPDX-License-Identifier: Apache-2.0
// SIFT: places in a picture that are found again in copies of it, cropped, turned, scaled or
// drawn on, and a description of each.
//
// scale_space.h blurs the picture, extrema.h finds what stands out, sift_descriptor.h describes it;
// here the best of all octaves are chosen.
//
// Papers:  D. Lowe, "Distinctive Image Features from Scale-Invariant Keypoints", IJCV 60, 2004.
// Differs: only small pictures are doubled first; fainter points count (1.5 of 255; Lowe: 7.7),
// also
//          those with more of an edge (15; Lowe: 10), as the strongest are chosen anyway.
// Cost:    17 ms for 640 x 480 pixels and 400 points.
#pragma once

#include <cstdint>

#include "feature/grey_image.h"
#include "feature/key_points.h"
#include "feature/sift_descriptor.h"

namespace twinsift {

struct SiftOptions {
  // Pictures whose shorter side is below this are doubled first: they have few points otherwise,
  // and cost little.
  std::uint32_t double_below = 256;
  std::uint32_t max_points = 400;
  float least_contrast = 1.5F;  // of 255
  float most_edge = 15;         // ratio of curvatures
  DescriptorKind kind = DescriptorKind::kRootSift;
};

// The strongest first.  A picture may have none.  Requires: width * height pixels.
KeyPoints find_key_points(const GreyView& picture, const SiftOptions& options = {});

}  // namespace twinsift
