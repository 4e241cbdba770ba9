// SPDX-License-Identifier: Apache-2.0
#include "base/planar.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace twinsift {
namespace {

// Positive if a, b, c turn from +x towards +y.
double cross(Point a, Point b, Point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The part where `inside` is not negative; it is linear along each side.
std::vector<Point> clip(std::span<const Point> corners,
                        const std::function<double(Point)>& inside) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point from = corners[i];
    const Point to = corners[(i + 1) % corners.size()];
    const double at_from = inside(from);
    const double at_to = inside(to);
    if (at_from >= 0) kept.push_back(from);
    if ((at_from < 0) != (at_to < 0)) {
      const double share = at_from / (at_from - at_to);
      kept.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
    }
  }
  return kept;
}

}  // namespace

std::array<double, 4> PlanarMap::slope(Point p) const {
  const double w = weight(p);
  const Point q = (*this)(p);
  return {(m[0] - q.x * m[6]) / w, (m[1] - q.x * m[7]) / w, (m[3] - q.y * m[6]) / w,
          (m[4] - q.y * m[7]) / w};
}

PlanarMap scaling(double x, double y) { return {.m = {x, 0, 0, 0, y, 0, 0, 0, 1}}; }

PlanarMap compose(const PlanarMap& outer, const PlanarMap& inner) {
  PlanarMap product{.m = {}};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      for (std::size_t k = 0; k < 3; ++k) {
        product.m[3 * row + column] += outer.m[3 * row + k] * inner.m[3 * k + column];
      }
    }
  }
  return product;
}

std::optional<PlanarMap> normalised(const PlanarMap& map) {
  PlanarMap result = map;
  for (double& entry : result.m) {
    entry /= map.m[8];
    if (!std::isfinite(entry)) return std::nullopt;
  }
  return result;
}

std::optional<PlanarMap> inverse(const PlanarMap& map) {
  const auto& m = map.m;
  const PlanarMap adjugate{
      .m = {m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]}};
  const double determinant = m[0] * adjugate.m[0] + m[1] * adjugate.m[3] + m[2] * adjugate.m[6];
  if (determinant == 0) return std::nullopt;
  return normalised(adjugate);
}

std::vector<Point> convex_hull(std::span<const Point> points) {
  std::vector<Point> sorted(points.begin(), points.end());
  std::ranges::sort(sorted, [](Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted.size() < 3) return sorted;
  std::vector<Point> hull;
  // Once from left to right along one side, once back along the other.
  for (int side = 0; side < 2; ++side) {
    const std::size_t first = hull.size();
    for (const Point p : sorted) {
      while (hull.size() >= first + 2 && cross(hull[hull.size() - 2], hull.back(), p) <= 0) {
        hull.pop_back();
      }
      hull.push_back(p);
    }
    hull.pop_back();  // the other side begins with it
    std::ranges::reverse(sorted);
  }
  return hull;
}

double polygon_area(std::span<const Point> corners) {
  double twice = 0;
  for (std::size_t i = 2; i < corners.size(); ++i) {
    twice += cross(corners[0], corners[i - 1], corners[i]);
  }
  return std::abs(twice) / 2;
}

std::vector<Point> clip_to_unit(std::span<const Point> corners) {
  auto part = clip(corners, [](Point p) { return p.x; });
  part = clip(part, [](Point p) { return 1 - p.x; });
  part = clip(part, [](Point p) { return p.y; });
  return clip(part, [](Point p) { return 1 - p.y; });
}

}  // namespace twinsift
