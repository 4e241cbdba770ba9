// SPDX-License-Identifier: Apache-2.0
#include "verify/affine.h"

#include <cassert>
#include <cmath>
#include <vector>

namespace twinsift {
namespace {

// What is left of a convex polygon where a x + b y + c >= 0 (Sutherland, Hodgman 1974).
std::vector<Point> clipped(const std::vector<Point>& polygon, double a, double b, double c) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& p = polygon[i];
    const Point& q = polygon[(i + 1) % polygon.size()];
    const double at_p = a * p.x + b * p.y + c;
    const double at_q = a * q.x + b * q.y + c;
    if (at_p >= 0) kept.push_back(p);
    if ((at_p >= 0) == (at_q >= 0)) continue;
    const double t = at_p / (at_p - at_q);
    kept.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
  }
  return kept;
}

}  // namespace

Affine compose(const Affine& outer, const Affine& inner) {
  const Point origin = mapped(outer, {inner[2], inner[5]});
  return {outer[0] * inner[0] + outer[1] * inner[3],
          outer[0] * inner[1] + outer[1] * inner[4],
          origin.x,
          outer[3] * inner[0] + outer[4] * inner[3],
          outer[3] * inner[1] + outer[4] * inner[4],
          origin.y};
}

Affine inverse(const Affine& m) {
  const double d = determinant(m);
  assert(d != 0);
  return {m[4] / d,  -m[1] / d, (m[1] * m[5] - m[4] * m[2]) / d,
          -m[3] / d, m[0] / d,  (m[3] * m[2] - m[0] * m[5]) / d};
}

Affine orientation_map(int orientation) {
  constexpr Affine kMirror = {-1, 0, 1, 0, 1, 0};
  constexpr Affine kQuarterTurn = {0, -1, 1, 1, 0, 0};  // clockwise, where y points down
  Affine map = orientation >= 4 ? kMirror : kIdentity;
  for (int turn = 0; turn < orientation % 4; ++turn) map = compose(kQuarterTurn, map);
  return map;
}

std::array<Point, 4> frame_of_second(const Affine& first_to_second) {
  const Affine back = inverse(first_to_second);
  return {mapped(back, {0, 0}), mapped(back, {1, 0}), mapped(back, {1, 1}), mapped(back, {0, 1})};
}

double covered_share(const Affine& first_to_second) {
  const std::array<Point, 4> frame = frame_of_second(first_to_second);
  std::vector<Point> polygon(frame.begin(), frame.end());
  polygon = clipped(polygon, 1, 0, 0);
  polygon = clipped(polygon, -1, 0, 1);
  polygon = clipped(polygon, 0, 1, 0);
  polygon = clipped(polygon, 0, -1, 1);
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& p = polygon[i];
    const Point& q = polygon[(i + 1) % polygon.size()];
    twice += p.x * q.y - q.x * p.y;
  }
  return std::fabs(twice) / 2;
}

}  // namespace twinsift
