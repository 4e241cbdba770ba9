// SPDX-License-Identifier: Apache-2.0
#include "learn/winograd.h"

#include <array>
#include <cassert>
#include <type_traits>

#include "base/matrix.h"
#include "base/simd.h"
#include "feature/convolve.h"

namespace twinsift {
namespace {

// B' x, in place.
template <class Real>
[[gnu::always_inline]] inline void input_row(Real& x0, Real& x1, Real& x2, Real& x3) {
  const Real y0 = x0 - x2;
  const Real y1 = x1 + x2;
  const Real y2 = x2 - x1;
  const Real y3 = x1 - x3;
  x0 = y0;
  x1 = y1;
  x2 = y2;
  x3 = y3;
}

// Both sides of a 4 x 4: rows, then columns.
template <class Real>
[[gnu::always_inline]] inline void input_tile(std::array<Real, 16>& d) {
  for (std::size_t i = 0; i < 4; ++i) input_row(d[4 * i], d[4 * i + 1], d[4 * i + 2], d[4 * i + 3]);
  for (std::size_t i = 0; i < 4; ++i) input_row(d[i], d[4 + i], d[8 + i], d[12 + i]);
}

// G x: 4 numbers of 3.
template <class Real>
std::array<Real, 4> weight_row(Real x0, Real x1, Real x2) {
  const Real half = static_cast<Real>(0.5);
  return {x0, half * (x0 + x1 + x2), half * (x0 - x1 + x2), x2};
}

// G' x: 3 numbers of 4.
template <class Real>
std::array<Real, 3> weight_back(Real x0, Real x1, Real x2, Real x3) {
  const Real half = static_cast<Real>(0.5);
  return {x0 + half * (x1 + x2), half * (x1 - x2), half * (x1 + x2) + x3};
}

std::vector<std::int64_t> rows_of(std::size_t tiles, std::size_t channels) {
  std::vector<std::int64_t> rows;
  for (std::size_t t = 0; t < tiles; ++t) rows.push_back(static_cast<std::int64_t>(t * channels));
  return rows;
}

template <class Real>
[[gnu::always_inline]] inline void spread_input_loop(const Real* map, std::size_t side,
                                                     std::size_t first, Tiles<Real>& out) {
  assert(side % 2 == 0);
  const std::size_t channels = out.channels;
  const std::size_t row = (side + 2) * channels;
  std::size_t tile = first;
  for (std::size_t y = 0; y < side; y += 2) {
    for (std::size_t x = 0; x < side; x += 2, ++tile) {
      const Real* const __restrict from = map + y * row + x * channels;
      Real* const __restrict to = out.place(0) + tile * channels;
      const std::size_t step = out.step();
      for (std::size_t c = 0; c < channels; ++c) {
        std::array<Real, 16> d;
        for (std::size_t i = 0; i < 4; ++i) {
          for (std::size_t j = 0; j < 4; ++j) d[4 * i + j] = from[i * row + j * channels + c];
        }
        input_tile(d);
        for (std::size_t p = 0; p < 16; ++p) to[p * step + c] = d[p];
      }
    }
  }
}

template <class Real>
[[gnu::always_inline]] inline void collect_output_loop(const Tiles<Real>& in, std::size_t first,
                                                       std::size_t side, Real* map,
                                                       std::size_t row) {
  const std::size_t channels = in.channels;
  const std::size_t step = in.step();
  std::size_t tile = first;
  for (std::size_t y = 0; y < side; y += 2) {
    for (std::size_t x = 0; x < side; x += 2, ++tile) {
      const Real* const __restrict from = in.place(0) + tile * channels;
      Real* const __restrict to = map + y * row + x * channels;
      for (std::size_t c = 0; c < channels; ++c) {
        std::array<Real, 4> above;
        std::array<Real, 4> below;
        for (std::size_t j = 0; j < 4; ++j) {
          const Real m1 = from[(4 + j) * step + c];
          const Real m2 = from[(8 + j) * step + c];
          above[j] = from[j * step + c] + m1 + m2;
          below[j] = m1 - m2 - from[(12 + j) * step + c];
        }
        to[c] = above[0] + above[1] + above[2];
        to[channels + c] = above[1] - above[2] - above[3];
        to[row + c] = below[0] + below[1] + below[2];
        to[row + channels + c] = below[1] - below[2] - below[3];
      }
    }
  }
}

template <class Real>
[[gnu::always_inline]] inline void spread_gradient_loop(const Real* map, std::size_t row,
                                                        std::size_t side, std::size_t first,
                                                        Tiles<Real>& out) {
  const std::size_t channels = out.channels;
  const std::size_t step = out.step();
  std::size_t tile = first;
  for (std::size_t y = 0; y < side; y += 2) {
    for (std::size_t x = 0; x < side; x += 2, ++tile) {
      const Real* const __restrict from = map + y * row + x * channels;
      Real* const __restrict to = out.place(0) + tile * channels;
      for (std::size_t c = 0; c < channels; ++c) {
        const Real e0 = from[c];
        const Real e1 = from[channels + c];
        const Real e2 = from[row + c];
        const Real e3 = from[row + channels + c];
        const std::array<Real, 4> left = {e0, e0 + e2, e0 - e2, -e2};
        const std::array<Real, 4> right = {e1, e1 + e3, e1 - e3, -e3};
        for (std::size_t i = 0; i < 4; ++i) {
          to[(4 * i) * step + c] = left[i];
          to[(4 * i + 1) * step + c] = left[i] + right[i];
          to[(4 * i + 2) * step + c] = left[i] - right[i];
          to[(4 * i + 3) * step + c] = -right[i];
        }
      }
    }
  }
}

#if defined(__x86_64__)
TWINSIFT_AVX2 void spread_input_avx2(const float* map, std::size_t side, std::size_t first,
                                     Tiles<float>& out) {
  spread_input_loop(map, side, first, out);
}
TWINSIFT_AVX2 void collect_output_avx2(const Tiles<float>& in, std::size_t first, std::size_t side,
                                       float* map, std::size_t row) {
  collect_output_loop(in, first, side, map, row);
}
TWINSIFT_AVX2 void spread_gradient_avx2(const float* map, std::size_t row, std::size_t side,
                                        std::size_t first, Tiles<float>& out) {
  spread_gradient_loop(map, row, side, first, out);
}
#endif

}  // namespace

template <class Real>
void spread_input(const Real* map, std::size_t side, std::size_t first, Tiles<Real>& out) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<Real, float>) {
    if (simd_level() == SimdLevel::kAvx2) return spread_input_avx2(map, side, first, out);
  }
#endif
  spread_input_loop(map, side, first, out);
}

template <class Real>
void collect_output(const Tiles<Real>& in, std::size_t first, std::size_t side, Real* map,
                    std::size_t row) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<Real, float>) {
    if (simd_level() == SimdLevel::kAvx2) return collect_output_avx2(in, first, side, map, row);
  }
#endif
  collect_output_loop(in, first, side, map, row);
}

template <class Real>
void spread_gradient(const Real* map, std::size_t row, std::size_t side, std::size_t first,
                     Tiles<Real>& out) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<Real, float>) {
    if (simd_level() == SimdLevel::kAvx2) return spread_gradient_avx2(map, row, side, first, out);
  }
#endif
  spread_gradient_loop(map, row, side, first, out);
}

template <class Real>
std::vector<std::vector<Real>> spread_weights(std::span<const Real> weights, std::size_t in,
                                              std::size_t out) {
  const std::size_t size = in * out;
  std::vector<std::vector<Real>> places(16, std::vector<Real>(size));
  for (std::size_t w = 0; w < size; ++w) {
    std::array<std::array<Real, 4>, 3> rows;
    for (std::size_t i = 0; i < 3; ++i) {
      const Real* g = &weights[3 * i * size + w];
      rows[i] = weight_row(g[0], g[size], g[2 * size]);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      const std::array<Real, 4> column = weight_row(rows[0][j], rows[1][j], rows[2][j]);
      for (std::size_t i = 0; i < 4; ++i) places[4 * i + j][w] = column[i];
    }
  }
  for (std::vector<Real>& place : places) place = panels_of<Real>(place, out);
  return places;
}

template <class Real>
std::vector<Real> collect_gradient(std::span<const Real> places, std::size_t in, std::size_t out) {
  const std::size_t size = in * out;
  assert(places.size() == 16 * size);
  std::vector<Real> gradient(9 * size);
  for (std::size_t w = 0; w < size; ++w) {
    std::array<std::array<Real, 3>, 4> rows;
    for (std::size_t i = 0; i < 4; ++i) {
      const Real* u = &places[4 * i * size + w];
      rows[i] = weight_back(u[0], u[size], u[2 * size], u[3 * size]);
    }
    for (std::size_t j = 0; j < 3; ++j) {
      const auto column = weight_back(rows[0][j], rows[1][j], rows[2][j], rows[3][j]);
      for (std::size_t i = 0; i < 3; ++i) gradient[(3 * i + j) * size + w] = column[i];
    }
  }
  return gradient;
}

template <class Real>
void multiply_tiles(const Tiles<Real>& in, const std::vector<std::vector<Real>>& weights,
                    Tiles<Real>& out) {
  assert(in.tiles == out.tiles);
  const std::vector<std::int64_t> in_rows = rows_of(in.tiles, in.channels);
  const std::vector<std::int64_t> out_rows = rows_of(in.tiles, out.channels);
  for (std::size_t p = 0; p < Tiles<Real>::kPlaces; ++p) {
    multiply_panels(PanelProduct<Real>{.a = in.place(p),
                                       .a_rows = in_rows,
                                       .runs = 1,
                                       .length = in.channels,
                                       .panels = &weights[p],
                                       .c = out.place(p),
                                       .c_rows = out_rows,
                                       .columns = out.channels});
  }
}

template <class Real>
void add_tile_products(const Tiles<Real>& a, const Tiles<Real>& b, std::span<Real> places) {
  assert(a.tiles == b.tiles && places.size() == 16 * a.channels * b.channels);
  const std::vector<std::int64_t> a_rows = rows_of(a.tiles, a.channels);
  const std::vector<std::int64_t> b_rows = rows_of(b.tiles, b.channels);
  for (std::size_t p = 0; p < Tiles<Real>::kPlaces; ++p) {
    add_outer(OuterProducts<Real>{.a = a.place(p),
                                  .a_inner = a_rows,
                                  .b = b.place(p),
                                  .b_inner = b_rows,
                                  .c = &places[p * a.channels * b.channels],
                                  .rows = a.channels,
                                  .columns = b.channels});
  }
}

#define TWINSIFT_INSTANTIATE(Real)                                                                 \
  template void spread_input<Real>(const Real*, std::size_t, std::size_t, Tiles<Real>&);           \
  template void collect_output<Real>(const Tiles<Real>&, std::size_t, std::size_t, Real*,          \
                                     std::size_t);                                                 \
  template void spread_gradient<Real>(const Real*, std::size_t, std::size_t, std::size_t,          \
                                      Tiles<Real>&);                                               \
  template std::vector<std::vector<Real>> spread_weights<Real>(std::span<const Real>, std::size_t, \
                                                               std::size_t);                       \
  template std::vector<Real> collect_gradient<Real>(std::span<const Real>, std::size_t,            \
                                                    std::size_t);                                  \
  template void multiply_tiles<Real>(const Tiles<Real>&, const std::vector<std::vector<Real>>&,    \
                                     Tiles<Real>&);                                                \
  template void add_tile_products<Real>(const Tiles<Real>&, const Tiles<Real>&, std::span<Real>)
TWINSIFT_INSTANTIATE(float);
TWINSIFT_INSTANTIATE(double);
#undef TWINSIFT_INSTANTIATE

}  // namespace twinsift
