// SPDX-License-Identifier: Apache-2.0
// Of the part that two pictures should share, how much they do share.
//
// A logo, a caption or a frame on two different photos gives key points that agree perfectly on a
// map, and by this map the photos themselves should agree, too; but they do not.  So the shared
// part is cut into cells, 8 x 8 in the picture that is covered more; a cell in which both pictures
// have key points that the other could have agrees if one of the inliers lies in it.  The share of
// the agreeing cells is what tells a copy from a common ornament.
//
// Cost: one mapping of each key point; 10 ns each.
#pragma once

#include <span>

#include "base/planar.h"
#include "feature/key_points.h"

namespace twinsift {

struct SharedPart {
  PlanarMap a_to_b;  // of places, 0 to 1 in each picture
  PlanarMap b_to_a;
  double scale = 1;  // pixels of b for one of a
  bool cells_in_a = true;
};

// 0 to 1; cells with many key points count more, up to three times as much.
double agreement_of(const LocalWords& a, const LocalWords& b, const SharedPart& part,
                    std::span<const PointPair> inliers);

}  // namespace twinsift
