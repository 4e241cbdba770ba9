// SPDX-License-Identifier: Apache-2.0
#include "feature/film_still.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "feature/box_sums.h"
#include "feature/squeeze.h"

namespace twinsift {
namespace {

// Grey levels: what a row of a bar may differ from its mean on the average, and from the outermost
// row; and what the picture beside a bar differs from it at least.
constexpr int kFlat = 3;
constexpr int kSameLevel = 6;
constexpr int kAbrupt = 8;
// Brighter bars count only on two opposite sides, for a sky is no bar, and only if the picture
// begins along half of their length, for paper around writing is none either.
constexpr int kDark = 40;
constexpr std::uint8_t kNarrowestBar = 2;

// The rows or columns of a still as seen from one of its sides, from `from` to before `to`.
struct Look {
  const FilmStill& still;
  std::size_t side;  // as in Sides
  std::uint32_t from;
  std::uint32_t to;

  [[nodiscard]] int pixel(std::uint32_t depth, std::uint32_t along) const {
    const std::uint32_t place = side % 2 == 0 ? depth : kStillSide - 1 - depth;
    return side < 2 ? still[place * kStillSide + along] : still[along * kStillSide + place];
  }
  [[nodiscard]] int mean(std::uint32_t depth) const {
    int sum = 0;
    for (std::uint32_t i = from; i < to; ++i) sum += pixel(depth, i);
    return sum / static_cast<int>(to - from);
  }
  // The mean difference from a level.
  [[nodiscard]] int difference(std::uint32_t depth, int level) const {
    int sum = 0;
    for (std::uint32_t i = from; i < to; ++i) sum += std::abs(pixel(depth, i) - level);
    return sum / static_cast<int>(to - from);
  }
  // Whether half of the pixels differ clearly from a level.
  [[nodiscard]] bool mostly_differs(std::uint32_t depth, int level) const {
    std::uint32_t differ = 0;
    for (std::uint32_t i = from; i < to; ++i) {
      differ += std::abs(pixel(depth, i) - level) >= kAbrupt ? 1U : 0U;
    }
    return 2 * differ >= to - from;
  }
};

struct Bar {
  int level = 0;
  bool straight = false;  // along half of its length it ends abruptly
  std::uint8_t possible = 0;
  std::uint8_t clear = 0;
};

Bar bar_of(const Look& look) {
  Bar bar{.level = look.mean(0)};
  while (bar.possible < kWidestBar) {
    const int mean = look.mean(bar.possible);
    if (std::abs(mean - bar.level) > kSameLevel) break;
    if (look.difference(bar.possible, mean) > kFlat) break;
    ++bar.possible;
  }
  // The next row may belong to both.
  const bool abrupt = look.difference(bar.possible + 1U, bar.level) >= kAbrupt;
  bar.straight = look.mostly_differs(bar.possible + 1U, bar.level);
  if (bar.possible >= kNarrowestBar && bar.possible < kWidestBar && abrupt) {
    bar.clear = bar.possible;
  }
  return bar;
}

// Looks at two opposite sides, the first of which is `side`.
void look_at(const FilmStill& still, std::size_t side, std::uint32_t from, std::uint32_t to,
             Bars& bars) {
  Bar first = bar_of({still, side, from, to});
  Bar second = bar_of({still, side + 1, from, to});
  const bool alike = first.possible >= kNarrowestBar && second.possible >= kNarrowestBar &&
                     std::abs(first.level - second.level) <= kSameLevel && first.straight &&
                     second.straight;
  if (first.level > kDark && !alike) first = {};
  if (second.level > kDark && !alike) second = {};
  bars.possible[side] = first.possible;
  bars.possible[side + 1] = second.possible;
  bars.clear[side] = first.clear;
  bars.clear[side + 1] = second.clear;
}

}  // namespace

FilmStill still_of(const GreyView& picture) {
  return can_be_squeezed(picture) ? squeezed<kStillSide>(picture) : still_of_large(picture);
}

FilmStill still_of_large(const GreyView& picture) {
  FilmStill still{};
  std::ranges::copy(box_means(picture, kStillSide, kStillSide), still.begin());
  return still;
}

Bars bars_of(const FilmStill& still) {
  Bars bars;
  look_at(still, 0, 0, kStillSide, bars);
  // Bars on all sides: those beside the picture are looked for where the picture is.
  look_at(still, 2, bars.clear[0], kStillSide - std::uint32_t{bars.clear[1]}, bars);
  return bars;
}

Thumbnail within_bars(const FilmStill& still, const Sides& bars) {
  const std::uint32_t width = kStillSide - std::uint32_t{bars[2]} - bars[3];
  const std::uint32_t height = kStillSide - std::uint32_t{bars[0]} - bars[1];
  std::vector<std::uint8_t> pixels;
  pixels.reserve(std::size_t{width} * height);
  for (std::uint32_t y = bars[0]; y < bars[0] + height; ++y) {
    const std::uint8_t* row = &still[y * kStillSide + bars[2]];
    pixels.insert(pixels.end(), row, row + width);
  }
  return thumbnail_of({pixels, width, height});
}

}  // namespace twinsift
