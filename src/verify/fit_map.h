// SPDX-License-Identifier: Apache-2.0
// The map of the plane that brings one set of points closest to another, by least squares.
//
// Both sets are first moved and scaled to mean 0 and mean square distance 2 from it, which makes
// the equations well conditioned (Hartley 1997).  A similarity has a closed form; an affine map
// takes two systems of 2 x 2; a homography the 8 x 8 normal equations of
//     x (h6 u + h7 v + 1) = h0 u + h1 v + h2,    y (h6 u + h7 v + 1) = h3 u + h4 v + h5.
// Each refuses points that do not determine it: all in one place, or, but for similarities, all
// nearly on a line.
//
// Papers:  Hartley, "In Defense of the Eight-Point Algorithm", PAMI 1997.
//          Umeyama, "Least-Squares Estimation of Transformation Parameters between Two Point
//          Patterns", PAMI 1991.
// Differs: the homography has its last entry fixed, after moving: it must not send the middle of
//          the points to infinity, and none that we accept does.
// Cost:    linear in the points: 5 ns, 10 ns and 100 ns each.
#pragma once

#include <optional>
#include <span>

#include "base/planar.h"

namespace twinsift {

// From a to b.  At least 2, 3 and 4 pairs, else nothing.  None of them is a mirror image: a
// similarity cannot be one, and the caller checks the others.
std::optional<PlanarMap> fit_similarity(std::span<const PointPair> pairs);
std::optional<PlanarMap> fit_affine(std::span<const PointPair> pairs);
std::optional<PlanarMap> fit_homography(std::span<const PointPair> pairs);

}  // namespace twinsift
