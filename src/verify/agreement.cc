// SPDX-License-Identifier: Apache-2.0
#include "verify/agreement.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/portable_math.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kCells = 8;  // in a row
constexpr std::uint32_t kMostWeight = 3;
// Key points within a quarter of an octave of the smallest scale may fall below it in a copy.
constexpr double kScaleMargin = 64;  // in units of LocalWord::scale

using Counts = std::array<std::uint32_t, std::size_t{kCells} * kCells>;

bool inside(Point p) { return p.x >= 0 && p.x < 1 && p.y >= 0 && p.y < 1; }

std::size_t cell_of(Point p) {
  return static_cast<std::size_t>(p.y * kCells) * kCells + static_cast<std::size_t>(p.x * kCells);
}

// The key points of `words` that lie, at a scale that is seen there, in the other picture: by cells
// of their own picture, or of the other one.
Counts count_seen(const LocalWords& words, const LocalWords& other, const PlanarMap& map,
                  double octaves, bool own_cells) {
  Counts counts{};
  if (other.words.empty()) return counts;
  const auto [smallest, largest] =
      std::ranges::minmax(other.words, {}, [](const LocalWord& word) { return word.scale; });
  for (const LocalWord& word : words.words) {
    const Point own{word.x / 65536.0, word.y / 65536.0};
    if (!(map.weight(own) > 0)) continue;
    const Point seen = map(own);
    const double scale = word.scale + 256 * octaves;
    if (!inside(seen) || scale < smallest.scale + kScaleMargin || scale > largest.scale) continue;
    ++counts[cell_of(own_cells ? own : seen)];
  }
  return counts;
}

// Cells of which all four neighbours belong to the shared part, too.
using Inner = std::array<bool, std::size_t{kCells} * kCells>;

Inner inner_cells(const SharedPart& part) {
  const PlanarMap& map = part.cells_in_a ? part.a_to_b : part.b_to_a;
  const auto shared = [&](std::uint32_t x, std::uint32_t y) {
    const Point centre{(x + 0.5) / kCells, (y + 0.5) / kCells};
    return map.weight(centre) > 0 && inside(map(centre));
  };
  Inner inner{};
  for (std::uint32_t y = 1; y + 1 < kCells; ++y) {
    for (std::uint32_t x = 1; x + 1 < kCells; ++x) {
      inner[y * kCells + x] = shared(x - 1, y) && shared(x + 1, y) && shared(x, y - 1) &&
                              shared(x, y + 1) && shared(x, y);
    }
  }
  return inner;
}

struct Share {
  double both = 0;
  double agreed = 0;
  void add(double weight, bool agrees) {
    both += weight;
    if (agrees) agreed += weight;
  }
  [[nodiscard]] double value() const { return both > 0 ? agreed / both : 0; }
};

}  // namespace

double agreement_of(const LocalWords& a, const LocalWords& b, const SharedPart& part,
                    std::span<const PointPair> inliers) {
  const double octaves = portable_log(part.scale) / portable_log(2);
  const Counts of_a = count_seen(a, b, part.a_to_b, octaves, part.cells_in_a);
  const Counts of_b = count_seen(b, a, part.b_to_a, -octaves, !part.cells_in_a);
  Counts agreeing{};
  for (const PointPair& pair : inliers) {
    const Point at = part.cells_in_a ? pair.a : pair.b;
    if (inside(at)) ++agreeing[cell_of(at)];
  }
  const Inner inner = inner_cells(part);
  Share all;
  Share within;
  for (std::size_t cell = 0; cell < of_a.size(); ++cell) {
    const double weight = std::min({of_a[cell], of_b[cell], kMostWeight});
    all.add(weight, agreeing[cell] > 0);
    if (inner[cell]) within.add(weight, agreeing[cell] > 0);
  }
  return within.both * 4 < all.both ? all.value() : std::min(all.value(), within.value());
}

}  // namespace twinsift
