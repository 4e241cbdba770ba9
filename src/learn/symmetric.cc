// SPDX-License-Identifier: Apache-2.0
#include "learn/symmetric.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

namespace twinsift {
namespace {

constexpr int kRounds = 60;  // for each eigenvalue; 2 or 3 are usual

struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> beside;  // [i] is between i and i + 1; the last is 0
};

double inner(const double* a, const double* b, std::size_t n) {
  return std::inner_product(a, a + n, b, 0.0);
}

// Reflects v'x = 0: x -= scale * v * (v'x).
void reflect(const double* v, double scale, double* x, std::size_t n) {
  const double factor = scale * inner(v, x, n);
  for (std::size_t i = 0; i < n; ++i) x[i] -= factor * v[i];
}

// Householder's reflections make column k zero below its second element, for k = 0, 1, ...; the
// rows of `vectors` become the basis in which the matrix is tridiagonal.
Tridiagonal tridiagonalise(Matrix a, Matrix& vectors) {
  const std::size_t n = a.n;
  std::vector<double> v(n);
  std::vector<double> w(n);
  std::vector<std::pair<std::vector<double>, double>> reflections;
  Tridiagonal out{.diagonal = std::vector<double>(n), .beside = std::vector<double>(n)};
  for (std::size_t k = 0; k + 2 < n; ++k) {
    std::fill(v.begin(), v.end(), 0.0);
    std::copy(a.row(k) + k + 1, a.row(k) + n, v.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    const double length = std::sqrt(inner(v.data(), v.data(), n));
    if (length == 0) continue;
    v[k + 1] += v[k + 1] < 0 ? -length : length;
    const double scale = 2 / inner(v.data(), v.data(), n);
    // A becomes A - v u' - u v' with u = scale (A v - v (scale v'A v) / 2).
    for (std::size_t i = k; i < n; ++i) w[i] = scale * inner(a.row(i) + k, &v[k], n - k);
    const double half = scale / 2 * inner(&v[k], &w[k], n - k);
    for (std::size_t i = k; i < n; ++i) w[i] -= half * v[i];
    for (std::size_t i = k; i < n; ++i) {
      double* row = a.row(i);
      for (std::size_t j = k; j < n; ++j) row[j] -= v[i] * w[j] + w[i] * v[j];
    }
    reflections.emplace_back(v, scale);
  }
  for (std::size_t i = 0; i < n; ++i) {
    out.diagonal[i] = a.row(i)[i];
    out.beside[i] = i + 1 < n ? a.row(i)[i + 1] : 0;
    double* basis = vectors.row(i);
    std::fill(basis, basis + n, 0.0);
    basis[i] = 1;
    for (std::size_t r = reflections.size(); r-- > 0;) {
      reflect(reflections[r].first.data(), reflections[r].second, basis, n);
    }
  }
  return out;
}

// Francis' implicit QR steps with Wilkinson's shift: each chases a bulge from `first` to `last`
// and turns two rows of the vectors with it.
void step(Tridiagonal& t, Matrix& vectors, std::size_t first, std::size_t last) {
  std::vector<double>& d = t.diagonal;
  std::vector<double>& e = t.beside;
  const double half = (d[last - 1] - d[last]) / 2;
  const double square = e[last - 1] * e[last - 1];
  const double root = std::sqrt(half * half + square);
  const double shift = d[last] - square / (half + (half < 0 ? -root : root));
  double x = d[first] - shift;
  double z = e[first];
  for (std::size_t k = first; k < last; ++k) {
    const double length = std::sqrt(x * x + z * z);
    const double c = length > 0 ? x / length : 1;
    const double s = length > 0 ? z / length : 0;
    if (k > first) e[k - 1] = length;
    const double dk = d[k];
    const double dl = d[k + 1];
    const double ek = e[k];
    d[k] = c * c * dk + 2 * c * s * ek + s * s * dl;
    d[k + 1] = s * s * dk - 2 * c * s * ek + c * c * dl;
    e[k] = c * s * (dl - dk) + (c * c - s * s) * ek;
    if (k + 1 < last) {
      x = e[k];
      z = s * e[k + 1];
      e[k + 1] *= c;
    }
    double* a = vectors.row(k);
    double* b = vectors.row(k + 1);
    for (std::size_t i = 0; i < vectors.n; ++i) {
      const double old = a[i];
      a[i] = c * old + s * b[i];
      b[i] = c * b[i] - s * old;
    }
  }
}

void diagonalise(Tridiagonal& t, Matrix& vectors) {
  std::vector<double>& d = t.diagonal;
  const auto split = [&](std::size_t i) {
    return std::abs(t.beside[i]) <= 0x1p-52 * (std::abs(d[i]) + std::abs(d[i + 1]));
  };
  for (std::size_t last = vectors.n - 1; last > 0; --last) {
    for (int round = 0; round < kRounds && !split(last - 1); ++round) {
      std::size_t first = last - 1;
      while (first > 0 && !split(first - 1)) --first;
      if (first > 0) t.beside[first - 1] = 0;
      step(t, vectors, first, last);
    }
    t.beside[last - 1] = 0;
  }
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
  Tridiagonal t = tridiagonalise(std::move(symmetric), vectors);
  diagonalise(t, vectors);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return t.diagonal[a] > t.diagonal[b]; });
  Eigen out{.values = {}, .vectors = Matrix(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const double* vector = vectors.row(order[i]);
    out.values.push_back(t.diagonal[order[i]]);
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
