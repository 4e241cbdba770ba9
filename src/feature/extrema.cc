// SPDX-License-Identifier: Apache-2.0
#include "feature/extrema.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <compare>
#include <optional>

#include "base/simd.h"

namespace twinsift {
namespace {

// The nine rows around a row, from the lowest blur; [4] is the row itself.
std::array<const float*, 9> nine_rows(const RowOfThree& row) {
  std::array<const float*, 9> rows{};
  std::size_t i = 0;
  for (const Plane* plane : {&row.lower, &row.middle, &row.upper}) {
    for (std::uint32_t y = row.y - 1; y <= row.y + 1; ++y) rows[i++] = plane->row(y);
  }
  return rows;
}

// `sign` 1: larger than all around it; -1: smaller.
bool is_extremum(const std::array<const float*, 9>& rows, std::size_t x, float sign) {
  const float value = sign * rows[4][x];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t at = x - 1; at <= x + 1; ++at) {
      if (i == 4 && at == x) continue;
      const bool later = i > 4 || (i == 4 && at > x);
      const float other = sign * rows[i][at];
      if (later ? !(value > other) : !(value >= other)) return false;
    }
  }
  return true;
}

void scan_part(const std::array<const float*, 9>& rows, std::size_t from, std::size_t to,
               float floor, std::vector<std::uint32_t>& found) {
  for (std::size_t x = from; x < to; ++x) {
    const float value = rows[4][x];
    if (!(std::fabs(value) >= floor)) continue;
    if (is_extremum(rows, x, value > 0 ? 1.0F : -1.0F)) {
      found.push_back(static_cast<std::uint32_t>(x));
    }
  }
}

}  // namespace

void scan_row_scalar(const RowOfThree& row, float floor, std::vector<std::uint32_t>& found) {
  scan_part(nine_rows(row), 1, row.middle.width - std::size_t{1}, floor, found);
}

#if defined(__x86_64__)
namespace {

struct Range256 {
  __m256 most;
  __m256 least;
};

TWINSIFT_AVX2 inline void include(Range256& range, const float* values) {
  const __m256 v = _mm256_loadu_ps(values);
  range.most = _mm256_max_ps(range.most, v);
  range.least = _mm256_min_ps(range.least, v);
}

TWINSIFT_AVX2 inline void include_three(Range256& range, const float* row) {
  include(range, row - 1);
  include(range, row);
  include(range, row + 1);
}

// Which of eight values are extrema: first against their own blur, which settles most.
TWINSIFT_AVX2 unsigned extrema_of_eight(const std::array<const float*, 9>& rows, std::size_t x,
                                        float floor) {
  const __m256 value = _mm256_loadu_ps(rows[4] + x);
  const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0F), value);
  const __m256 high = _mm256_cmp_ps(size, _mm256_set1_ps(floor), _CMP_GE_OQ);
  if (_mm256_movemask_ps(high) == 0) return 0;
  Range256 earlier{_mm256_loadu_ps(rows[4] + x - 1), _mm256_loadu_ps(rows[4] + x - 1)};
  Range256 later{_mm256_loadu_ps(rows[4] + x + 1), _mm256_loadu_ps(rows[4] + x + 1)};
  const auto standing_out = [&]() TWINSIFT_AVX2 {
    const __m256 top = _mm256_and_ps(_mm256_cmp_ps(value, earlier.most, _CMP_GE_OQ),
                                     _mm256_cmp_ps(value, later.most, _CMP_GT_OQ));
    const __m256 bottom = _mm256_and_ps(_mm256_cmp_ps(value, earlier.least, _CMP_LE_OQ),
                                        _mm256_cmp_ps(value, later.least, _CMP_LT_OQ));
    const __m256 positive = _mm256_cmp_ps(value, _mm256_setzero_ps(), _CMP_GT_OQ);
    const __m256 either = _mm256_blendv_ps(bottom, top, positive);
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_and_ps(either, high)));
  };
  include_three(earlier, rows[3] + x);
  include_three(later, rows[5] + x);
  if (standing_out() == 0) return 0;
  for (std::size_t i = 0; i < 3; ++i) {
    include_three(earlier, rows[i] + x);
    include_three(later, rows[i + 6] + x);
  }
  return standing_out();
}

TWINSIFT_AVX2 void scan_row_avx2(const RowOfThree& row, float floor,
                                 std::vector<std::uint32_t>& found) {
  constexpr std::size_t kLanes = 8;
  const auto rows = nine_rows(row);
  const std::size_t end = row.middle.width - std::size_t{1};
  std::size_t x = 1;
  for (; x + kLanes <= end; x += kLanes) {
    for (unsigned mask = extrema_of_eight(rows, x, floor); mask != 0; mask &= mask - 1) {
      found.push_back(static_cast<std::uint32_t>(x) +
                      static_cast<std::uint32_t>(std::countr_zero(mask)));
    }
  }
  scan_part(rows, x, end, floor, found);
}

}  // namespace
#endif

void scan_row(const RowOfThree& row, float floor, std::vector<std::uint32_t>& found) {
  TWINSIFT_DISPATCH(scan_row, row, floor, found);
}

namespace {

struct Place {
  std::uint32_t blur = 0;  // of Octave::differences
  std::uint32_t y = 0;
  std::uint32_t x = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

// Where the parabola through the neighbours has its extremum, from the place, and how high.
struct Parabola {
  std::array<double, 3> offset{};  // x, y, blur
  double height = 0;
  double trace = 0;  // of the curvatures in x and y
  double determinant = 0;
};

std::optional<Parabola> parabola_at(const Octave& octave, const Place& at) {
  const auto value = [&](int dx, int dy, int ds) {
    const auto& plane = octave.differences[at.blur + static_cast<std::size_t>(ds + 1) - 1];
    return double{plane.row(at.y + static_cast<std::uint32_t>(dy + 1) -
                            1)[at.x + static_cast<std::size_t>(dx + 1) - 1]};
  };
  const double middle = value(0, 0, 0);
  const std::array<double, 3> g = {(value(1, 0, 0) - value(-1, 0, 0)) / 2,
                                   (value(0, 1, 0) - value(0, -1, 0)) / 2,
                                   (value(0, 0, 1) - value(0, 0, -1)) / 2};
  const double xx = value(1, 0, 0) + value(-1, 0, 0) - 2 * middle;
  const double yy = value(0, 1, 0) + value(0, -1, 0) - 2 * middle;
  const double ss = value(0, 0, 1) + value(0, 0, -1) - 2 * middle;
  const double xy = (value(1, 1, 0) - value(-1, 1, 0) - value(1, -1, 0) + value(-1, -1, 0)) / 4;
  const double xs = (value(1, 0, 1) - value(-1, 0, 1) - value(1, 0, -1) + value(-1, 0, -1)) / 4;
  const double ys = (value(0, 1, 1) - value(0, -1, 1) - value(0, 1, -1) + value(0, -1, -1)) / 4;
  // The inverse of the symmetric matrix by its cofactors.
  const double a = yy * ss - ys * ys;
  const double b = xs * ys - xy * ss;
  const double c = xy * ys - xs * yy;
  const double determinant = xx * a + xy * b + xs * c;
  if (determinant == 0) return std::nullopt;
  const double d = xx * ss - xs * xs;
  const double e = xy * xs - xx * ys;
  const double f = xx * yy - xy * xy;
  Parabola found;
  found.offset = {-(a * g[0] + b * g[1] + c * g[2]) / determinant,
                  -(b * g[0] + d * g[1] + e * g[2]) / determinant,
                  -(c * g[0] + e * g[1] + f * g[2]) / determinant};
  found.height =
      middle + (g[0] * found.offset[0] + g[1] * found.offset[1] + g[2] * found.offset[2]) / 2;
  found.trace = xx + yy;
  found.determinant = f;
  return found;
}

// Moves by one towards the parabola's extremum.  False: it stays; beyond the edge: no extremum.
std::optional<bool> step(std::uint32_t& coordinate, double offset, std::uint32_t end) {
  constexpr double kNearer = 0.6;  // beyond the half, so that no extremum goes to and fro
  if (std::fabs(offset) < kNearer) return false;
  if (!(offset > 0 ? coordinate + 1 < end : coordinate > 1)) return std::nullopt;
  offset > 0 ? ++coordinate : --coordinate;
  return true;
}

// Follows the parabola to the place that is nearest to its extremum.
std::optional<Parabola> settle(const Octave& octave, Place& at) {
  constexpr int kSteps = 5;
  const Plane& plane = octave.differences[0];
  for (int i = 0; i < kSteps; ++i) {
    auto parabola = parabola_at(octave, at);
    if (!parabola) return std::nullopt;
    const auto moved_x = step(at.x, parabola->offset[0], plane.width - 1);
    const auto moved_y = step(at.y, parabola->offset[1], plane.height - 1);
    const auto moved_blur = step(at.blur, parabola->offset[2], kScalesPerOctave + 1);
    if (!moved_x || !moved_y || !moved_blur) return std::nullopt;
    if (!*moved_x && !*moved_y && !*moved_blur) return parabola;
  }
  return std::nullopt;
}

bool is_on_edge(const Parabola& parabola, double edge) {
  const double trace = parabola.trace;
  return !(parabola.determinant > 0) ||
         trace * trace * edge >= (edge + 1) * (edge + 1) * parabola.determinant;
}

}  // namespace

std::vector<Extremum> find_extrema(const Octave& octave, const ExtremumLimits& limits) {
  assert(limits.contrast > 0);
  struct Settled {
    Place at;
    Parabola parabola;
  };
  std::vector<Settled> settled;
  std::vector<std::uint32_t> columns;
  const float floor = limits.contrast * 0.8F;  // the parabola's top is higher than its pixel
  for (std::uint32_t blur = 1; blur <= kScalesPerOctave; ++blur) {
    const Plane& middle = octave.differences[blur];
    for (std::uint32_t y = 1; y + 1 < middle.height; ++y) {
      columns.clear();
      scan_row({octave.differences[blur - 1], middle, octave.differences[blur + 1], y}, floor,
               columns);
      for (const std::uint32_t x : columns) {
        Place at{blur, y, x};
        const auto parabola = settle(octave, at);
        if (!parabola || std::fabs(parabola->height) < double{limits.contrast} ||
            is_on_edge(*parabola, double{limits.edge})) {
          continue;
        }
        settled.push_back({at, *parabola});
      }
    }
  }
  // Two may have met at one place.
  std::ranges::sort(settled, {}, &Settled::at);
  const auto same = [](const Settled& a, const Settled& b) { return a.at == b.at; };
  settled.erase(std::unique(settled.begin(), settled.end(), same), settled.end());
  std::vector<Extremum> extrema;
  extrema.reserve(settled.size());
  for (const auto& [at, parabola] : settled) {
    extrema.push_back({.x = static_cast<float>(at.x + parabola.offset[0]),
                       .y = static_cast<float>(at.y + parabola.offset[1]),
                       .blur = static_cast<float>(at.blur + parabola.offset[2]),
                       .contrast = static_cast<float>(std::fabs(parabola.height))});
  }
  return extrema;
}

}  // namespace twinsift
