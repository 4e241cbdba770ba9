// SPDX-License-Identifier: Apache-2.0
#include "learn/symmetric.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

Matrix random_symmetric(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  Matrix a(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) a.row(i)[j] = a.row(j)[i] = rng.uniform() - 0.5;
  }
  return a;
}

double product(const double* a, const Matrix& m, const double* b) {
  double sum = 0;
  for (std::size_t i = 0; i < m.n; ++i) {
    for (std::size_t j = 0; j < m.n; ++j) sum += a[i] * m.row(i)[j] * b[j];
  }
  return sum;
}

TEST(Symmetric, EigenvectorsAreOrthonormalAndDiagonalise) {
  for (const std::size_t n : {1U, 2U, 3U, 7U, 40U}) {
    const Matrix a = random_symmetric(n, n);
    const Eigen eigen = eigen_of(a);
    Matrix one(n);
    for (std::size_t i = 0; i < n; ++i) one.row(i)[i] = 1;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double* u = eigen.vectors.row(i);
        const double* v = eigen.vectors.row(j);
        EXPECT_NEAR(product(u, one, v), i == j ? 1 : 0, 1e-12);
        EXPECT_NEAR(product(u, a, v), i == j ? eigen.values[i] : 0, 1e-11);
      }
      if (i > 0) {
        EXPECT_GE(eigen.values[i - 1], eigen.values[i]);
      }
    }
  }
}

TEST(Symmetric, KnownEigenvalues) {
  Matrix a(2);
  a.values = {2, 1, 1, 2};
  const Eigen eigen = eigen_of(a);
  EXPECT_NEAR(eigen.values[0], 3, 1e-14);
  EXPECT_NEAR(eigen.values[1], 1, 1e-14);
  EXPECT_NEAR(eigen.vectors.row(0)[0], std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(eigen.vectors.row(0)[1], std::sqrt(0.5), 1e-14);
}

// Far apart along the first coordinate, but noisier still; the second tells the classes apart.
TEST(Symmetric, TheBestAxisSeparates) {
  Matrix total(3);
  total.values = {100, 0, 0, 0, 10, 0, 0, 0, 1};
  Matrix noise(3);
  noise.values = {90, 0, 0, 0, 0.1, 0, 0, 0, 0.9};
  const Matrix axes = discriminant_axes(total, noise);
  EXPECT_NEAR(axes.row(0)[0], 0, 1e-12);
  EXPECT_NEAR(axes.row(0)[1], 1 / std::sqrt(0.1), 1e-12);
  EXPECT_NEAR(axes.row(0)[2], 0, 1e-12);
}

TEST(Symmetric, AxesAreUncorrelatedUnderBothMatrices) {
  const std::size_t n = 12;
  const Matrix total = random_symmetric(n, 1);
  Matrix noise = random_symmetric(n, 2);
  for (std::size_t i = 0; i < n; ++i) noise.row(i)[i] += 10;
  const Matrix axes = discriminant_axes(total, noise);
  double before = 1e9;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(product(axes.row(i), noise, axes.row(j)), i == j ? 1 : 0, 1e-11);
      if (i != j) {
        EXPECT_NEAR(product(axes.row(i), total, axes.row(j)), 0, 1e-11);
      }
    }
    const double ratio = product(axes.row(i), total, axes.row(i));
    EXPECT_LE(ratio, before);
    before = ratio;
  }
}

}  // namespace
}  // namespace twinsift
