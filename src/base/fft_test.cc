// SPDX-License-Identifier: Apache-2.0
#include "base/fft.h"

#include <cmath>
#include <complex>
#include <numbers>
#include <span>

#include <gtest/gtest.h>

#include "base/normal.h"

namespace twinsift {
namespace {

using Numbers = std::vector<std::complex<double>>;

Numbers random_numbers(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  Numbers numbers(count);
  for (auto& x : numbers) x = {static_cast<float>(normal(rng)), static_cast<float>(normal(rng))};
  return numbers;
}

// ORACLE: the sum as it is defined.
Numbers plain_transform(const Numbers& x, double sign) {
  Numbers sums(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double turns = static_cast<double>(j * k % x.size()) / static_cast<double>(x.size());
      sums[k] += x[j] * std::polar(1.0, sign * 2 * std::numbers::pi * turns);
    }
  }
  return sums;
}

struct Planes {
  std::vector<float> re;
  std::vector<float> im;
};

Planes planes_of(const Numbers& numbers) {
  Planes planes;
  for (const auto& x : numbers) {
    planes.re.push_back(static_cast<float>(x.real()));
    planes.im.push_back(static_cast<float>(x.imag()));
  }
  return planes;
}

void expect_near(const Planes& planes, const Numbers& expected) {
  double size = 0;
  for (const auto& x : expected) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(planes.re[i], expected[i].real(), 1e-6 * size) << i;
    EXPECT_NEAR(planes.im[i], expected[i].imag(), 1e-6 * size) << i;
  }
}

TEST(Fft, IsTheSumAsDefined) {
  for (const std::size_t n : {1U, 2U, 4U, 8U, 32U, 256U, 512U}) {
    const Fft fft(n);
    EXPECT_EQ(fft.size(), n);
    const Numbers x = random_numbers(n, n);
    Planes planes = planes_of(x);
    fft.forward(planes.re, planes.im, 1);
    expect_near(planes, plain_transform(x, -1));
    planes = planes_of(x);
    fft.backward(planes.re, planes.im, 1);
    expect_near(planes, plain_transform(x, 1));
  }
}

// The same numbers, whether many lanes are worked on at once or not, and wherever they lie.
TEST(Fft, LanesAreTransformsOfTheirOwn) {
  for (const std::size_t lanes : {1U, 4U, 5U, 8U, 16U}) {
    for (const std::size_t rows : {2U, 16U, 64U, 128U, 512U, 1024U}) {
      const Fft fft(rows);
      const Numbers x = random_numbers(lanes * rows, 3);
      Planes together = planes_of(x);
      together.re.insert(together.re.begin(), 0.0F);
      together.im.insert(together.im.begin(), 0.0F);
      fft.forward(std::span(together.re).subspan(1), std::span(together.im).subspan(1), lanes);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        Numbers own;
        for (std::size_t row = 0; row < rows; ++row) own.push_back(x[row * lanes + lane]);
        Planes alone = planes_of(own);
        fft.forward(alone.re, alone.im, 1);
        for (std::size_t row = 0; row < rows; ++row) {
          ASSERT_EQ(together.re[1 + row * lanes + lane], alone.re[row]) << rows << ' ' << lanes;
          ASSERT_EQ(together.im[1 + row * lanes + lane], alone.im[row]) << rows << ' ' << lanes;
        }
      }
    }
  }
}

TEST(Fft, BackwardUndoesForwardUpToTheSize) {
  constexpr std::size_t kSize = 1024;
  const Fft fft(kSize);
  Numbers x = random_numbers(kSize, 4);
  Planes planes = planes_of(x);
  fft.forward(planes.re, planes.im, 1);
  fft.backward(planes.re, planes.im, 1);
  for (auto& number : x) number *= kSize;
  expect_near(planes, x);
}

TEST(Fft, TransposesSquares) {
  for (const std::size_t n : {1U, 3U, 16U, 40U}) {
    std::vector<float> square(n * n);
    for (std::size_t i = 0; i < square.size(); ++i) square[i] = static_cast<float>(i);
    transpose_square(square, n);
    for (std::size_t y = 0; y < n; ++y) {
      for (std::size_t x = 0; x < n; ++x) {
        EXPECT_EQ(square[y * n + x], static_cast<float>(x * n + y));
      }
    }
  }
}

}  // namespace
}  // namespace twinsift
