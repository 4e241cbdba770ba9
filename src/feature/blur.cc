// SPDX-License-Identifier: Apache-2.0
#include "feature/blur.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/portable_trig.h"
#include "base/simd.h"

namespace twinsift {

std::vector<float> gaussian_kernel(double sigma) {
  // What is left out beyond is below 0.2 % of the weight.
  const auto radius = static_cast<std::size_t>(std::ceil(3 * sigma));
  std::vector<double> weights;
  double sum = 0;
  for (std::size_t i = 0; i <= radius; ++i) {
    const double t = static_cast<double>(i) / sigma;
    weights.push_back(portable_exp(-t * t / 2));
    sum += (i == 0 ? 1 : 2) * weights.back();
  }
  std::vector<float> kernel;
  kernel.reserve(weights.size());
  for (const double weight : weights) kernel.push_back(static_cast<float>(weight / sum));
  return kernel;
}

void weigh_rows_scalar(const KernelRows& rows, float* out, std::size_t n) {
  for (std::size_t x = 0; x < n; ++x) {
    float sum = rows.kernel[0] * rows.middle[x];
    for (std::size_t i = 1; i < rows.kernel.size(); ++i) {
      sum += rows.kernel[i] * (rows.before[i - 1][x] + rows.after[i - 1][x]);
    }
    out[x] = sum;
  }
}

#if defined(__x86_64__)
namespace {

TWINSIFT_AVX2 void weigh_rows_avx2(const KernelRows& rows, float* out, std::size_t n) {
  constexpr std::size_t kLanes = 8;
  constexpr std::size_t kAtOnce = 4 * kLanes;  // four sums, so that no one waits for the last
  const std::size_t taps = rows.kernel.size();
  const float* kernel = rows.kernel.data();
  std::size_t x = 0;
  for (; x + kAtOnce <= n; x += kAtOnce) {
    const float* middle = rows.middle + x;
    const __m256 w = _mm256_set1_ps(kernel[0]);
    __m256 a = _mm256_mul_ps(w, _mm256_loadu_ps(middle));
    __m256 b = _mm256_mul_ps(w, _mm256_loadu_ps(middle + kLanes));
    __m256 c = _mm256_mul_ps(w, _mm256_loadu_ps(middle + 2 * kLanes));
    __m256 d = _mm256_mul_ps(w, _mm256_loadu_ps(middle + 3 * kLanes));
    for (std::size_t i = 1; i < taps; ++i) {
      const __m256 v = _mm256_set1_ps(kernel[i]);
      const float* p = rows.before[i - 1] + x;
      const float* q = rows.after[i - 1] + x;
      const auto pair = [&](std::size_t at) TWINSIFT_AVX2 {
        return _mm256_mul_ps(v, _mm256_add_ps(_mm256_loadu_ps(p + at), _mm256_loadu_ps(q + at)));
      };
      a = _mm256_add_ps(a, pair(0));
      b = _mm256_add_ps(b, pair(kLanes));
      c = _mm256_add_ps(c, pair(2 * kLanes));
      d = _mm256_add_ps(d, pair(3 * kLanes));
    }
    _mm256_storeu_ps(out + x, a);
    _mm256_storeu_ps(out + x + kLanes, b);
    _mm256_storeu_ps(out + x + 2 * kLanes, c);
    _mm256_storeu_ps(out + x + 3 * kLanes, d);
  }
  for (; x < n; ++x) {
    float sum = kernel[0] * rows.middle[x];
    for (std::size_t i = 1; i < taps; ++i) {
      sum += kernel[i] * (rows.before[i - 1][x] + rows.after[i - 1][x]);
    }
    out[x] = sum;
  }
}

}  // namespace
#endif

void weigh_rows(const KernelRows& rows, float* out, std::size_t n) {
  TWINSIFT_DISPATCH(weigh_rows, rows, out, n);
}

Plane blurred(const Plane& plane, std::span<const float> kernel) {
  assert(plane.width > 0 && plane.height > 0 && !kernel.empty());
  const std::size_t radius = kernel.size() - 1;
  Plane result(plane.width, plane.height);
  std::vector<float> padded(plane.width + 2 * radius);
  std::vector<const float*> before(radius);
  std::vector<const float*> after(radius);
  for (std::uint32_t y = 0; y < plane.height; ++y) {
    float* const row = padded.data() + radius;
    for (std::size_t i = 1; i <= radius; ++i) {
      before[i - 1] = plane.row(i <= y ? y - static_cast<std::uint32_t>(i) : 0);
      after[i - 1] = plane.row(
          static_cast<std::uint32_t>(std::min<std::size_t>(y + i, plane.height - std::size_t{1})));
    }
    weigh_rows({kernel, plane.row(y), before.data(), after.data()}, row, plane.width);
    std::fill(padded.begin(), padded.begin() + static_cast<std::ptrdiff_t>(radius), row[0]);
    std::fill(padded.end() - static_cast<std::ptrdiff_t>(radius), padded.end(),
              row[plane.width - 1]);
    for (std::size_t i = 1; i <= radius; ++i) {
      before[i - 1] = row - i;
      after[i - 1] = row + i;
    }
    weigh_rows({kernel, row, before.data(), after.data()}, result.row(y), plane.width);
  }
  return result;
}

Plane difference(const Plane& a, const Plane& b) {
  assert(a.width == b.width && a.height == b.height);
  Plane result(a.width, a.height);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    result.values[i] = a.values[i] - b.values[i];
  }
  return result;
}

}  // namespace twinsift
