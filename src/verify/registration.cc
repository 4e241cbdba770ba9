// SPDX-License-Identifier: Apache-2.0
#include "verify/registration.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace twinsift {
namespace {

constexpr std::size_t kStride = Plane::kStride;
constexpr double kLeastCommon = 0.2;  // of the first picture, below which nothing is concluded

// A map that shrinks, grows or shears beyond this is none between two versions of a picture.
bool plausible(const Affine& m) {
  const double d = determinant(m);
  const double squares = m[0] * m[0] + m[1] * m[1] + m[3] * m[3] + m[4] * m[4];
  // The singular values s, t have s t = d and s^2 + t^2 = squares.
  return d > 0.35 && d < 2.8 && squares < 2.6 * d;
}

// In coordinates of which the origin is the middle of the picture, where the unknowns of a step
// disturb each other least; and back.
Affine centred(const Affine& m) {
  return {m[0], m[1], m[2] + (m[0] + m[1] - 1) / 2, m[3], m[4], m[5] + (m[3] + m[4] - 1) / 2};
}
Affine uncentred(const Affine& m) {
  return {m[0], m[1], m[2] - (m[0] + m[1] - 1) / 2, m[3], m[4], m[5] - (m[3] + m[4] - 1) / 2};
}

// Between the pixel at (left, top) and its neighbours at the right and below.
template <typename Real>
float interpolated(const Plane& plane, int left, int top, Real x, Real y) {
  const auto right_part = static_cast<float>(x - static_cast<Real>(left));
  const auto lower_part = static_cast<float>(y - static_cast<Real>(top));
  const float* p = plane.at.data() + top * static_cast<int>(kStride) + left;
  const float upper = p[0] + right_part * (p[1] - p[0]);
  const float lower = p[kStride] + right_part * (p[kStride + 1] - p[kStride]);
  return upper + lower_part * (lower - upper);
}

double largest_change(const Affine& a, const Affine& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

}  // namespace

void Moments::add(const Moments& other) {
  n += other.n;
  t += other.t;
  i += other.i;
  tt += other.tt;
  ii += other.ii;
  ti += other.ti;
}

double Moments::correlation() const {
  constexpr double kFlat = 1e-3;  // grey levels squared: below the rounding of a thumbnail
  const double a = first_variance();
  const double b = second_variance();
  if (!(a > kFlat) || !(b > kFlat)) return 0;
  return std::clamp((ti / n - t / n * (i / n)) / std::sqrt(a * b), -1.0, 1.0);
}

Registration::Registration(const Plane& first) : first_(first) {
  weights_.fill(1);
  const std::uint32_t last = first.side - 1;
  const auto side = static_cast<float>(first.side);
  for (std::uint32_t y = 0; y <= last; ++y) {
    centred_[y] = (static_cast<float>(y) + 0.5F) / side - 0.5F;
    const float* above = first.at.data() + (y > 0 ? y - 1 : 0) * kStride;
    const float* row = first.at.data() + y * kStride;
    const float* below = first.at.data() + std::min(last, y + 1) * kStride;
    for (std::uint32_t x = 0; x <= last; ++x) {
      across_[y * kStride + x] = side / 2 * (row[std::min(last, x + 1)] - row[x > 0 ? x - 1 : 0]);
      down_[y * kStride + x] = side / 2 * (below[x] - above[x]);
    }
  }
}

void Registration::set_weights(const BlockWeights& weights) {
  const std::uint32_t size = first_.side / kBlocks;
  for (std::uint32_t y = 0; y < first_.side; ++y) {
    for (std::uint32_t x = 0; x < first_.side; ++x)
      weights_[y * kStride + x] = weights[y / size * kBlocks + x / size];
  }
}

void Registration::resample(const Plane& second, const Affine& map) {
  assert(second.side == first_.side);
  const std::uint32_t side = first_.side;
  const double last = side - 1;
  for (std::uint32_t y = 0; y < side; ++y) {
    // Pixel x of this row lies at (x0 + x map[0], y0 + x map[3]) of the second picture.
    const Point begin = mapped(map, {0.5 / side, (y + 0.5) / side});
    const double x0 = begin.x * side - 0.5;
    const double y0 = begin.y * side - 0.5;
    const auto inside = [&](std::uint32_t x) {
      const double u = x0 + x * map[0];
      const double v = y0 + x * map[3];
      return u >= 0 && u <= last && v >= 0 && v <= last;
    };
    std::uint32_t from = 0;
    std::uint32_t to = side;
    while (from < to && !inside(from)) ++from;
    while (from < to && !inside(to - 1)) --to;
    runs_[y] = {from, to};
    for (std::uint32_t x = from; x < to; ++x) {
      const double u = x0 + x * map[0];
      const double v = y0 + x * map[3];
      const int left = std::min(static_cast<int>(u), static_cast<int>(side) - 2);
      const int top = std::min(static_cast<int>(v), static_cast<int>(side) - 2);
      moved_[y * kStride + x] = interpolated(second, left, top, u, v);
    }
  }
}

double Registration::quick_correlation(const Plane& second, const Affine& map) const {
  const std::uint32_t side = first_.side;
  const auto last = static_cast<float>(side - 1);
  const auto x_step = static_cast<float>(map[0]);
  const auto y_step = static_cast<float>(map[3]);
  float n = 0, t = 0, i = 0, tt = 0, ii = 0, ti = 0;
  for (std::uint32_t y = 0; y < side; y += 2) {
    const Point begin = mapped(map, {0.5 / side, (y + 0.5) / side});
    const auto x0 = static_cast<float>(begin.x * side - 0.5);
    const auto y0 = static_cast<float>(begin.y * side - 0.5);
    for (std::uint32_t x = 0; x < side; x += 2) {
      const float u = x0 + static_cast<float>(x) * x_step;
      const float v = y0 + static_cast<float>(x) * y_step;
      if (!(u >= 0 && u < last && v >= 0 && v < last)) continue;
      const float value = interpolated(second, static_cast<int>(u), static_cast<int>(v), u, v);
      const float pixel = first_.at[y * kStride + x];
      n += 1;
      t += pixel;
      i += value;
      tt += pixel * pixel;
      ii += value * value;
      ti += pixel * value;
    }
  }
  return Moments{n, t, i, tt, ii, ti}.correlation();
}

BlockMoments Registration::compare(const Plane& second, const Affine& map) {
  resample(second, map);
  BlockMoments blocks{};
  const std::uint32_t size = first_.side / kBlocks;
  for (std::uint32_t y = 0; y < first_.side; ++y) {
    const std::size_t row = y * kStride;
    for (std::uint32_t begin = 0; begin < first_.side; begin += size) {
      Moments& sums = blocks[y / size * kBlocks + begin / size];
      const std::uint32_t to = std::min(begin + size, runs_[y].end);
      for (std::uint32_t x = std::max(begin, runs_[y].begin); x < to; ++x) {
        const double t = first_.at[row + x];
        const double i = moved_[row + x];
        sums.n += 1;
        sums.t += t;
        sums.i += i;
        sums.tt += t * t;
        sums.ii += i * i;
        sums.ti += t * i;
      }
    }
  }
  return blocks;
}

double Registration::common_share() const {
  std::uint32_t common = 0;
  for (std::uint32_t y = 0; y < first_.side; ++y) common += runs_[y].end - runs_[y].begin;
  return common / static_cast<double>(first_.side * first_.side);
}

Moments Registration::moments() const {
  Moments sums;
  for (std::uint32_t y = 0; y < first_.side; ++y) {
    float n = 0, t = 0, i = 0, tt = 0, ii = 0, ti = 0;
    for (std::size_t at = y * kStride + runs_[y].begin; at < y * kStride + runs_[y].end; ++at) {
      const float weighted_t = weights_[at] * first_.at[at];
      const float weighted_i = weights_[at] * moved_[at];
      n += weights_[at];
      t += weighted_t;
      i += weighted_i;
      tt += weighted_t * first_.at[at];
      ii += weighted_i * moved_[at];
      ti += weighted_t * moved_[at];
    }
    sums.add({n, t, i, tt, ii, ti});
  }
  return sums;
}

// The unknowns are bias, gain, and the six of the map: across by u, v, 1, then down by u, v, 1,
// where (u, v) is the place from the middle.  v is the same for a whole row.
Registration::Matrix Registration::normal_equations() const {
  Matrix m{};
  for (std::uint32_t y = 0; y < first_.side; ++y) {
    float n = 0, t = 0, tt = 0, x1 = 0, xu = 0, y1 = 0, yu = 0, tx = 0, txu = 0, ty = 0, tyu = 0;
    float xx = 0, xxu = 0, xxuu = 0, xy = 0, xyu = 0, xyuu = 0, yy = 0, yyu = 0, yyuu = 0;
    for (std::uint32_t x = runs_[y].begin; x < runs_[y].end; ++x) {
      const std::size_t at = y * kStride + x;
      const float u = centred_[x];
      const float w = weights_[at];
      const float value = first_.at[at];
      const float gx = w * across_[at];
      const float gy = w * down_[at];
      const float gxx = gx * across_[at];
      const float gxy = gx * down_[at];
      const float gyy = gy * down_[at];
      n += w;
      t += w * value;
      tt += w * value * value;
      x1 += gx;
      xu += gx * u;
      y1 += gy;
      yu += gy * u;
      tx += gx * value;
      txu += gx * value * u;
      ty += gy * value;
      tyu += gy * value * u;
      xx += gxx;
      xxu += gxx * u;
      xxuu += gxx * u * u;
      xy += gxy;
      xyu += gxy * u;
      xyuu += gxy * u * u;
      yy += gyy;
      yyu += gyy * u;
      yyuu += gyy * u * u;
    }
    const double v = centred_[y];
    const auto add = [&](std::size_t row, std::initializer_list<double> values) {
      std::size_t column = 0;
      for (const double value : values) m[row][column++] += value;
    };
    add(0, {n});
    add(1, {t, tt});
    add(2, {xu, txu, xxuu});
    add(3, {x1 * v, tx * v, xxu * v, xx * v * v});
    add(4, {x1, tx, xxu, xx * v, xx});
    add(5, {yu, tyu, xyuu, xyu * v, xyu, yyuu});
    add(6, {y1 * v, ty * v, xyu * v, xy * v * v, xy * v, yyu * v, yy * v * v});
    add(7, {y1, ty, xyu, xy * v, xy, yyu, yy * v, yy});
  }
  return m;
}

// Bias and gain come first, so that eliminating them leaves what they cannot explain.
bool Registration::prepare() {
  Matrix m = normal_equations();
  for (std::size_t i = 0; i < kUnknowns; ++i) {
    m[i][i] = m[i][i] * 1.001 + 1e-3;  // a texture of stripes leaves some unknowns open
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = m[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= factor_[i][k] * factor_[j][k];
      if (i == j && !(sum > 0)) return false;
      factor_[i][j] = i == j ? std::sqrt(sum) : sum / factor_[j][j];
    }
  }
  return true;
}

bool Registration::step(const Moments& sums, Affine& map) const {
  const double variance = sums.tt - sums.t * sums.t / sums.n;
  if (!(variance > 0)) return false;
  const double gain = (sums.ti - sums.t * sums.i / sums.n) / variance;
  if (!(gain > 1e-3)) return false;  // one is not the negative of the other
  const double bias = (sums.i - gain * sums.t) / sums.n;
  std::array<double, kUnknowns> change{};
  for (std::uint32_t y = 0; y < first_.side; ++y) {
    float x1 = 0, xu = 0, y1 = 0, yu = 0;
    for (std::uint32_t x = runs_[y].begin; x < runs_[y].end; ++x) {
      const std::size_t at = y * kStride + x;
      const float rest = weights_[at] * (moved_[at] - static_cast<float>(gain) * first_.at[at] -
                                         static_cast<float>(bias));
      const float gx = rest * across_[at];
      const float gy = rest * down_[at];
      x1 += gx;
      xu += gx * centred_[x];
      y1 += gy;
      yu += gy * centred_[x];
    }
    const double v = centred_[y];
    change[2] += xu;
    change[3] += x1 * v;
    change[4] += x1;
    change[5] += yu;
    change[6] += y1 * v;
    change[7] += y1;
  }
  for (std::size_t i = 0; i < kUnknowns; ++i) {
    for (std::size_t k = 0; k < i; ++k) change[i] -= factor_[i][k] * change[k];
    change[i] /= factor_[i][i];
  }
  for (std::size_t i = kUnknowns; i-- > 0;) {
    for (std::size_t k = i + 1; k < kUnknowns; ++k) change[i] -= factor_[k][i] * change[k];
    change[i] /= factor_[i][i];
  }
  // The second picture shows at x what the first one shows at `change_map` of x; the map is to undo
  // that.
  const Affine change_map = {1 + change[2] / gain, change[3] / gain,     change[4] / gain,
                             change[5] / gain,     1 + change[6] / gain, change[7] / gain};
  if (!plausible(change_map)) return false;
  map = uncentred(compose(centred(map), inverse(change_map)));
  return plausible(map);
}

Registration::Outcome Registration::improve(const Plane& second, const Affine& start, int steps) {
  constexpr double kSmallStep = 0.02;  // pixels
  resample(second, start);
  Moments sums = moments();
  Outcome best{.map = start, .correlation = sums.correlation()};
  if (common_share() < kLeastCommon || !prepare()) return best;
  Affine map = start;
  for (int i = 0; i < steps && !best.converged; ++i) {
    const Affine old = map;
    if (!step(sums, map)) break;
    resample(second, map);
    if (common_share() < kLeastCommon) break;
    sums = moments();
    const double correlation = sums.correlation();
    if (correlation > best.correlation) best = {map, correlation, false};
    best.converged = largest_change(map, old) * first_.side < kSmallStep;
  }
  return best;
}

}  // namespace twinsift
