// SPDX-License-Identifier: Apache-2.0
#include "learn/symmetric.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

namespace twinsift {
namespace {

constexpr int kSweeps = 40;  // it converges quadratically: 6 to 10 are usual

double off_diagonal(const Matrix& a) {
  double sum = 0;
  for (std::size_t i = 0; i < a.n; ++i) {
    for (std::size_t j = 0; j < i; ++j) sum += a.row(i)[j] * a.row(i)[j];
  }
  return sum;
}

double trace_of_square(const Matrix& a) {
  return std::inner_product(a.values.begin(), a.values.end(), a.values.begin(), 0.0);
}

void rotate(double* x, double* y, std::size_t n, double cosine, double sine) {
  for (std::size_t i = 0; i < n; ++i) {
    const double old_x = x[i];
    const double old_y = y[i];
    x[i] = cosine * old_x - sine * old_y;
    y[i] = sine * old_x + cosine * old_y;
  }
}

// Makes a[p][q] zero.
void annihilate(Matrix& a, Matrix& vectors, std::size_t p, std::size_t q) {
  const double theta = (a.row(q)[q] - a.row(p)[p]) / (2 * a.row(p)[q]);
  const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double cosine = 1 / std::sqrt(t * t + 1);
  const double sine = t * cosine;
  // Rows, then columns: the columns are the rows again but for the four where both meet.
  const double pp = a.row(p)[p] - t * a.row(p)[q];
  const double qq = a.row(q)[q] + t * a.row(p)[q];
  rotate(a.row(p), a.row(q), a.n, cosine, sine);
  for (std::size_t i = 0; i < a.n; ++i) {
    a.row(i)[p] = a.row(p)[i];
    a.row(i)[q] = a.row(q)[i];
  }
  a.row(p)[p] = pp;
  a.row(q)[q] = qq;
  a.row(p)[q] = 0;
  a.row(q)[p] = 0;
  rotate(vectors.row(p), vectors.row(q), vectors.n, cosine, sine);
}

// L of A = L L', below the diagonal and on it.
Matrix cholesky(Matrix a) {
  for (std::size_t i = 0; i < a.n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a.row(i)[j];
      for (std::size_t k = 0; k < j; ++k) sum -= a.row(i)[k] * a.row(j)[k];
      if (i == j) {
        assert(sum > 0);
        a.row(i)[i] = std::sqrt(sum);
      } else {
        a.row(i)[j] = sum / a.row(j)[j];
      }
    }
    std::fill(a.row(i) + i + 1, a.row(i) + a.n, 0.0);
  }
  return a;
}

// Each row x of the matrix becomes the solution y of L y = x.
void solve_rows(const Matrix& lower, Matrix& rows) {
  for (std::size_t r = 0; r < rows.n; ++r) {
    double* x = rows.row(r);
    for (std::size_t i = 0; i < lower.n; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= lower.row(i)[k] * x[k];
      x[i] /= lower.row(i)[i];
    }
  }
}

void transpose(Matrix& a) {
  for (std::size_t i = 0; i < a.n; ++i) {
    for (std::size_t j = 0; j < i; ++j) std::swap(a.row(i)[j], a.row(j)[i]);
  }
}

}  // namespace

Eigen eigen_of(Matrix symmetric) {
  const std::size_t n = symmetric.n;
  Matrix vectors(n);
  for (std::size_t i = 0; i < n; ++i) vectors.row(i)[i] = 1;
  const double negligible = 1e-26 * trace_of_square(symmetric);
  for (int sweep = 0; sweep < kSweeps && off_diagonal(symmetric) > negligible; ++sweep) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        if (symmetric.row(p)[q] != 0) annihilate(symmetric, vectors, p, q);
      }
    }
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return symmetric.row(a)[a] > symmetric.row(b)[b];
  });
  Eigen out{.values = {}, .vectors = Matrix(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const double* vector = vectors.row(order[i]);
    out.values.push_back(symmetric.row(order[i])[order[i]]);
    const double* largest = std::max_element(
        vector, vector + n, [](double a, double b) { return std::abs(a) < std::abs(b); });
    const double sign = *largest < 0 ? -1 : 1;
    std::transform(vector, vector + n, out.vectors.row(i), [sign](double v) { return sign * v; });
  }
  return out;
}

Matrix discriminant_axes(const Matrix& total, const Matrix& noise) {
  assert(total.n == noise.n);
  // In the coordinates y of L y = x the noise is the same in all directions.
  const Matrix lower = cholesky(noise);
  Matrix whitened = total;
  solve_rows(lower, whitened);
  transpose(whitened);
  solve_rows(lower, whitened);
  Matrix axes = eigen_of(std::move(whitened)).vectors;
  // v'y = v' inverse(L) x: the axis is the solution a of L'a = v.
  const std::size_t n = lower.n;
  for (std::size_t r = 0; r < n; ++r) {
    double* a = axes.row(r);
    for (std::size_t i = n; i-- > 0;) {
      a[i] /= lower.row(i)[i];
      for (std::size_t k = 0; k < i; ++k) a[k] -= lower.row(i)[k] * a[i];
    }
  }
  return axes;
}

}  // namespace twinsift
