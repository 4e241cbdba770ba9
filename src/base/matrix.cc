// SPDX-License-Identifier: Apache-2.0
#include "base/matrix.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/simd.h"

namespace twinsift {
namespace {

template <class Real>
void multiply_plainly(const MatrixProduct<Real>& p) {
  for (std::size_t i = 0; i < p.a_rows.size(); ++i) {
    const Real* a = p.a + p.a_rows[i];
    Real* c = p.c + p.c_rows[i];
    if (!p.add) std::fill_n(c, p.columns, Real{0});
    for (std::size_t k = 0; k < p.inner; ++k) {
      const Real* b = p.b + static_cast<std::int64_t>(k) * p.b_row;
      for (std::size_t j = 0; j < p.columns; ++j) c[j] = std::fma(a[k], b[j], c[j]);
    }
  }
}

template <class Real>
void add_outer_plainly(const OuterProducts<Real>& p) {
  for (std::size_t k = 0; k < p.a_inner.size(); ++k) {
    const Real* a = p.a + p.a_inner[k];
    const Real* b = p.b + p.b_inner[k];
    for (std::size_t i = 0; i < p.rows; ++i) {
      Real* c = p.c + i * p.columns;
      for (std::size_t j = 0; j < p.columns; ++j) c[j] = std::fma(a[i], b[j], c[j]);
    }
  }
}

#if defined(__x86_64__)

// Each kernel computes a block of C: kRows rows and two vectors of columns, of which those outside
// the masks do not exist.  Its sums stay in registers while k runs; for that, all loops over them
// must be unrolled.
#define TWINSIFT_UNROLL _Pragma("GCC unroll 16")
#define TWINSIFT_FMA __attribute__((target("avx2,fma")))
#define TWINSIFT_AVX512 __attribute__((target("avx512f,avx512vl,fma")))

// The lanes below n.
__mmask16 lanes16(std::size_t n) {
  return static_cast<__mmask16>((1U << std::min<std::size_t>(n, 16)) - 1U);
}
TWINSIFT_FMA __m256i lanes8(std::size_t n) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const int most = static_cast<int>(std::min<std::size_t>(n, 8));
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(most), lane);
}

template <std::size_t kRows, bool kAll>
TWINSIFT_AVX512 void product_block_avx512(const MatrixProduct<float>& p, std::size_t row,
                                          std::size_t column) {
  const std::size_t left = p.columns - column;
  const __mmask16 low = kAll ? __mmask16{0xFFFF} : lanes16(left);
  const __mmask16 high = kAll ? low : lanes16(left - std::min<std::size_t>(left, 16));
  const float* a[kRows];
  __m512 sums[kRows][2];
  TWINSIFT_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    a[i] = p.a + p.a_rows[row + i];
    const float* c = p.c + p.c_rows[row + i] + column;
    sums[i][0] = _mm512_maskz_loadu_ps(p.add ? low : __mmask16{0}, c);
    sums[i][1] = _mm512_maskz_loadu_ps(p.add ? high : __mmask16{0}, c + 16);
  }
  const float* b = p.b + column;
  for (std::size_t k = 0; k < p.inner; ++k, b += p.b_row) {
    const __m512 b0 = _mm512_maskz_loadu_ps(low, b);
    const __m512 b1 = _mm512_maskz_loadu_ps(high, b + 16);
    TWINSIFT_UNROLL
    for (std::size_t i = 0; i < kRows; ++i) {
      const __m512 factor = _mm512_set1_ps(a[i][k]);
      sums[i][0] = _mm512_fmadd_ps(factor, b0, sums[i][0]);
      sums[i][1] = _mm512_fmadd_ps(factor, b1, sums[i][1]);
    }
  }
  TWINSIFT_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    float* c = p.c + p.c_rows[row + i] + column;
    _mm512_mask_storeu_ps(c, low, sums[i][0]);
    _mm512_mask_storeu_ps(c + 16, high, sums[i][1]);
  }
}

template <bool kAll>
TWINSIFT_FMA __m256 load_lanes(const float* p, __m256i lanes) {
  return kAll ? _mm256_loadu_ps(p) : _mm256_maskload_ps(p, lanes);
}
template <bool kAll>
TWINSIFT_FMA void store_lanes(float* p, __m256i lanes, __m256 x) {
  kAll ? _mm256_storeu_ps(p, x) : _mm256_maskstore_ps(p, lanes, x);
}

template <std::size_t kRows, bool kAll>
TWINSIFT_FMA void product_block_avx2(const MatrixProduct<float>& p, std::size_t row,
                                     std::size_t column) {
  const std::size_t left = p.columns - column;
  const __m256i low = lanes8(left);
  const __m256i high = lanes8(left - std::min<std::size_t>(left, 8));
  const float* a[kRows];
  __m256 sums[kRows][2];
  TWINSIFT_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    a[i] = p.a + p.a_rows[row + i];
    const float* c = p.c + p.c_rows[row + i] + column;
    sums[i][0] = p.add ? load_lanes<kAll>(c, low) : _mm256_setzero_ps();
    sums[i][1] = p.add ? load_lanes<kAll>(c + 8, high) : _mm256_setzero_ps();
  }
  const float* b = p.b + column;
  for (std::size_t k = 0; k < p.inner; ++k, b += p.b_row) {
    const __m256 b0 = load_lanes<kAll>(b, low);
    const __m256 b1 = load_lanes<kAll>(b + 8, high);
    TWINSIFT_UNROLL
    for (std::size_t i = 0; i < kRows; ++i) {
      const __m256 factor = _mm256_broadcast_ss(a[i] + k);
      sums[i][0] = _mm256_fmadd_ps(factor, b0, sums[i][0]);
      sums[i][1] = _mm256_fmadd_ps(factor, b1, sums[i][1]);
    }
  }
  TWINSIFT_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    float* c = p.c + p.c_rows[row + i] + column;
    store_lanes<kAll>(c, low, sums[i][0]);
    store_lanes<kAll>(c + 8, high, sums[i][1]);
  }
}

template <std::size_t kRows, bool kAll>
TWINSIFT_AVX512 void outer_block_avx512(const OuterProducts<float>& p, std::size_t row,
                                        std::size_t column) {
  const std::size_t left = p.columns - column;
  const __mmask16 low = kAll ? __mmask16{0xFFFF} : lanes16(left);
  const __mmask16 high = kAll ? low : lanes16(left - std::min<std::size_t>(left, 16));
  float* c = p.c + row * p.columns + column;
  __m512 sums[kRows][2];
  TWINSIFT_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    sums[i][0] = _mm512_maskz_loadu_ps(low, c + i * p.columns);
    sums[i][1] = _mm512_maskz_loadu_ps(high, c + i * p.columns + 16);
  }
  for (std::size_t k = 0; k < p.a_inner.size(); ++k) {
    const float* a = p.a + p.a_inner[k] + row;
    const float* b = p.b + p.b_inner[k] + column;
    const __m512 b0 = _mm512_maskz_loadu_ps(low, b);
    const __m512 b1 = _mm512_maskz_loadu_ps(high, b + 16);
    TWINSIFT_UNROLL
    for (std::size_t i = 0; i < kRows; ++i) {
      const __m512 factor = _mm512_set1_ps(a[i]);
      sums[i][0] = _mm512_fmadd_ps(factor, b0, sums[i][0]);
      sums[i][1] = _mm512_fmadd_ps(factor, b1, sums[i][1]);
    }
  }
  TWINSIFT_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    _mm512_mask_storeu_ps(c + i * p.columns, low, sums[i][0]);
    _mm512_mask_storeu_ps(c + i * p.columns + 16, high, sums[i][1]);
  }
}

template <std::size_t kRows, bool kAll>
TWINSIFT_FMA void outer_block_avx2(const OuterProducts<float>& p, std::size_t row,
                                   std::size_t column) {
  const std::size_t left = p.columns - column;
  const __m256i low = lanes8(left);
  const __m256i high = lanes8(left - std::min<std::size_t>(left, 8));
  float* c = p.c + row * p.columns + column;
  __m256 sums[kRows][2];
  TWINSIFT_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    sums[i][0] = load_lanes<kAll>(c + i * p.columns, low);
    sums[i][1] = load_lanes<kAll>(c + i * p.columns + 8, high);
  }
  for (std::size_t k = 0; k < p.a_inner.size(); ++k) {
    const float* a = p.a + p.a_inner[k] + row;
    const float* b = p.b + p.b_inner[k] + column;
    const __m256 b0 = load_lanes<kAll>(b, low);
    const __m256 b1 = load_lanes<kAll>(b + 8, high);
    TWINSIFT_UNROLL
    for (std::size_t i = 0; i < kRows; ++i) {
      const __m256 factor = _mm256_broadcast_ss(a + i);
      sums[i][0] = _mm256_fmadd_ps(factor, b0, sums[i][0]);
      sums[i][1] = _mm256_fmadd_ps(factor, b1, sums[i][1]);
    }
  }
  TWINSIFT_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    store_lanes<kAll>(c + i * p.columns, low, sums[i][0]);
    store_lanes<kAll>(c + i * p.columns + 8, high, sums[i][1]);
  }
}

template <bool kAll>
void product_columns_avx512(const MatrixProduct<float>& p, std::size_t column) {
  const std::size_t rows = p.a_rows.size();
  std::size_t row = 0;
  for (; row + 8 <= rows; row += 8) product_block_avx512<8, kAll>(p, row, column);
  for (; row + 4 <= rows; row += 4) product_block_avx512<4, kAll>(p, row, column);
  for (; row < rows; ++row) product_block_avx512<1, kAll>(p, row, column);
}

void multiply_avx512(const MatrixProduct<float>& p) {
  for (std::size_t column = 0; column < p.columns; column += 32) {
    p.columns - column >= 32 ? product_columns_avx512<true>(p, column)
                             : product_columns_avx512<false>(p, column);
  }
}

template <bool kAll>
void product_columns_avx2(const MatrixProduct<float>& p, std::size_t column) {
  const std::size_t rows = p.a_rows.size();
  std::size_t row = 0;
  for (; row + 6 <= rows; row += 6) product_block_avx2<6, kAll>(p, row, column);
  for (; row + 4 <= rows; row += 4) product_block_avx2<4, kAll>(p, row, column);
  for (; row < rows; ++row) product_block_avx2<1, kAll>(p, row, column);
}

void multiply_avx2(const MatrixProduct<float>& p) {
  for (std::size_t column = 0; column < p.columns; column += 16) {
    p.columns - column >= 16 ? product_columns_avx2<true>(p, column)
                             : product_columns_avx2<false>(p, column);
  }
}

template <bool kAll>
void outer_columns_avx512(const OuterProducts<float>& p, std::size_t column) {
  std::size_t row = 0;
  for (; row + 12 <= p.rows; row += 12) outer_block_avx512<12, kAll>(p, row, column);
  for (; row + 3 <= p.rows; row += 3) outer_block_avx512<3, kAll>(p, row, column);
  for (; row < p.rows; ++row) outer_block_avx512<1, kAll>(p, row, column);
}

void add_outer_avx512(const OuterProducts<float>& p) {
  for (std::size_t column = 0; column < p.columns; column += 32) {
    p.columns - column >= 32 ? outer_columns_avx512<true>(p, column)
                             : outer_columns_avx512<false>(p, column);
  }
}

template <bool kAll>
void outer_columns_avx2(const OuterProducts<float>& p, std::size_t column) {
  std::size_t row = 0;
  for (; row + 6 <= p.rows; row += 6) outer_block_avx2<6, kAll>(p, row, column);
  for (; row + 4 <= p.rows; row += 4) outer_block_avx2<4, kAll>(p, row, column);
  for (; row < p.rows; ++row) outer_block_avx2<1, kAll>(p, row, column);
}

void add_outer_avx2(const OuterProducts<float>& p) {
  for (std::size_t column = 0; column < p.columns; column += 16) {
    p.columns - column >= 16 ? outer_columns_avx2<true>(p, column)
                             : outer_columns_avx2<false>(p, column);
  }
}

// A product in steps of k, so that what a step reads of B stays in the first-level cache while the
// rows pass by.  C holds the sums from step to step: their order is that of k all the same.
template <class Multiply>
void in_steps(MatrixProduct<float> p, const Multiply& multiply_step) {
  constexpr std::size_t kStep = 192;  // 24 KiB of B for 32 columns
  std::size_t left = p.inner;
  do {
    p.inner = std::min(left, kStep);
    multiply_step(p);
    p.a += p.inner;
    p.b += static_cast<std::int64_t>(p.inner) * p.b_row;
    p.add = true;
    left -= p.inner;
  } while (left > 0);
}
template <class AddOuter>
void in_steps(OuterProducts<float> p, const AddOuter& add_step) {
  constexpr std::size_t kStep = 64;
  while (!p.a_inner.empty()) {
    OuterProducts<float> step = p;
    const std::size_t count = std::min(p.a_inner.size(), kStep);
    step.a_inner = p.a_inner.first(count);
    step.b_inner = p.b_inner.first(count);
    add_step(step);
    p.a_inner = p.a_inner.subspan(count);
    p.b_inner = p.b_inner.subspan(count);
  }
}

#endif

MatrixKernel best_kernel() {
  for (const MatrixKernel kernel : {MatrixKernel::kAvx512, MatrixKernel::kAvx2}) {
    if (can_multiply_by(kernel)) return kernel;
  }
  return MatrixKernel::kScalar;
}

MatrixKernel chosen_kernel() {
  static const MatrixKernel kernel = best_kernel();
  return kernel;
}

}  // namespace

bool can_multiply_by(MatrixKernel kernel) {
  if (kernel == MatrixKernel::kScalar) return true;
#if defined(__x86_64__)
  if (simd_level() != SimdLevel::kAvx2 || !__builtin_cpu_supports("fma")) return false;
  return kernel == MatrixKernel::kAvx2 ||
         (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"));
#else
  return false;
#endif
}

void multiply_by(MatrixKernel kernel, const MatrixProduct<float>& product) {
  assert(can_multiply_by(kernel) && product.a_rows.size() == product.c_rows.size());
#if defined(__x86_64__)
  if (kernel == MatrixKernel::kAvx512) return in_steps(product, multiply_avx512);
  if (kernel == MatrixKernel::kAvx2) return in_steps(product, multiply_avx2);
#endif
  multiply_plainly(product);
}

void add_outer_by(MatrixKernel kernel, const OuterProducts<float>& products) {
  assert(can_multiply_by(kernel) && products.a_inner.size() == products.b_inner.size());
#if defined(__x86_64__)
  if (kernel == MatrixKernel::kAvx512) return in_steps(products, add_outer_avx512);
  if (kernel == MatrixKernel::kAvx2) return in_steps(products, add_outer_avx2);
#endif
  add_outer_plainly(products);
}

void multiply(const MatrixProduct<float>& product) { multiply_by(chosen_kernel(), product); }
void multiply(const MatrixProduct<double>& product) { multiply_plainly(product); }

void add_outer(const OuterProducts<float>& products) { add_outer_by(chosen_kernel(), products); }
void add_outer(const OuterProducts<double>& products) { add_outer_plainly(products); }

}  // namespace twinsift
