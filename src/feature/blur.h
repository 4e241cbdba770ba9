// SPDX-License-Identifier: Apache-2.0
// Planes of real numbers, and how they are blurred.
//
// A Gaussian is the product of one along x and one along y: each row is first blurred downwards
// and, while it is in the cache, sideways.  Beyond the edges the plane continues with its last
// value. Every pixel is the same sum in the same order on every path.
//
// Cost: about 12 sigma multiplications a pixel, eight at a time with AVX2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twinsift {

// Row by row from the top, without gaps.
struct Plane {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<float> values;

  Plane() = default;
  Plane(std::uint32_t columns, std::uint32_t rows)
      : width(columns), height(rows), values(std::size_t{columns} * rows) {}
  [[nodiscard]] const float* row(std::uint32_t y) const {
    return values.data() + std::size_t{y} * width;
  }
  [[nodiscard]] float* row(std::uint32_t y) { return values.data() + std::size_t{y} * width; }
  [[nodiscard]] float at(std::uint32_t x, std::uint32_t y) const { return row(y)[x]; }
};

// Half of a symmetric kernel: [0] is the weight of the middle.  All of it sums to 1.
std::vector<float> gaussian_kernel(double sigma);

// Requires: the plane is not empty.
Plane blurred(const Plane& plane, std::span<const float> kernel);

// a - b.  Requires: planes of the same size.
Plane difference(const Plane& a, const Plane& b);

// out[x] = kernel[0] middle[x] + sum_i kernel[i] (before[i-1][x] + after[i-1][x]), x < n: the loop
// that takes the time.
struct KernelRows {
  std::span<const float> kernel;
  const float* middle = nullptr;
  const float* const* before = nullptr;  // kernel.size() - 1 rows
  const float* const* after = nullptr;
};
void weigh_rows(const KernelRows& rows, float* out, std::size_t n);

// The same, without SIMD: the reference.
void weigh_rows_scalar(const KernelRows& rows, float* out, std::size_t n);

}  // namespace twinsift
