// SPDX-License-Identifier: Apache-2.0
#include "learn/siamese_loss.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace twinsift {
namespace {

double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// The paper's, of one pair: bit by bit.
template <class Real>
double bitwise_margin(std::span<const Real> a, std::span<const Real> b, double margin,
                      std::span<Real> d_a, std::span<Real> d_b, double weight) {
  const double bits = double(a.size());
  double loss = 0;
  for (std::size_t v = 0; v < a.size(); ++v) {
    const double difference = double(a[v]) - double(b[v]);
    const double lacking = std::max(margin - std::abs(difference), 0.0);
    loss += lacking * lacking;
    const auto slope = static_cast<Real>(-weight * lacking * sign_of(difference) / bits);
    d_a[v] += slope;
    d_b[v] -= slope;
  }
  return loss / (2 * bits);
}

// share * |a - b|^2 / (2V), as far as the gradient goes.
template <class Real>
void add_square_gradient(std::span<const Real> a, std::span<const Real> b, double weight,
                         std::span<Real> d_a, std::span<Real> d_b) {
  const auto factor = static_cast<Real>(weight / double(a.size()));
  for (std::size_t v = 0; v < a.size(); ++v) {
    const Real slope = factor * (a[v] - b[v]);
    d_a[v] += slope;
    d_b[v] -= slope;
  }
}

template <class Real>
double squared_distance(std::span<const Real> a, std::span<const Real> b) {
  Real sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += (a[v] - b[v]) * (a[v] - b[v]);
  return double(sum);
}

}  // namespace

template <class Real>
double contrastive_loss(std::span<const Real> a, std::span<const Real> b, bool duplicates,
                        const SiameseLossOptions& options, std::span<Real> d_a, std::span<Real> d_b,
                        double weight) {
  if (!duplicates && options.kind == SiameseLoss::kPaper) {
    return bitwise_margin(a, b, options.margin, d_a, d_b, weight);
  }
  const double twice = 2 * double(a.size());
  const double distance = squared_distance(a, b);
  if (duplicates) {
    add_square_gradient(a, b, weight, d_a, d_b);
    return distance / twice;
  }
  const double lacking = twice * options.rho - distance;
  if (lacking <= 0) return 0;
  add_square_gradient(a, b, -weight, d_a, d_b);
  return lacking / twice;
}

template <class Real>
double binary_loss(std::span<const Real> a, const SiameseLossOptions& options, std::span<Real> d_a,
                   double weight) {
  const double bits = double(a.size());
  if (options.kind != SiameseLoss::kPaper) {
    double loss = 0;
    for (std::size_t v = 0; v < a.size(); ++v) {
      const double lacking = std::abs(double(a[v])) - 1;
      loss += std::abs(lacking);
      d_a[v] += static_cast<Real>(weight * sign_of(lacking) * sign_of(double(a[v])) / bits);
    }
    return loss / bits;
  }
  constexpr double kLeastLength = 1e-12;  // a code of zeros has no direction
  double sum = 0;
  double squares = 0;
  for (const Real value : a) {
    sum += std::abs(double(value));
    squares += double(value) * double(value);
  }
  const double length = std::sqrt(squares) + kLeastLength;
  const double root = std::sqrt(bits);
  for (std::size_t v = 0; v < a.size(); ++v) {
    const double slope = sign_of(double(a[v])) / (root * length) -
                         sum * double(a[v]) / (root * length * length * length);
    d_a[v] -= static_cast<Real>(weight * slope);
  }
  return -sum / (root * length);
}

namespace {

// The mean loss of duplicates plus that of others.
template <class Real>
double loss_of_pairs(std::span<const Real> codes, std::size_t bits,
                     std::span<const std::uint32_t> labels, const SiameseLossOptions& options,
                     std::span<Real> gradient) {
  const std::size_t n = labels.size();
  std::size_t same = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) same += labels[i] == labels[j] ? 1U : 0U;
  }
  const std::size_t others = n * (n - 1) / 2 - same;
  double loss = 0;
  const auto code = [&](std::size_t i) { return codes.subspan(i * bits, bits); };
  const auto slope = [&](std::size_t i) { return gradient.subspan(i * bits, bits); };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool duplicates = labels[i] == labels[j];
      const double weight = 1.0 / double(duplicates ? same : others);
      loss += weight * contrastive_loss<Real>(code(i), code(j), duplicates, options, slope(i),
                                              slope(j), weight);
    }
  }
  return loss;
}

// The mean of E_s over all pairs of duplicates of a code, and over the codes that have any.
template <class Real>
double loss_of_softmax(std::span<const Real> codes, std::size_t bits,
                       std::span<const std::uint32_t> labels, double temperature,
                       std::span<Real> gradient) {
  const std::size_t n = labels.size();
  const double scale = 1 / (double(bits) * temperature);
  std::vector<double> scores(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      Real sum = 0;
      for (std::size_t v = 0; v < bits; ++v) sum += codes[i * bits + v] * codes[j * bits + v];
      scores[i * n + j] = scores[j * n + i] = scale * double(sum);
    }
  }
  const auto duplicates_of = [&](std::size_t i) {
    return std::size_t(std::ranges::count(labels, labels[i])) - 1;
  };
  std::size_t anchors = 0;
  for (std::size_t i = 0; i < n; ++i) anchors += duplicates_of(i) > 0 ? 1U : 0U;
  double loss = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t duplicates = duplicates_of(i);
    if (duplicates == 0) continue;
    double most = -INFINITY;
    for (std::size_t k = 0; k < n; ++k) {
      if (k != i) most = std::max(most, scores[i * n + k]);
    }
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (k != i) sum += std::exp(scores[i * n + k] - most);
    }
    const double log_sum = std::log(sum) + most;
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      const double log_share = scores[i * n + k] - log_sum;
      double slope = std::exp(log_share);
      if (labels[k] == labels[i]) {
        loss -= log_share / double(duplicates);
        slope -= 1 / double(duplicates);
      }
      const auto factor = static_cast<Real>(slope * scale / double(anchors));
      for (std::size_t v = 0; v < bits; ++v) {
        gradient[i * bits + v] += factor * codes[k * bits + v];
        gradient[k * bits + v] += factor * codes[i * bits + v];
      }
    }
  }
  return anchors == 0 ? 0 : loss / double(anchors);
}

}  // namespace

template <class Real>
double siamese_loss(std::span<const Real> codes, std::size_t bits,
                    std::span<const std::uint32_t> labels, const SiameseLossOptions& options,
                    std::vector<Real>& gradient) {
  const std::size_t n = labels.size();
  assert(codes.size() == n * bits);
  gradient.assign(codes.size(), Real{0});
  const std::span<Real> slopes = gradient;
  double loss = options.kind == SiameseLoss::kSoftmax
                    ? loss_of_softmax(codes, bits, labels, options.temperature, slopes)
                    : loss_of_pairs(codes, bits, labels, options, slopes);
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = options.push / double(n);
    loss += weight * binary_loss<Real>(codes.subspan(i * bits, bits), options,
                                       slopes.subspan(i * bits, bits), weight);
  }
  return loss;
}

#define TWINSIFT_INSTANTIATE(Real)                                                              \
  template double contrastive_loss<Real>(std::span<const Real>, std::span<const Real>, bool,    \
                                         const SiameseLossOptions&, std::span<Real>,            \
                                         std::span<Real>, double);                              \
  template double binary_loss<Real>(std::span<const Real>, const SiameseLossOptions&,           \
                                    std::span<Real>, double);                                   \
  template double siamese_loss<Real>(std::span<const Real>, std::size_t,                        \
                                     std::span<const std::uint32_t>, const SiameseLossOptions&, \
                                     std::vector<Real>&)
TWINSIFT_INSTANTIATE(float);
TWINSIFT_INSTANTIATE(double);
#undef TWINSIFT_INSTANTIATE

}  // namespace twinsift
