// SPDX-License-Identifier: Apache-2.0
#include "base/fft.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace twinsift {
namespace {

struct Complex {
  double re = 1;
  double im = 0;
};

Complex operator*(const Complex& a, const Complex& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// exp(2 pi i / 2^k) for k = 0 to `most`.
std::vector<Complex> halved_angles(unsigned most) {
  std::vector<Complex> roots = {{1, 0}, {-1, 0}, {0, 1}};
  while (roots.size() <= most) {
    const Complex whole = roots.back();
    // sin(x/2) by the double angle: the difference 1 - cos(x) would lose digits.
    const double cosine = std::sqrt((1 + whole.re) / 2);
    roots.push_back({cosine, whole.im / (2 * cosine)});
  }
  return roots;
}

struct Rows {
  float* re;
  float* im;
};

// (a, b) becomes (a + w b, a - w b), w = cosine - i sine.
void butterfly(const Rows& a, const Rows& b, float cosine, float sine, std::size_t lanes) {
  float* const __restrict a_re = a.re;
  float* const __restrict a_im = a.im;
  float* const __restrict b_re = b.re;
  float* const __restrict b_im = b.im;
  for (std::size_t i = 0; i < lanes; ++i) {
    const float re = cosine * b_re[i] + sine * b_im[i];
    const float im = cosine * b_im[i] - sine * b_re[i];
    b_re[i] = a_re[i] - re;
    b_im[i] = a_im[i] - im;
    a_re[i] += re;
    a_im[i] += im;
  }
}

}  // namespace

Fft::Fft(std::size_t n) {
  assert(std::has_single_bit(n));
  const auto bits = static_cast<unsigned>(std::countr_zero(n));
  const std::vector<Complex> roots = halved_angles(bits);
  for (std::size_t j = 0; j < n / 2; ++j) {
    Complex w;
    for (unsigned bit = 0; bit < bits; ++bit) {
      if ((j >> bit & 1U) != 0) w = w * roots[bits - bit];
    }
    cosine_.push_back(static_cast<float>(w.re));
    sine_.push_back(static_cast<float>(w.im));
  }
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t reversed = 0;
    for (unsigned bit = 0; bit < bits; ++bit) reversed = reversed << 1U | (j >> bit & 1U);
    if (j < reversed) swaps_.emplace_back(j, reversed);
  }
}

void Fft::forward(std::span<float> re, std::span<float> im, std::size_t lanes) const {
  const std::size_t n = size();
  assert(re.size() == n * lanes && im.size() == n * lanes);
  for (const auto& [a, b] : swaps_) {
    for (float* const plane : {re.data(), im.data()}) {
      std::swap_ranges(plane + a * lanes, plane + (a + 1) * lanes, plane + b * lanes);
    }
  }
  const auto row = [&](std::size_t j) { return Rows{&re[j * lanes], &im[j * lanes]}; };
  for (std::size_t half = 1; half < n; half *= 2) {
    const std::size_t stride = n / (2 * half);
    for (std::size_t first = 0; first < n; first += 2 * half) {
      for (std::size_t j = 0; j < half; ++j) {
        butterfly(row(first + j), row(first + j + half), cosine_[j * stride], sine_[j * stride],
                  lanes);
      }
    }
  }
}

void transpose_square(std::span<float> square, std::size_t n) {
  assert(square.size() == n * n);
  constexpr std::size_t kBlock = 16;  // so that both ends stay in the cache
  for (std::size_t top = 0; top < n; top += kBlock) {
    for (std::size_t left = top; left < n; left += kBlock) {
      for (std::size_t y = top; y < std::min(n, top + kBlock); ++y) {
        for (std::size_t x = std::max(left, y + 1); x < std::min(n, left + kBlock); ++x) {
          std::swap(square[y * n + x], square[x * n + y]);
        }
      }
    }
  }
}

}  // namespace twinsift
