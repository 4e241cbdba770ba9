// SPDX-License-Identifier: Apache-2.0
// Symmetric matrices of a few hundred rows: their eigenvectors, and the axes along which one
// scatter is large and another small.
//
// Papers: A. S. Householder, "Unitary triangularization of a nonsymmetric matrix", 1958;
//         J. G. F. Francis, "The QR transformation", 1961;
//         R. A. Fisher, "The use of multiple measurements in taxonomic problems", 1936.
// Cost:   about 6 n^3 multiplications.  Only +, -, *, / and sqrt in a fixed order, so that the
//         result is the same on every machine.
#pragma once

#include <cstddef>
#include <vector>

namespace twinsift {

// Square, row by row.
struct Matrix {
  std::size_t n = 0;
  std::vector<double> values;

  explicit Matrix(std::size_t size) : n(size), values(size * size) {}
  [[nodiscard]] double* row(std::size_t i) { return &values[i * n]; }
  [[nodiscard]] const double* row(std::size_t i) const { return &values[i * n]; }
};

struct Eigen {
  std::vector<double> values;  // descending
  Matrix vectors;              // in rows, of length 1, the largest component positive
};

// Requires: symmetric and finite.
Eigen eigen_of(Matrix symmetric);

// The axes a, best first, in rows, that maximise a'Ta for a'Na = 1, each of them uncorrelated with
// those before under both matrices.  Requires: both symmetric, N positive definite.
Matrix discriminant_axes(const Matrix& total, const Matrix& noise);

}  // namespace twinsift
