// SPDX-License-Identifier: Apache-2.0
#include "base/fft.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>

#include "base/simd.h"

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

// So many lanes at once, wherever they lie, as compilers have it for every processor.  (Types that
// are arguments of templates lose such attributes, members of classes do not.)
struct One {
  using Lanes = float;
};
struct Four {
  using Lanes [[gnu::vector_size(16), gnu::aligned(4), gnu::may_alias]] = float;
};
struct Eight {
  using Lanes [[gnu::vector_size(32), gnu::aligned(4), gnu::may_alias]] = float;
};

// Where a row of numbers begins, and the factor cosine - i sine of a butterfly.
struct Row {
  float* re;
  float* im;
};
struct Factor {
  float cosine;
  float sine;
};

template <class Width>
struct Parts {
  typename Width::Lanes re;
  typename Width::Lanes im;
};

template <class Width>
[[gnu::always_inline]] inline Parts<Width> load(const Row& row, std::size_t at) {
  return {*reinterpret_cast<const typename Width::Lanes*>(row.re + at),
          *reinterpret_cast<const typename Width::Lanes*>(row.im + at)};
}
template <class Width>
[[gnu::always_inline]] inline void store(const Row& row, std::size_t at, const Parts<Width>& x) {
  *reinterpret_cast<typename Width::Lanes*>(row.re + at) = x.re;
  *reinterpret_cast<typename Width::Lanes*>(row.im + at) = x.im;
}

// (a, b) becomes (a + w b, a - w b).
template <class Width>
[[gnu::always_inline]] inline void butterfly(Parts<Width>& a, Parts<Width>& b, const Factor& w) {
  const typename Width::Lanes re = w.cosine * b.re + w.sine * b.im;
  const typename Width::Lanes im = w.cosine * b.im - w.sine * b.re;
  b.re = a.re - re;
  b.im = a.im - im;
  a.re += re;
  a.im += im;
}

template <class Width>
[[gnu::always_inline]] inline void one_level(const Row& rows, std::size_t apart, const Factor& w) {
  for (std::size_t i = 0; i < apart; i += sizeof(typename Width::Lanes) / sizeof(float)) {
    auto x = load<Width>(rows, i);
    auto y = load<Width>(rows, i + apart);
    butterfly(x, y, w);
    store(rows, i, x);
    store(rows, i + apart, y);
  }
}

// The butterflies of two levels at once: the same numbers, for half of the way to memory and back.
template <class Width>
[[gnu::always_inline]] inline void two_levels(const Row& rows, std::size_t apart, std::size_t lanes,
                                              const std::array<Factor, 3>& w) {
  for (std::size_t i = 0; i < lanes; i += sizeof(typename Width::Lanes) / sizeof(float)) {
    auto x = load<Width>(rows, i);
    auto y = load<Width>(rows, i + apart);
    auto u = load<Width>(rows, i + 2 * apart);
    auto v = load<Width>(rows, i + 3 * apart);
    butterfly(x, y, w[0]);
    butterfly(u, v, w[0]);
    butterfly(x, u, w[1]);
    butterfly(y, v, w[2]);
    store(rows, i, x);
    store(rows, i + apart, y);
    store(rows, i + 2 * apart, u);
    store(rows, i + 3 * apart, v);
  }
}

struct Roots {
  const float* cosine;  // of 2 pi j / n, j < n/2
  const float* sine;
  std::size_t n;
  [[nodiscard]] Factor at(std::size_t j) const { return {cosine[j], sine[j]}; }
};

// The butterflies of levels from `half` on, as long as they stay within blocks of `size` rows, of
// the rows from `from` to before `to`.
template <class Width>
[[gnu::always_inline]] inline void levels(const Row& all, const Roots& roots, std::size_t lanes,
                                          std::size_t half, const std::array<std::size_t, 3>& at) {
  const auto [from, to, size] = at;
  const auto row = [&](std::size_t j) { return Row{all.re + j * lanes, all.im + j * lanes}; };
  for (; 4 * half <= size; half *= 4) {
    const std::size_t stride = roots.n / (4 * half);
    for (std::size_t first = from; first < to; first += 4 * half) {
      for (std::size_t j = 0; j < half; ++j) {
        two_levels<Width>(
            row(first + j), half * lanes, lanes,
            {roots.at(2 * j * stride), roots.at(j * stride), roots.at((j + half) * stride)});
      }
    }
  }
}

// All butterflies of rows in the order of their reversed numbers: first those of blocks that stay
// in the cache.
template <class Width>
[[gnu::always_inline]] inline void transform(const Row& all, const Roots& roots,
                                             std::size_t lanes) {
  const std::size_t n = roots.n;
  const bool odd = std::countr_zero(n) % 2 == 1;
  const std::size_t block = std::min<std::size_t>(n, odd ? 128 : 64);
  for (std::size_t from = 0; from < n; from += block) {
    for (std::size_t j = from; odd && j < from + block; j += 2) {
      one_level<Width>({all.re + j * lanes, all.im + j * lanes}, lanes, roots.at(0));
    }
    levels<Width>(all, roots, lanes, odd ? 2 : 1, {from, from + block, block});
  }
  levels<Width>(all, roots, lanes, block, {0, n, n});
}

void transform_scalar(const Row& all, const Roots& roots, std::size_t lanes) {
  if (lanes % 4 == 0) return transform<Four>(all, roots, lanes);
  transform<One>(all, roots, lanes);
}
#if defined(__x86_64__)
TWINSIFT_AVX2 void transform_avx2(const Row& all, const Roots& roots, std::size_t lanes) {
  if (lanes % 8 == 0) return transform<Eight>(all, roots, lanes);
  transform_scalar(all, roots, lanes);
}
#endif

void transform_best(const Row& all, const Roots& roots, std::size_t lanes) {
  TWINSIFT_DISPATCH(transform, all, roots, lanes);
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
  if (n > 1) transform_best({re.data(), im.data()}, {cosine_.data(), sine_.data(), n}, lanes);
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
