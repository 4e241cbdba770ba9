// SPDX-License-Identifier: Apache-2.0
#include "learn/latent_fit.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace twinsift {
namespace {

void add_square(std::span<const double> x, Matrix& sum) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    double* row = sum.row(i);
    for (std::size_t j = 0; j <= i; ++j) row[j] += x[i] * x[j];
  }
}

Matrix whole(const Matrix& lower, double factor) {
  Matrix out(lower.n);
  for (std::size_t i = 0; i < lower.n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      out.row(i)[j] = out.row(j)[i] = lower.row(i)[j] * factor;
    }
  }
  return out;
}

}  // namespace

void LatentFit::add(std::span<const float> rows, std::span<const std::uint32_t> labels) {
  const std::size_t d = sums_.size();
  assert(rows.size() == d * labels.size());
  std::vector<double> x(d);
  for (std::size_t a = 0; a < labels.size(); ++a) {
    for (std::size_t i = 0; i < d; ++i) x[i] = double(rows[a * d + i]);
    for (std::size_t i = 0; i < d; ++i) sums_[i] += x[i];
    add_square(x, total_);
    ++count_;
    for (std::size_t b = 0; b < a; ++b) {
      if (labels[b] != labels[a]) continue;
      std::vector<double> difference(d);
      for (std::size_t i = 0; i < d; ++i) difference[i] = x[i] - double(rows[b * d + i]);
      add_square(difference, noise_);
      ++pairs_;
    }
  }
}

LatentFit::Layer LatentFit::layer(std::size_t bits, double share) const {
  const std::size_t d = sums_.size();
  assert(bits <= d && count_ > 0);
  std::vector<double> mean(sums_);
  for (double& value : mean) value /= double(count_);
  Matrix total = whole(total_, 1 / double(count_));
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) total.row(i)[j] -= mean[i] * mean[j];
  }
  Matrix noise = whole(noise_, pairs_ == 0 ? 0 : 1 / double(pairs_));
  double trace = 0;
  for (std::size_t i = 0; i < d; ++i) trace += noise.row(i)[i];
  constexpr double kLeast = 1e-9;  // of features that are all the same
  const double added = std::max(kLeast, share * trace / double(d));
  for (std::size_t i = 0; i < d; ++i) noise.row(i)[i] += added;
  const Matrix axes = discriminant_axes(total, noise);
  Layer layer{.weights = std::vector<float>(d * bits), .bias = std::vector<float>(bits)};
  for (std::size_t bit = 0; bit < bits; ++bit) {
    // Of length 1, so that 16 bits hold them well.
    const double* const axis = axes.row(bit);
    double squares = 0;
    for (std::size_t i = 0; i < d; ++i) squares += axis[i] * axis[i];
    double at_mean = 0;
    for (std::size_t i = 0; i < d; ++i) {
      const double weight = axis[i] / std::sqrt(squares);
      layer.weights[i * bits + bit] = static_cast<float>(weight);
      at_mean += weight * mean[i];
    }
    layer.bias[bit] = static_cast<float>(-at_mean);
  }
  return layer;
}

}  // namespace twinsift
