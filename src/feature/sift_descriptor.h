// SPDX-License-Identifier: Apache-2.0
// What a key point looks like, told so that it is the same in turned, scaled and brightened copies.
//
// The direction of most gradients around a point becomes its own.  A square of 12 sigma, turned by
// it, is cut into 4 x 4 cells, and each gets a histogram of its gradients in eight directions.  Of
// these 128 numbers, scaled to length 1, none may be above 0.2, so that no single edge or glare
// decides.
//
// Papers:  D. Lowe, "Distinctive Image Features from Scale-Invariant Keypoints", IJCV 60, 2004,
//          sections 5 and 6.
//          R. Arandjelovic, A. Zisserman, "Three things everyone should know to improve object
//          retrieval", CVPR 2012: square roots of numbers scaled to the sum 1 (RootSIFT).
// Differs: the square is sampled first, at 18 x 18 places that lie 3/4 sigma apart, and gradients
// are
//          differences of these samples.  The blur at sigma leaves nothing between them, the cost
//          does not depend on sigma, and the descriptor of a mirrored picture is a permutation.
// Cost:    20 us a point, with its orientation.
#pragma once

#include <vector>

#include "feature/blur.h"
#include "feature/key_points.h"

namespace twinsift {

// A place in a plane that was blurred to about its sigma, in pixels of the plane.
struct PlaneSpot {
  const Plane& plane;
  float x = 0;
  float y = 0;
  float sigma = 0;
};

// In turns, [0, 1), from +x towards +y, ascending: the direction of most gradients and those with
// at least 80 % of its.  None around a spot without gradients.
std::vector<float> orientations_at(const PlaneSpot& spot);

enum class DescriptorKind : std::uint8_t { kSift, kRootSift };

// Entry (row * 4 + column) * 8 + direction; columns run along the orientation, rows a quarter turn
// from it, towards +y for orientation 0, and directions turn the same way.
SiftDescriptor descriptor_at(const PlaneSpot& spot, float turns, DescriptorKind kind);

// The descriptor that the same point has in the picture mirrored left to right.
SiftDescriptor mirrored(const SiftDescriptor& descriptor);

}  // namespace twinsift
