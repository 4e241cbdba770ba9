// SPDX-License-Identifier: Apache-2.0
#include "base/planar.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

void expect_near(Point a, Point b, double tolerance = 1e-12) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
}

const PlanarMap kLeaning{.m = {1.1, 0.2, -0.3, -0.1, 0.9, 0.4, 0.1, -0.2, 1}};

TEST(Planar, InverseUndoesTheMap) {
  const auto back = inverse(kLeaning);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->m[8], 1);
  for (const Point p : {Point{0, 0}, {1, 0}, {0.3, 0.8}}) {
    expect_near((*back)(kLeaning(p)), p);
    expect_near(compose(*back, kLeaning)(p), p);
  }
}

TEST(Planar, ComposeAppliesTheInnerFirst) {
  const PlanarMap shift{.m = {1, 0, 5, 0, 1, 7, 0, 0, 1}};
  expect_near(compose(scaling(2, 3), shift)({1, 1}), {12, 24});
  expect_near(compose(shift, scaling(2, 3))({1, 1}), {7, 10});
}

TEST(Planar, SingularMapsHaveNoInverse) {
  EXPECT_FALSE(inverse(scaling(1, 0)));
  EXPECT_FALSE(normalised({.m = {1, 0, 0, 0, 1, 0, 1, 0, 0}}));
}

TEST(Planar, SlopeIsWhatSmallStepsSee) {
  const Point p{0.4, 0.7};
  const double h = 1e-6;
  const auto slope = kLeaning.slope(p);
  const Point at = kLeaning(p);
  const Point right = kLeaning({p.x + h, p.y});
  const Point below = kLeaning({p.x, p.y + h});
  EXPECT_NEAR(slope[0], (right.x - at.x) / h, 1e-5);
  EXPECT_NEAR(slope[1], (below.x - at.x) / h, 1e-5);
  EXPECT_NEAR(slope[2], (right.y - at.y) / h, 1e-5);
  EXPECT_NEAR(slope[3], (below.y - at.y) / h, 1e-5);
}

TEST(Planar, HullHasTheOuterPointsOnly) {
  const std::vector<Point> points = {{0, 0}, {2, 0}, {1, 1}, {2, 2}, {0, 2}, {1, 0}, {2, 2}};
  EXPECT_EQ(convex_hull(points).size(), 4U);
  EXPECT_DOUBLE_EQ(polygon_area(convex_hull(points)), 4);
}

TEST(Planar, PointsOnALineSpanNothing) {
  const std::vector<Point> line = {{0, 0}, {1, 1}, {2, 2}, {0.5, 0.5}};
  EXPECT_EQ(polygon_area(convex_hull(line)), 0);
  EXPECT_EQ(polygon_area(convex_hull(std::vector<Point>(5, Point{1, 2}))), 0);
  EXPECT_EQ(polygon_area(convex_hull({})), 0);
}

// Every point lies on the inner side of every edge.
TEST(Planar, HullContainsAllPoints) {
  Rng rng(3);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Point> points;
    for (int i = 0; i < 30; ++i) points.push_back({rng.uniform(), rng.uniform()});
    const auto hull = convex_hull(points);
    for (std::size_t i = 0; i < hull.size(); ++i) {
      const Point a = hull[i];
      const Point b = hull[(i + 1) % hull.size()];
      for (const Point p : points) {
        EXPECT_GE((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x), -1e-12);
      }
    }
  }
}

TEST(Planar, ClippingKeepsWhatIsInside) {
  const std::vector<Point> diamond = {{0.5, -0.5}, {1.5, 0.5}, {0.5, 1.5}, {-0.5, 0.5}};
  EXPECT_NEAR(polygon_area(clip_to_unit(diamond)), 1, 1e-12);  // it contains the square
  const std::vector<Point> corner = {{-1, -1}, {0.5, -1}, {0.5, 0.25}, {-1, 0.25}};
  EXPECT_NEAR(polygon_area(clip_to_unit(corner)), 0.125, 1e-12);
  const std::vector<Point> outside = {{2, 2}, {3, 2}, {3, 3}};
  EXPECT_TRUE(clip_to_unit(outside).empty());
  EXPECT_TRUE(clip_to_unit({}).empty());
}

// The share of random points in both figures is the area of the clipped one.
TEST(Planar, ClippedAreaIsThatOfRandomPoints) {
  const std::vector<Point> triangle = {{-0.3, 0.2}, {1.2, -0.4}, {0.7, 1.6}};
  const auto side = [&](std::size_t i, Point p) {
    const Point a = triangle[i];
    const Point b = triangle[(i + 1) % 3];
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0;
  };
  Rng rng(5);
  const int trials = 40000;
  int hits = 0;
  for (int i = 0; i < trials; ++i) {
    const Point p{rng.uniform(), rng.uniform()};
    if (side(0, p) && side(1, p) && side(2, p)) ++hits;
  }
  EXPECT_NEAR(polygon_area(clip_to_unit(triangle)), static_cast<double>(hits) / trials,
              4 * std::sqrt(0.25 / trials));
}

}  // namespace
}  // namespace twinsift
