// SPDX-License-Identifier: Apache-2.0
#include "learn/convolution.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "base/matrix.h"
#include "base/parallel.h"

namespace twinsift {
namespace {

// So many images at once that the products have rows enough.
std::size_t images_at_once(std::size_t side) {
  constexpr std::size_t kTiles = 64;
  return std::max<std::size_t>(1, kTiles / tiles_of(side));
}

}  // namespace

template <class Real>
Convolution<Real>::Convolution(const ConvolutionShape& shape)
    : plan_(shape),
      by_tiles_(shape.kernel == 3 && shape.stride == 1 && shape.side % kTileSide == 0) {
  weights_.resize(shape.weights());
  const Maps<Real> in(0, shape.side, shape.in, shape.border());
  const Maps<Real> d_middle(0, shape.middle_side(), shape.out, shape.border());
  for (std::size_t y = 0; y < shape.middle_side(); ++y) {
    for (std::size_t x = 0; x < shape.middle_side(); ++x) {
      d_rows_.push_back(static_cast<std::int64_t>((y * d_middle.pitch() + x) * shape.out));
      d_pixels_.push_back(static_cast<std::int64_t>(d_middle.offset(y, x)));
      d_in_rows_.push_back(static_cast<std::int64_t>(in.offset(y, x)));
    }
  }
}

template <class Real>
void Convolution<Real>::prepare() {
  if (by_tiles_) {
    tile_panels_ = spread_weights<Real>(weights_.values, shape().in, shape().out);
  } else {
    panels_ = panels_of<Real>(weights_.values, shape().out);
  }
  if (shape().stride != 1) return;
  const std::size_t in = shape().in;
  const std::size_t out = shape().out;
  const std::size_t taps = shape().kernel * shape().kernel;
  std::vector<Real> flipped(shape().weights());
  for (std::size_t tap = 0; tap < taps; ++tap) {
    const Real* from = &weights_.values[tap * in * out];
    Real* to = &flipped[(taps - 1 - tap) * in * out];
    for (std::size_t i = 0; i < in; ++i) {
      for (std::size_t o = 0; o < out; ++o) to[o * in + i] = from[i * out + o];
    }
  }
  if (by_tiles_) {
    flipped_tile_panels_ = spread_weights<Real>(flipped, out, in);
  } else {
    flipped_panels_ = panels_of<Real>(flipped, in);
  }
}

template <class Real>
void Convolution<Real>::pool(const std::vector<Real>& middle, std::size_t image, Maps<Real>& out) {
  const std::size_t channels = shape().out;
  const std::size_t row = shape().middle_side() * channels;
  std::uint8_t* winner = &winners_[image * cells()];
  for (std::size_t y = 0; y < out.side; ++y) {
    for (std::size_t x = 0; x < out.side; ++x) {
      const Real* upper = &middle[2 * y * row + 2 * x * channels];
      const Real* lower = upper + row;
      Real* to = out.pixel(image, y, x);
      for (std::size_t o = 0; o < channels; ++o) {
        const bool right_above = upper[channels + o] > upper[o];
        const bool right_below = lower[channels + o] > lower[o];
        const Real above = right_above ? upper[channels + o] : upper[o];
        const Real below = right_below ? lower[channels + o] : lower[o];
        to[o] = below > above ? below : above;
        *winner++ = static_cast<std::uint8_t>(below > above ? 2 + right_below : +right_above);
      }
    }
  }
}

template <class Real>
void Convolution<Real>::finish(const std::vector<Real>& middle, std::size_t image,
                               Maps<Real>& out) {
  if (shape().pool) return pool(middle, image, out);
  const std::size_t row = shape().middle_side() * shape().out;
  for (std::size_t y = 0; y < shape().middle_side(); ++y) {
    std::copy_n(&middle[y * row], row, out.pixel(image, y, 0));
  }
}

template <class Real>
void Convolution<Real>::forward_plainly(const Maps<Real>& in, GroupRange range, Maps<Real>& out) {
  std::vector<Real> middle(shape().middle_side() * shape().middle_side() * shape().out);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    plan_.convolve(in.image(i), panels_, middle.data());
    finish(middle, i, out);
  }
}

template <class Real>
void Convolution<Real>::forward_tiles(const Maps<Real>& in, GroupRange range, Maps<Real>& out) {
  const std::size_t side = shape().side;
  const std::size_t tiles = tiles_of(side);
  std::vector<Real> middle(side * side * shape().out);
  Tiles<Real> spread(shape().in);
  Tiles<Real> products(shape().out);
  for (std::size_t i = range.begin; i < range.end; i += images_at_once(side)) {
    const std::size_t count = std::min(images_at_once(side), range.end - i);
    spread.resize(count * tiles);
    products.resize(count * tiles);
    for (std::size_t k = 0; k < count; ++k) spread_input(in.image(i + k), side, k * tiles, spread);
    multiply_tiles(spread, tile_panels_, products);
    for (std::size_t k = 0; k < count; ++k) {
      collect_output(products, k * tiles, side, middle.data(), side * shape().out);
      finish(middle, i + k, out);
    }
  }
}

template <class Real>
void Convolution<Real>::forward(const Maps<Real>& in, Maps<Real>& out, unsigned threads) {
  assert(in.side == shape().side && in.channels == shape().in && in.border == shape().border());
  assert(out.side == shape().out_side() && out.channels == shape().out);
  if (shape().pool) winners_.resize(in.images * cells());
  parallel_for(kGroups, threads, {}, [&](std::size_t group, unsigned) {
    const GroupRange range = group_range(group, in.images);
    by_tiles_ ? forward_tiles(in, range, out) : forward_plainly(in, range, out);
  });
}

template <class Real>
void Convolution<Real>::unpool(const Maps<Real>& d_out, std::size_t image,
                               Maps<Real>& d_middle) const {
  const std::size_t channels = shape().out;
  for (std::size_t y = 0; y < d_out.side; ++y) {
    if (!shape().pool) {
      std::copy_n(d_out.pixel(image, y, 0), d_out.side * channels, d_middle.pixel(0, y, 0));
      continue;
    }
    for (std::size_t x = 0; x < d_out.side; ++x) {
      const Real* from = d_out.pixel(image, y, x);
      const std::uint8_t* winner = &winners_[image * cells() + (y * d_out.side + x) * channels];
      for (std::uint8_t cell = 0; cell < 4; ++cell) {
        Real* to = d_middle.pixel(0, 2 * y + cell / 2, 2 * x + cell % 2);
        for (std::size_t o = 0; o < channels; ++o) to[o] = winner[o] == cell ? from[o] : Real{0};
      }
    }
  }
}

template <class Real>
void Convolution<Real>::backward_image(const Real* in, const Maps<Real>& d_middle, Real* d_in,
                                       std::span<Real> gradient) const {
  const std::size_t run = shape().kernel * shape().in;
  for (std::size_t ky = 0; ky < shape().kernel; ++ky) {
    add_outer(OuterProducts<Real>{.a = in + ky * shape().pitch() * shape().in,
                                  .a_inner = plan_.in_rows(),
                                  .b = d_middle.image(0),
                                  .b_inner = d_pixels_,
                                  .c = &gradient[ky * run * shape().out],
                                  .rows = run,
                                  .columns = shape().out});
  }
  if (d_in == nullptr) return;
  multiply_panels(PanelProduct<Real>{.a = d_middle.image(0),
                                     .a_rows = d_rows_,
                                     .a_run = d_middle.pitch() * shape().out,
                                     .runs = shape().kernel,
                                     .length = shape().kernel * shape().out,
                                     .panels = &flipped_panels_,
                                     .c = d_in,
                                     .c_rows = d_in_rows_,
                                     .columns = shape().in});
}

template <class Real>
void Convolution<Real>::backward_plainly(const Maps<Real>& in, const Maps<Real>& d_out,
                                         GroupRange range, Maps<Real>* d_in,
                                         std::span<Real> gradient) const {
  Maps<Real> d_middle(1, shape().middle_side(), shape().out, shape().border());
  for (std::size_t i = range.begin; i < range.end; ++i) {
    unpool(d_out, i, d_middle);
    backward_image(in.image(i), d_middle, d_in == nullptr ? nullptr : d_in->image(i), gradient);
  }
}

template <class Real>
void Convolution<Real>::backward_tiles(const Maps<Real>& in, const Maps<Real>& d_out,
                                       GroupRange range, Maps<Real>* d_in,
                                       std::span<Real> places) const {
  const std::size_t side = shape().side;
  const std::size_t tiles = tiles_of(side);
  Maps<Real> d_middle(1, side, shape().out, 1);
  const std::size_t row = d_middle.pitch() * shape().out;
  Tiles<Real> spread(shape().in);
  Tiles<Real> gradients(shape().out);
  Tiles<Real> around(shape().out);
  for (std::size_t i = range.begin; i < range.end; i += images_at_once(side)) {
    const std::size_t count = std::min(images_at_once(side), range.end - i);
    for (Tiles<Real>* one : {&spread, &gradients, &around}) one->resize(count * tiles);
    for (std::size_t k = 0; k < count; ++k) {
      unpool(d_out, i + k, d_middle);
      spread_input(in.image(i + k), side, k * tiles, spread);
      spread_gradient(d_middle.pixel(0, 0, 0), row, side, k * tiles, gradients);
      if (d_in != nullptr) spread_input(d_middle.image(0), side, k * tiles, around);
    }
    add_tile_products<Real>(spread, gradients, places);
    if (d_in == nullptr) continue;
    multiply_tiles(around, flipped_tile_panels_, spread);
    for (std::size_t k = 0; k < count; ++k) {
      collect_output(spread, k * tiles, side, d_in->pixel(i + k, 0, 0), d_in->pitch() * shape().in);
    }
  }
}

template <class Real>
void Convolution<Real>::backward(const Maps<Real>& in, const Maps<Real>& d_out, Maps<Real>* d_in,
                                 unsigned threads) {
  assert(d_in == nullptr || shape().stride == 1);
  const std::size_t count =
      by_tiles_ ? Tiles<Real>::kPlaces * shape().in * shape().out : shape().weights();
  parallel_for(kGroups, threads, {}, [&](std::size_t group, unsigned) {
    const GroupRange range = group_range(group, in.images);
    gradients_[group].assign(count, Real{0});
    by_tiles_ ? backward_tiles(in, d_out, range, d_in, gradients_[group])
              : backward_plainly(in, d_out, range, d_in, gradients_[group]);
  });
  constexpr std::size_t kPieces = 32;
  parallel_for(kPieces, threads, {}, [&](std::size_t piece, unsigned) {
    Real* const sum = gradients_[0].data();
    for (std::size_t group = 1; group < kGroups; ++group) {
      const Real* const part = gradients_[group].data();
      for (std::size_t w = piece * count / kPieces; w < (piece + 1) * count / kPieces; ++w) {
        sum[w] += part[w];
      }
    }
  });
  if (by_tiles_) {
    weights_.gradient = collect_gradient<Real>(gradients_[0], shape().in, shape().out);
  } else {
    weights_.gradient.assign(gradients_[0].begin(), gradients_[0].end());
  }
}

template class Convolution<float>;
template class Convolution<double>;

}  // namespace twinsift
