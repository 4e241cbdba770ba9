// SPDX-License-Identifier: Apache-2.0
#include "verify/fit_map.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace twinsift {
namespace {

// A cloud this flat, in relation to its length, does not say what happens across it.
constexpr double kFlattest = 1e-3;
// Below this part of the largest, a pivot is what rounding left of 0.
constexpr double kSmallestPivot = 1e-9;

struct Frame {
  Point mean;
  double scale = 1;
  [[nodiscard]] Point operator()(Point p) const {
    return {(p.x - mean.x) * scale, (p.y - mean.y) * scale};
  }
  [[nodiscard]] PlanarMap map() const {
    return {.m = {scale, 0, -mean.x * scale, 0, scale, -mean.y * scale, 0, 0, 1}};
  }
  [[nodiscard]] PlanarMap back() const {
    return {.m = {1 / scale, 0, mean.x, 0, 1 / scale, mean.y, 0, 0, 1}};
  }
};

template <class Member>
std::optional<Frame> frame_of(std::span<const PointPair> pairs, Member member) {
  Frame frame;
  const auto count = static_cast<double>(pairs.size());
  for (const PointPair& pair : pairs) {
    frame.mean.x += (pair.*member).x / count;
    frame.mean.y += (pair.*member).y / count;
  }
  double square = 0;
  for (const PointPair& pair : pairs) {
    const double x = (pair.*member).x - frame.mean.x;
    const double y = (pair.*member).y - frame.mean.y;
    square += (x * x + y * y) / count;
  }
  frame.scale = std::sqrt(2 / square);
  // Equal points leave a mean that is off by a rounding.
  const double size = std::abs(frame.mean.x) + std::abs(frame.mean.y);
  if (!(frame.scale * size < 1e9) || !std::isfinite(frame.scale)) return std::nullopt;
  return frame;
}

struct Frames {
  Frame a;
  Frame b;
};

std::optional<Frames> frames_of(std::span<const PointPair> pairs, std::size_t least) {
  if (pairs.size() < least) return std::nullopt;
  const auto a = frame_of(pairs, &PointPair::a);
  const auto b = frame_of(pairs, &PointPair::b);
  if (!a || !b) return std::nullopt;
  return Frames{*a, *b};
}

PlanarMap unframed(const Frames& frames, const PlanarMap& map) {
  return compose(frames.b.back(), compose(map, frames.a.map()));
}

// Second moments of the a side, and of a with b, in their frames.
struct Moments {
  double uu = 0, uv = 0, vv = 0;
  double ux = 0, vx = 0, uy = 0, vy = 0;
};

Moments moments_of(std::span<const PointPair> pairs, const Frames& frames) {
  Moments sum;
  for (const PointPair& pair : pairs) {
    const Point a = frames.a(pair.a);
    const Point b = frames.b(pair.b);
    sum.uu += a.x * a.x;
    sum.uv += a.x * a.y;
    sum.vv += a.y * a.y;
    sum.ux += a.x * b.x;
    sum.vx += a.y * b.x;
    sum.uy += a.x * b.y;
    sum.vy += a.y * b.y;
  }
  return sum;
}

bool flat(const Moments& sum) {
  const double trace = sum.uu + sum.vv;
  return sum.uu * sum.vv - sum.uv * sum.uv <= kFlattest * trace * trace;
}

// Solves rows x = right by elimination with pivots; the rows are symmetric and of rank 8, or not.
using System = std::array<std::array<double, 9>, 8>;

std::optional<std::array<double, 8>> solve(System& rows) {
  double largest = 0;
  for (std::size_t column = 0; column < 8; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < 8; ++row) {
      if (std::abs(rows[row][column]) > std::abs(rows[pivot][column])) pivot = row;
    }
    std::swap(rows[pivot], rows[column]);
    const double size = std::abs(rows[column][column]);
    largest = size > largest ? size : largest;
    if (!(size > largest * kSmallestPivot)) return std::nullopt;
    for (std::size_t row = 0; row < 8; ++row) {
      if (row == column) continue;
      const double factor = rows[row][column] / rows[column][column];
      for (std::size_t k = column; k < 9; ++k) rows[row][k] -= factor * rows[column][k];
    }
  }
  std::array<double, 8> solution{};
  for (std::size_t i = 0; i < 8; ++i) solution[i] = rows[i][8] / rows[i][i];
  return solution;
}

void add_equation(System& rows, const std::array<double, 9>& equation) {
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t k = 0; k < 9; ++k) rows[i][k] += equation[i] * equation[k];
  }
}

}  // namespace

std::optional<PlanarMap> fit_similarity(std::span<const PointPair> pairs) {
  const auto frames = frames_of(pairs, 2);
  if (!frames) return std::nullopt;
  const Moments sum = moments_of(pairs, *frames);
  const double size = sum.uu + sum.vv;
  const double p = (sum.ux + sum.vy) / size;
  const double q = (sum.uy - sum.vx) / size;
  if (p * p + q * q < kFlattest) return std::nullopt;  // a and b have nothing in common
  return unframed(*frames, {.m = {p, -q, 0, q, p, 0, 0, 0, 1}});
}

std::optional<PlanarMap> fit_affine(std::span<const PointPair> pairs) {
  const auto frames = frames_of(pairs, 3);
  if (!frames) return std::nullopt;
  const Moments sum = moments_of(pairs, *frames);
  if (flat(sum)) return std::nullopt;
  const double determinant = sum.uu * sum.vv - sum.uv * sum.uv;
  return unframed(*frames, {.m = {(sum.ux * sum.vv - sum.vx * sum.uv) / determinant,
                                  (sum.vx * sum.uu - sum.ux * sum.uv) / determinant, 0,
                                  (sum.uy * sum.vv - sum.vy * sum.uv) / determinant,
                                  (sum.vy * sum.uu - sum.uy * sum.uv) / determinant, 0, 0, 0, 1}});
}

std::optional<PlanarMap> fit_homography(std::span<const PointPair> pairs) {
  const auto frames = frames_of(pairs, 4);
  if (!frames || flat(moments_of(pairs, *frames))) return std::nullopt;
  System rows{};
  for (const PointPair& pair : pairs) {
    const Point a = frames->a(pair.a);
    const Point b = frames->b(pair.b);
    add_equation(rows, {a.x, a.y, 1, 0, 0, 0, -b.x * a.x, -b.x * a.y, b.x});
    add_equation(rows, {0, 0, 0, a.x, a.y, 1, -b.y * a.x, -b.y * a.y, b.y});
  }
  const auto h = solve(rows);
  if (!h) return std::nullopt;
  return normalised(unframed(
      *frames, {.m = {(*h)[0], (*h)[1], (*h)[2], (*h)[3], (*h)[4], (*h)[5], (*h)[6], (*h)[7], 1}}));
}

}  // namespace twinsift
