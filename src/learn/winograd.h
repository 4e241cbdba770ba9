// SPDX-License-Identifier: Apache-2.0
// Convolutions of 3 x 3 by minimal filtering: 36 multiplications in place of 144 for each 4 x 4
// pixels, channel in and channel out, forwards and backwards.
//
// The map is cut into tiles of 4 x 4 pixels, d are the 6 x 6 pixels around one.  With
//     B' = 4  0 -5  0  1  0     G =  1/4    0    0      A' = 1  1  1  1  1  0
//          0 -4 -4  1  1  0         -1/6 -1/6 -1/6           0  1 -1  2 -2  0
//          0  4 -4 -1  1  0         -1/6  1/6 -1/6           0  1  1  4  4  0
//          0 -2 -1  2  1  0         1/24 1/12  1/6           0  1 -1  8 -8  1
//          0  2 -1 -2  1  0         1/24-1/12  1/6
//          0  4  0 -5  0  1            0    0    1
// the tile that comes out is A' [(G g G') * (B' d B)] A, where * multiplies number by number and
// sums over the channels: 36 products of matrices, one for each place in the 6 x 6.  The gradient
// of g is G' [(B' d B) * (A e A')] G, e being that of the tile, summed over the tiles.
//
// Papers: A. Lavin, S. Gray, "Fast algorithms for convolutional neural networks", 2016, F(4x4,
//         3x3).
// Differs: rounds otherwise than the plain sum, so a trained network is not computed by it
//          (feature/convolve.h), only trained.
// Cost:   bench_net prints it beside the plain sum.  Tiles of 2 x 2, tried before, take 1.8 times
//         the multiplications and the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_pages.h"

namespace twinsift {

// The 6 x 6 numbers of tiles, place by place: that of tile t and channel c at place p is
// values[p * step() + t * channels + c].
template <class Real>
struct Tiles {
  static constexpr std::size_t kPlaces = 36;
  std::size_t tiles = 0;
  std::size_t channels = 0;
  std::vector<Real, HugePages<Real>> values;

  explicit Tiles(std::size_t c) : channels(c) {}
  void resize(std::size_t t) {
    tiles = t;
    values.resize(kPlaces * step());
  }
  // A line of the cache more than they need: places that are a power of 2 apart would all want the
  // same few lines.
  [[nodiscard]] std::size_t step() const { return tiles * channels + 64 / sizeof(Real); }
  [[nodiscard]] Real* place(std::size_t p) { return values.data() + p * step(); }
  [[nodiscard]] const Real* place(std::size_t p) const { return values.data() + p * step(); }
};

// All of maps of side x side pixels; `first` is the tile at which those of a map begin.
// Requires: a side that is a multiple of kTileSide.
inline constexpr std::size_t kTileSide = 4;
inline constexpr std::size_t tiles_of(std::size_t side) {
  return (side / kTileSide) * (side / kTileSide);
}

// B' d B of a map with a border of one pixel.
template <class Real>
void spread_input(const Real* map, std::size_t side, std::size_t first, Tiles<Real>& out);
// A' m A, to rows that are `row` numbers apart.
template <class Real>
void collect_output(const Tiles<Real>& in, std::size_t first, std::size_t side, Real* map,
                    std::size_t row);
// A e A' of a gradient whose rows are `row` numbers apart.
template <class Real>
void spread_gradient(const Real* map, std::size_t row, std::size_t side, std::size_t first,
                     Tiles<Real>& out);

// G g G' of weights (ky, kx, i, o): for each place a matrix (i, o), in panels (feature/convolve.h).
template <class Real>
std::vector<std::vector<Real>> spread_weights(std::span<const Real> weights, std::size_t in,
                                              std::size_t out);
// G' u G, from matrices (i, o) of all places, one after the other.
template <class Real>
std::vector<Real> collect_gradient(std::span<const Real> places, std::size_t in, std::size_t out);

// For each place the product of the tiles with a matrix of spread_weights().
template <class Real>
void multiply_tiles(const Tiles<Real>& in, const std::vector<std::vector<Real>>& weights,
                    Tiles<Real>& out);
// For each place the sum over the tiles of products of a channel of a with one of b, added to
// matrices (channel of a, channel of b), one after the other.
template <class Real>
void add_tile_products(const Tiles<Real>& a, const Tiles<Real>& b, std::span<Real> places);

}  // namespace twinsift
