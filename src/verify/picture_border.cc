// SPDX-License-Identifier: Apache-2.0
#include "verify/picture_border.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

namespace twinsift {
namespace {

constexpr int kSide = static_cast<int>(kThumbnailSide);
constexpr double kNearlyAll = 0.9;    // of a picture that the other shows
constexpr double kAll = 0.98;         // what rounding at the edges leaves of all
constexpr double kAsFine = 1 / 1.05;  // in pixels along a line: what a placement may be wrong by
constexpr std::size_t kLeastOutside = 48;  // a row of the thumbnail, but for its corners
constexpr double kFlat = 0.6;
constexpr double kEdge = 0.5;
constexpr int kSameShade = 6;
constexpr int kOtherShade = 12;
constexpr std::size_t kSides = 4;  // left, right, top, bottom

// Where a pixel of the thumbnail, or one around it, lies in the other picture.
struct Cell {
  double beyond = 0;  // how far outside; below 0 if inside
  std::size_t side = 0;
};

class Cells {
 public:
  explicit Cells(const PlanarMap& to_other) : cells_(std::size_t{kSide + 2} * (kSide + 2)) {
    for (int y = -1; y <= kSide; ++y) {
      for (int x = -1; x <= kSide; ++x) cell(x, y) = placed(to_other, x, y);
    }
  }

  [[nodiscard]] const Cell& at(int x, int y) const { return cells_[index(x, y)]; }
  // Whether it and all around it are.
  [[nodiscard]] bool outside(int x, int y) const {
    return all_around(x, y, [](const Cell& c) { return c.beyond > 0; });
  }
  [[nodiscard]] bool inside(int x, int y) const {
    return all_around(x, y, [](const Cell& c) { return c.beyond <= 0; });
  }
  // Pixels of the thumbnail outside the other picture, within so many of this one.
  [[nodiscard]] bool near_outside(int x, int y) const {
    constexpr int kReach = 2;
    for (int v = std::max(0, y - kReach); v <= std::min(kSide - 1, y + kReach); ++v) {
      for (int u = std::max(0, x - kReach); u <= std::min(kSide - 1, x + kReach); ++u) {
        if (at(u, v).beyond > 0) return true;
      }
    }
    return false;
  }

 private:
  static std::size_t index(int x, int y) {
    return static_cast<std::size_t>((y + 1) * (kSide + 2) + x + 1);
  }
  Cell& cell(int x, int y) { return cells_[index(x, y)]; }

  static Cell placed(const PlanarMap& map, int x, int y) {
    const Point from{(x + 0.5) / kSide, (y + 0.5) / kSide};
    if (!(map.weight(from) > 0)) return {1, 0};
    const Point to = map(from);
    const std::array<double, kSides> beyond = {-to.x, to.x - 1, -to.y, to.y - 1};
    const auto most = std::ranges::max_element(beyond);
    return {*most, static_cast<std::size_t>(most - beyond.begin())};
  }

  template <class Is>
  [[nodiscard]] bool all_around(int x, int y, Is is) const {
    for (int v = y - 1; v <= y + 1; ++v) {
      for (int u = x - 1; u <= x + 1; ++u) {
        if (!is(at(u, v))) return false;
      }
    }
    return true;
  }

  std::vector<Cell> cells_;
};

// Of some pixels those that are as they should be.
struct Share {
  std::size_t all = 0;
  std::size_t good = 0;
  void add(bool is_good) { ++all, good += is_good ? 1 : 0; }
  [[nodiscard]] bool reaches(double share) const {
    return all > 0 && static_cast<double>(good) >= share * static_cast<double>(all);
  }
};

}  // namespace

bool has_border(const Thumbnail& thumbnail, const PlanarMap& to_other) {
  const Cells cells(to_other);
  const auto shade = [&](int x, int y) {
    return int{thumbnail[static_cast<std::size_t>(y * kSide + x)]};
  };
  std::array<std::vector<int>, kSides> shades;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      if (cells.outside(x, y)) shades[cells.at(x, y).side].push_back(shade(x, y));
    }
  }
  Share flat;
  std::array<int, kSides> colour{};
  for (std::size_t side = 0; side < kSides; ++side) {
    std::vector<int>& own = shades[side];
    if (own.empty()) continue;
    std::ranges::nth_element(own, own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2));
    colour[side] = own[own.size() / 2];
    for (const int s : own) flat.add(std::abs(s - colour[side]) <= kSameShade);
  }
  if (flat.all < kLeastOutside || !flat.reaches(kFlat)) return false;
  Share edge;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const std::size_t side = cells.at(x, y).side;
      if (shades[side].empty() || !cells.inside(x, y) || !cells.near_outside(x, y)) continue;
      edge.add(std::abs(shade(x, y) - colour[side]) > kOtherShade);
    }
  }
  return edge.reaches(kEdge);
}

Borders borders_of(const Thumbnail& a, const Thumbnail& b, const Placement& placement) {
  const PlanarMap a_to_b{.m = placement.a_to_b};
  const auto b_to_a = inverse(a_to_b);
  return {.a = placement.covered_a < kAll && has_border(a, a_to_b),
          .b = placement.covered_b < kAll && b_to_a && has_border(b, *b_to_a)};
}

void note_borders(const Placement& placement, const Borders& borders, std::vector<Fact>& facts_a,
                  std::vector<Fact>& facts_b) {
  const auto note = [](std::vector<Fact>& facts, double covered) {
    const bool known = std::ranges::find(facts, "border", &Fact::first) != facts.end();
    if (!known) facts.emplace_back("border", fmt::format("{:.0f} %", 100 * (1 - covered)));
  };
  if (borders.a) note(facts_a, placement.covered_a);
  if (borders.b) note(facts_b, placement.covered_b);
}

bool is_bordered_copy(const Placement& placement, const Borders& borders) {
  return borders.a && !borders.b && placement.covered_b >= kNearlyAll && placement.scale >= kAsFine;
}

}  // namespace twinsift
