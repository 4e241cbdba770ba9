// SPDX-License-Identifier: Apache-2.0
// Products of matrices: the work of networks, forwards and backwards.
//
// The rows of A and C need not lie next to each other: each has an offset of its own, so that a
// convolution is a product whose rows are the surroundings of pixels, where they are.
//
// Every element is the sum over k, ascending, by fused multiply-add, and nothing is reordered.  So
// all versions give the same bits, on every machine.
//
// Cost: bench_net prints it beside what the processor could do at best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace twinsift {

// c[c_rows[i] + j] = sum over k < inner of a[a_rows[i] + k] * b[k * b_row + j], for all i and all
// j < columns; added to what is there if `add`.
template <class Real>
struct MatrixProduct {
  const Real* a = nullptr;
  std::span<const std::int64_t> a_rows;
  const Real* b = nullptr;
  std::int64_t b_row = 0;
  Real* c = nullptr;
  std::span<const std::int64_t> c_rows;  // as many as a_rows
  std::size_t inner = 0;
  std::size_t columns = 0;
  bool add = false;
};

// c[i * columns + j] += sum over k of a[a_inner[k] + i] * b[b_inner[k] + j], for all i < rows and
// all j < columns: the sum of outer products of vectors of A and of B.
template <class Real>
struct OuterProducts {
  const Real* a = nullptr;
  std::span<const std::int64_t> a_inner;
  const Real* b = nullptr;
  std::span<const std::int64_t> b_inner;  // as many as a_inner
  Real* c = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
};

enum class MatrixKernel : std::uint8_t { kScalar, kAvx2, kAvx512 };
bool can_multiply_by(MatrixKernel kernel);  // whether this processor can

void multiply(const MatrixProduct<float>& product);
void multiply(const MatrixProduct<double>& product);  // plain, for tests of gradients
void multiply_by(MatrixKernel kernel, const MatrixProduct<float>& product);

void add_outer(const OuterProducts<float>& products);
void add_outer(const OuterProducts<double>& products);
void add_outer_by(MatrixKernel kernel, const OuterProducts<float>& products);

}  // namespace twinsift
