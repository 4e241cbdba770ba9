// SPDX-License-Identifier: Apache-2.0
#include "learn/convolution.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

Maps<double> random_maps(std::size_t images, std::size_t side, std::size_t channels, Rng& rng) {
  Maps<double> maps(images, side, channels, 1);
  for (std::size_t i = 0; i < images; ++i) {
    for (std::size_t y = 0; y < side; ++y) {
      for (std::size_t x = 0; x < side; ++x) {
        for (std::size_t c = 0; c < channels; ++c) maps.pixel(i, y, x)[c] = rng.uniform() - 0.5;
      }
    }
  }
  return maps;
}

// What the definition says, of a kernel of 3 x 3 and stride 1.
struct Defined {
  Maps<double> out, d_in;
  std::vector<double> d_weights;
};
Defined defined(const ConvolutionShape& shape, const std::vector<double>& weights,
                const Maps<double>& in, const Maps<double>& d_out) {
  Defined all{Maps<double>(in.images, shape.side, shape.out, 1),
              Maps<double>(in.images, shape.side, shape.in, 1),
              std::vector<double>(shape.weights())};
  for (std::size_t image = 0; image < in.images; ++image) {
    for (std::size_t y = 0; y < shape.side; ++y) {
      for (std::size_t x = 0; x < shape.side; ++x) {
        for (std::size_t tap = 0; tap < 9; ++tap) {
          // The border is part of the maps.
          const std::size_t from = in.offset(y, x) + (tap / 3 * in.pitch() + tap % 3) * shape.in -
                                   (in.pitch() + 1) * shape.in;
          for (std::size_t i = 0; i < shape.in; ++i) {
            for (std::size_t o = 0; o < shape.out; ++o) {
              const std::size_t w = (tap * shape.in + i) * shape.out + o;
              const double slope = d_out.pixel(image, y, x)[o];
              all.out.pixel(image, y, x)[o] += in.image(image)[from + i] * weights[w];
              all.d_in.image(image)[from + i] += slope * weights[w];
              all.d_weights[w] += slope * in.image(image)[from + i];
            }
          }
        }
      }
    }
  }
  return all;
}

void expect_equal(const Maps<double>& a, const Maps<double>& b) {
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.images; ++i) {
    for (std::size_t y = 0; y < a.side; ++y) {
      for (std::size_t x = 0; x < a.side; ++x) {
        for (std::size_t c = 0; c < a.channels; ++c) {
          ASSERT_NEAR(a.pixel(i, y, x)[c], b.pixel(i, y, x)[c], 1e-12);
        }
      }
    }
  }
}

// ORACLE: even sides go by tiles, odd ones by the plain sum; more images than go at once.
TEST(Convolution, IsWhatTheDefinitionSays) {
  Rng rng(5);
  for (const std::size_t side : {1U, 2U, 3U, 4U, 6U, 8U}) {
    for (const std::size_t in : {1U, 3U}) {
      for (const std::size_t out : {1U, 5U, 33U}) {
        SCOPED_TRACE(::testing::Message() << side << " " << in << " " << out);
        const ConvolutionShape shape{.side = side, .in = in, .out = out};
        Convolution<double> layer(shape);
        for (double& weight : layer.weights().values) weight = rng.uniform() - 0.5;
        layer.prepare();
        const Maps<double> maps = random_maps(19, side, in, rng);
        const Maps<double> d_out = random_maps(19, side, out, rng);
        const Defined expected = defined(shape, layer.weights().values, maps, d_out);
        Maps<double> computed(19, side, out, 1);
        Maps<double> d_in(19, side, in, 1);
        layer.forward(maps, computed, 1);
        layer.backward(maps, d_out, &d_in, 1);
        expect_equal(computed, expected.out);
        expect_equal(d_in, expected.d_in);
        for (std::size_t w = 0; w < shape.weights(); ++w) {
          ASSERT_NEAR(layer.weights().gradient[w], expected.d_weights[w], 1e-11);
        }
      }
    }
  }
}

// The gradient of what went in leaves the border alone, which the next layer relies on.
TEST(Convolution, BorderOfGradientStaysZero) {
  Rng rng(6);
  const ConvolutionShape shape{.side = 4, .in = 3, .out = 2};
  Convolution<double> layer(shape);
  for (double& weight : layer.weights().values) weight = rng.uniform();
  layer.prepare();
  const Maps<double> maps = random_maps(2, 4, 3, rng);
  Maps<double> d_in(2, 4, 3, 1);
  Maps<double> out(2, 4, 2, 1);
  layer.forward(maps, out, 1);
  layer.backward(maps, random_maps(2, 4, 2, rng), &d_in, 1);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t x = 0; x < d_in.pitch() * 3; ++x) {
      EXPECT_EQ(d_in.image(i)[x], 0);
      EXPECT_EQ(d_in.image(i)[d_in.image_size() - 1 - x], 0);
    }
  }
}

}  // namespace
}  // namespace twinsift
