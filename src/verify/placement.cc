// SPDX-License-Identifier: Apache-2.0
#include "verify/placement.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace twinsift {
namespace {

// The corners of one picture in the other; nothing if some lie behind the viewer.
std::optional<std::array<Point, 4>> frame_of(const PlanarMap& map) {
  std::array<Point, 4> frame;
  for (std::size_t i = 0; i < 4; ++i) {
    if (!(map.weight(kUnitCorners[i]) > 0)) return std::nullopt;
    frame[i] = map(kUnitCorners[i]);
  }
  return frame;
}

}  // namespace

std::optional<Placement> placement_of(const PlanarMap& a_to_b, PictureSize a, PictureSize b) {
  const auto forward = normalised(a_to_b);
  const auto back = inverse(a_to_b);
  if (!forward || !back) return std::nullopt;
  const auto frame_of_a = frame_of(*forward);
  const auto frame_of_b = frame_of(*back);
  if (!frame_of_a || !frame_of_b) return std::nullopt;
  Placement placement;
  placement.a_to_b = forward->m;
  placement.frame_of_b = *frame_of_b;
  const auto shared = clip_to_unit(*frame_of_b);
  placement.covered_a = polygon_area(shared);
  placement.covered_b = polygon_area(clip_to_unit(*frame_of_a));

  // Scale and direction in the middle of what both show, or of a if that is nothing.
  Point middle{0.5, 0.5};
  if (!shared.empty()) {
    middle = {0, 0};
    for (const Point p : shared) {
      middle.x += p.x / static_cast<double>(shared.size());
      middle.y += p.y / static_cast<double>(shared.size());
    }
  }
  auto slope = forward->slope(middle);
  slope[0] *= b.width / a.width;
  slope[1] *= b.width / a.height;
  slope[2] *= b.height / a.width;
  slope[3] *= b.height / a.height;
  const double determinant = slope[0] * slope[3] - slope[1] * slope[2];
  placement.mirrored = determinant < 0;
  placement.scale = std::sqrt(std::abs(determinant));
  if (placement.mirrored) {  // what is left after a was turned left side right
    slope[0] = -slope[0];
    slope[2] = -slope[2];
  }
  const double degrees =
      std::atan2(slope[2] - slope[1], slope[0] + slope[3]) * 180 / std::numbers::pi;
  placement.turned = degrees <= -180 ? 180 : degrees;
  return placement;
}

std::optional<Placement> reversed(const Placement& placement, PictureSize a, PictureSize b) {
  const auto map = inverse({.m = placement.a_to_b});
  if (!map) return std::nullopt;
  auto other = placement_of(*map, b, a);
  if (!other) return std::nullopt;
  for (const PointPair& pair : placement.points) other->points.push_back({pair.b, pair.a});
  return other;
}

}  // namespace twinsift
