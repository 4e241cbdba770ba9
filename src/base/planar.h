// SPDX-License-Identifier: Apache-2.0
// Projective maps of the plane, and areas of convex figures in it.
//
//     (x, y)  ->  ((m0 x + m1 y + m2) / w, (m3 x + m4 y + m5) / w),     w = m6 x + m7 y + m8.
//
// Only +, -, *, / and sqrt, so that the numbers are the same everywhere.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "twinsift/types.h"

namespace twinsift {

struct PlanarMap {
  std::array<double, 9> m = {1, 0, 0, 0, 1, 0, 0, 0, 1};

  [[nodiscard]] double weight(Point p) const { return m[6] * p.x + m[7] * p.y + m[8]; }

  // Requires: weight(p) is not 0.
  [[nodiscard]] Point operator()(Point p) const {
    const double w = weight(p);
    return {(m[0] * p.x + m[1] * p.y + m[2]) / w, (m[3] * p.x + m[4] * p.y + m[5]) / w};
  }

  // Row by row what the map does to small steps around p.  Requires: weight(p) is not 0.
  [[nodiscard]] std::array<double, 4> slope(Point p) const;
};

PlanarMap scaling(double x, double y);

// First `inner`, then `outer`.
PlanarMap compose(const PlanarMap& outer, const PlanarMap& inner);

// Scaled so that the last entry is 1; nothing if the map is singular or this entry would be 0.
std::optional<PlanarMap> inverse(const PlanarMap& map);
std::optional<PlanarMap> normalised(const PlanarMap& map);

// The smallest convex figure around points, its corners in order of angle; fewer than three if all
// lie on a line.
std::vector<Point> convex_hull(std::span<const Point> points);

// Of a simple polygon; never negative.
double polygon_area(std::span<const Point> corners);

// The part of a convex polygon with 0 <= x <= 1 and 0 <= y <= 1.
std::vector<Point> clip_to_unit(std::span<const Point> corners);

// Corners of the unit square, clockwise from the upper left one where y points down.
inline constexpr std::array<Point, 4> kUnitCorners = {Point{0, 0}, {1, 0}, {1, 1}, {0, 1}};

}  // namespace twinsift
