// SPDX-License-Identifier: Apache-2.0
#include "learn/winograd.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <type_traits>

#include "base/matrix.h"
#include "base/simd.h"
#include "feature/convolve.h"

namespace twinsift {
namespace {

constexpr std::size_t kAround = kTileSide + 2;  // the side of what a tile is made of

// Each of these makes numbers of a line of numbers: those of one side of a tile.
struct InputLine {  // B' x
  static constexpr std::size_t kIn = kAround;
  static constexpr std::size_t kOut = kAround;
  template <class Real>
  [[gnu::always_inline]] static std::array<Real, kOut> of(const std::array<Real, kIn>& x) {
    const Real even = x[4] - 4 * x[2];
    const Real odd = x[3] - 4 * x[1];
    const Real near_even = x[4] - x[2];
    const Real near_odd = 2 * (x[3] - x[1]);
    return {4 * x[0] - 5 * x[2] + x[4], even + odd,           even - odd,
            near_even + near_odd,       near_even - near_odd, 4 * x[1] - 5 * x[3] + x[5]};
  }
};
struct OutputLine {  // A' x
  static constexpr std::size_t kIn = kAround;
  static constexpr std::size_t kOut = kTileSide;
  template <class Real>
  [[gnu::always_inline]] static std::array<Real, kOut> of(const std::array<Real, kIn>& x) {
    const Real sum = x[1] + x[2];
    const Real difference = x[1] - x[2];
    const Real far_sum = x[3] + x[4];
    const Real far_difference = x[3] - x[4];
    return {x[0] + sum + far_sum, difference + 2 * far_difference, sum + 4 * far_sum,
            difference + 8 * far_difference + x[5]};
  }
};
struct GradientLine {  // A x
  static constexpr std::size_t kIn = kTileSide;
  static constexpr std::size_t kOut = kAround;
  template <class Real>
  [[gnu::always_inline]] static std::array<Real, kOut> of(const std::array<Real, kIn>& x) {
    const Real even = x[0] + x[2];
    const Real odd = x[1] + x[3];
    const Real far_even = x[0] + 4 * x[2];
    const Real far_odd = 2 * x[1] + 8 * x[3];
    return {x[0], even + odd, even - odd, far_even + far_odd, far_even - far_odd, x[3]};
  }
};

// G x: 6 numbers of 3.
template <class Real>
std::array<Real, 6> weight_row(Real x0, Real x1, Real x2) {
  const Real near_even = (x0 + x2) / -6;
  const Real near_odd = x1 / -6;
  const Real far_even = x0 / 24 + x2 / 6;
  const Real far_odd = x1 / 12;
  return {
      x0 / 4, near_even + near_odd, near_even - near_odd, far_even + far_odd, far_even - far_odd,
      x2};
}

// G' x: 3 numbers of 6.
template <class Real>
std::array<Real, 3> weight_back(const std::array<Real, 6>& x) {
  const Real sum = (x[1] + x[2]) / 6;
  const Real far_sum = x[3] + x[4];
  return {x[0] / 4 - sum + far_sum / 24, (x[2] - x[1]) / 6 + (x[3] - x[4]) / 12,
          far_sum / 6 - sum + x[5]};
}

std::vector<std::int64_t> rows_of(std::size_t tiles, std::size_t channels) {
  std::vector<std::int64_t> rows;
  for (std::size_t t = 0; t < tiles; ++t) rows.push_back(static_cast<std::int64_t>(t * channels));
  return rows;
}

// Where the numbers of a tile are: channels lie next to each other.
template <class Real>
struct Place {
  Real* first;
  std::size_t row, column;  // how far apart
};

// Both sides of a tile, its columns first.  A few channels at a time, so that what is between stays
// in the first-level cache; each loop is over them, and one for a vector unit.
template <class Line, class Real>
[[gnu::always_inline]] inline void both_sides(const Place<const Real>& from, const Place<Real>& to,
                                              std::size_t channels) {
  constexpr std::size_t kTogether = 64;
  constexpr std::size_t kIn = Line::kIn;
  constexpr std::size_t kOut = Line::kOut;
  std::array<Real, kOut * kIn * kTogether> between;
  for (std::size_t begin = 0; begin < channels; begin += kTogether) {
    const std::size_t count = std::min(kTogether, channels - begin);
    for (std::size_t j = 0; j < kIn; ++j) {
      const Real* const __restrict in = from.first + j * from.column + begin;
      Real* const __restrict out = &between[j * kTogether];
      for (std::size_t c = 0; c < count; ++c) {
        std::array<Real, kIn> x;
        for (std::size_t i = 0; i < kIn; ++i) x[i] = in[i * from.row + c];
        const std::array<Real, kOut> y = Line::of(x);
        for (std::size_t i = 0; i < kOut; ++i) out[i * kIn * kTogether + c] = y[i];
      }
    }
    for (std::size_t i = 0; i < kOut; ++i) {
      const Real* const __restrict in = &between[i * kIn * kTogether];
      Real* const __restrict out = to.first + i * to.row + begin;
      for (std::size_t c = 0; c < count; ++c) {
        std::array<Real, kIn> x;
        for (std::size_t j = 0; j < kIn; ++j) x[j] = in[j * kTogether + c];
        const std::array<Real, kOut> y = Line::of(x);
        for (std::size_t j = 0; j < kOut; ++j) out[j * to.column + c] = y[j];
      }
    }
  }
}

// The tiles of a map, by number.
struct TileCorner {
  std::size_t y, x;
};
[[gnu::always_inline]] inline TileCorner corner_of(std::size_t tile, std::size_t side) {
  const std::size_t across = side / kTileSide;
  return {tile / across * kTileSide, tile % across * kTileSide};
}

template <class Real>
[[gnu::always_inline]] inline Place<Real> tile_place(Tiles<Real>& tiles, std::size_t tile) {
  return {tiles.place(0) + tile * tiles.channels, kAround * tiles.step(), tiles.step()};
}

template <class Real>
[[gnu::always_inline]] inline void spread_input_loop(const Real* map, std::size_t side,
                                                     std::size_t first, Tiles<Real>& out) {
  const std::size_t channels = out.channels;
  const std::size_t row = (side + 2) * channels;
  for (std::size_t tile = 0; tile < tiles_of(side); ++tile) {
    const auto [y, x] = corner_of(tile, side);
    const Place<const Real> from{map + y * row + x * channels, row, channels};
    both_sides<InputLine>(from, tile_place(out, first + tile), channels);
  }
}

template <class Real>
[[gnu::always_inline]] inline void collect_output_loop(const Tiles<Real>& in, std::size_t first,
                                                       std::size_t side, Real* map,
                                                       std::size_t row) {
  const std::size_t channels = in.channels;
  for (std::size_t tile = 0; tile < tiles_of(side); ++tile) {
    const auto [y, x] = corner_of(tile, side);
    const Real* const places = in.place(0) + (first + tile) * channels;
    const Place<const Real> from{places, kAround * in.step(), in.step()};
    const Place<Real> to{map + y * row + x * channels, row, channels};
    both_sides<OutputLine>(from, to, channels);
  }
}

template <class Real>
[[gnu::always_inline]] inline void spread_gradient_loop(const Real* map, std::size_t row,
                                                        std::size_t side, std::size_t first,
                                                        Tiles<Real>& out) {
  const std::size_t channels = out.channels;
  for (std::size_t tile = 0; tile < tiles_of(side); ++tile) {
    const auto [y, x] = corner_of(tile, side);
    const Place<const Real> from{map + y * row + x * channels, row, channels};
    both_sides<GradientLine>(from, tile_place(out, first + tile), channels);
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
  std::vector<std::vector<Real>> places(Tiles<Real>::kPlaces, std::vector<Real>(size));
  for (std::size_t w = 0; w < size; ++w) {
    std::array<std::array<Real, kAround>, 3> rows;
    for (std::size_t i = 0; i < 3; ++i) {
      const Real* g = &weights[3 * i * size + w];
      rows[i] = weight_row(g[0], g[size], g[2 * size]);
    }
    for (std::size_t j = 0; j < kAround; ++j) {
      const auto column = weight_row(rows[0][j], rows[1][j], rows[2][j]);
      for (std::size_t i = 0; i < kAround; ++i) places[kAround * i + j][w] = column[i];
    }
  }
  for (std::vector<Real>& place : places) place = panels_of<Real>(place, out);
  return places;
}

template <class Real>
std::vector<Real> collect_gradient(std::span<const Real> places, std::size_t in, std::size_t out) {
  const std::size_t size = in * out;
  assert(places.size() == Tiles<Real>::kPlaces * size);
  std::vector<Real> gradient(9 * size);
  std::array<Real, kAround> line;
  for (std::size_t w = 0; w < size; ++w) {
    std::array<std::array<Real, 3>, kAround> rows;
    for (std::size_t i = 0; i < kAround; ++i) {
      for (std::size_t j = 0; j < kAround; ++j) line[j] = places[(kAround * i + j) * size + w];
      rows[i] = weight_back(line);
    }
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < kAround; ++i) line[i] = rows[i][j];
      const auto column = weight_back(line);
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
  assert(a.tiles == b.tiles);
  assert(places.size() == Tiles<Real>::kPlaces * a.channels * b.channels);
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
