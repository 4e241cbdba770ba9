// SPDX-License-Identifier: Apache-2.0
// SIFT: places in a picture that are found again in copies of it, cropped, turned, scaled or
// drawn on, and a description of each.
//
// scale_space.h blurs the picture, extrema.h finds what stands out, sift_descriptor.h describes it;
// here the best of all octaves are chosen.
//
// Papers:  D. Lowe, "Distinctive Image Features from Scale-Invariant Keypoints", IJCV 60, 2004.
// Differs: the picture is not doubled first unless asked for; only the strongest are described.
#pragma once

#include <cstdint>

#include "feature/grey_image.h"
#include "feature/key_points.h"
#include "feature/sift_descriptor.h"

namespace twinsift {

struct SiftOptions {
  int first_octave = 0;  // -1: the picture is doubled first
  std::uint32_t max_points = 400;
  float least_contrast = 2.5F;  // of 255
  float most_edge = 10;
  DescriptorKind kind = DescriptorKind::kRootSift;
};

// The strongest first.  A picture may have none.  Requires: width * height pixels.
KeyPoints find_key_points(const GreyView& picture, const SiftOptions& options = {});

}  // namespace twinsift
