// SPDX-License-Identifier: Apache-2.0
#include "verify/similarity.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace twinsift {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

double ratio(double part, double whole) { return whole == 0 ? 1.0 : part / whole; }

// Sums over two weighted sets, in units of a power of two near the largest weight: the largest
// doubles may not overflow, nor the smallest vanish.
struct WeightSums {
  double minima = 0;
  double maxima = 0;
  double a = 0;
  double b = 0;
  std::uint64_t shared = 0;
};

double weight_unit(SetView a, SetView b) {
  double largest = 0;
  for (const double weight : a.weights) largest = std::max(largest, weight);
  for (const double weight : b.weights) largest = std::max(largest, weight);
  constexpr int kSafe = 1000;
  return std::ldexp(1.0, -std::clamp(largest == 0 ? 0 : std::ilogb(largest), -kSafe, kSafe));
}

WeightSums sum_weights(SetView a, SetView b) {
  const double unit = weight_unit(a, b);
  WeightSums sums;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.ids.size() || j < b.ids.size()) {
    const bool from_a = j == b.ids.size() || (i < a.ids.size() && a.ids[i] <= b.ids[j]);
    const bool from_b = i == a.ids.size() || (j < b.ids.size() && b.ids[j] <= a.ids[i]);
    const double of_a = from_a ? a.weights[i++] * unit : 0;
    const double of_b = from_b ? b.weights[j++] * unit : 0;
    sums.minima += std::min(of_a, of_b);
    sums.maxima += std::max(of_a, of_b);
    sums.a += of_a;
    sums.b += of_b;
    sums.shared += from_a && from_b ? 1U : 0U;
  }
  return sums;
}

Status check_vectors(std::span<const float> x, std::span<const float> y) {
  if (x.size() != y.size()) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("vectors of {} and {} numbers cannot be compared", x.size(), y.size())};
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isfinite(x[i]) && std::isfinite(y[i])) continue;
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("number {} of a vector is infinite or not a number", i)};
  }
  return ok();
}

// No float's square over- or underflows in double.
double norm(std::span<const float> x) {
  double squares = 0;
  for (const double value : x) squares += value * value;
  return std::sqrt(squares);
}

}  // namespace

std::uint64_t intersection_size(std::span<const std::uint64_t> a,
                                std::span<const std::uint64_t> b) {
  std::uint64_t both = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {  // no branch depends on the values
    const std::uint64_t x = a[i];
    const std::uint64_t y = b[j];
    both += x == y ? 1U : 0U;
    i += x <= y ? 1U : 0U;
    j += y <= x ? 1U : 0U;
  }
  return both;
}

double jaccard(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  const std::uint64_t both = intersection_size(a, b);
  return ratio(both, a.size() + b.size() - both);
}

double jaccard_at_least(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                        double threshold) {
  const double smaller = static_cast<double>(std::min(a.size(), b.size()));
  const double larger = static_cast<double>(std::max(a.size(), b.size()));
  if (smaller < threshold * larger) return -1;
  const double result = jaccard(a, b);
  return result >= threshold ? result : -1;
}

double containment(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  return ratio(intersection_size(a, b), a.size());
}

Evidence set_evidence(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  const std::uint64_t both = intersection_size(a, b);
  Evidence evidence;
  evidence.jaccard = ratio(both, a.size() + b.size() - both);
  evidence.containment_a = ratio(both, a.size());
  evidence.containment_b = ratio(both, b.size());
  evidence.shared = both;
  evidence.total_a = a.size();
  evidence.total_b = b.size();
  return evidence;
}

double weighted_jaccard(SetView a, SetView b) {
  const WeightSums sums = sum_weights(a, b);
  return ratio(sums.minima, sums.maxima);
}

double weighted_jaccard_at_least(SetView a, SetView b, double threshold) {
  const double unit = weight_unit(a, b);
  double total_a = 0;
  double total_b = 0;
  for (const double weight : a.weights) total_a += weight * unit;
  for (const double weight : b.weights) total_b += weight * unit;
  constexpr double kRounding = 1 - 1e-9;  // of sums that are added in another order below
  if (std::min(total_a, total_b) < kRounding * threshold * std::max(total_a, total_b)) return -1;
  const double result = weighted_jaccard(a, b);
  return result >= threshold ? result : -1;
}

double weighted_containment(SetView a, SetView b) {
  const WeightSums sums = sum_weights(a, b);
  return ratio(sums.minima, sums.a);
}

double similarity_at_least(SetView a, SetView b, double threshold) {
  return a.weights.empty() ? jaccard_at_least(a.ids, b.ids, threshold)
                           : weighted_jaccard_at_least(a, b, threshold);
}

Evidence evidence_of(SetView a, SetView b) {
  return a.weights.empty() ? set_evidence(a.ids, b.ids) : weighted_evidence(a, b);
}

Evidence weighted_evidence(SetView a, SetView b) {
  const WeightSums sums = sum_weights(a, b);
  Evidence evidence;
  evidence.jaccard = ratio(sums.minima, sums.maxima);
  evidence.containment_a = ratio(sums.minima, sums.a);
  evidence.containment_b = ratio(sums.minima, sums.b);
  evidence.shared = sums.shared;
  evidence.total_a = a.ids.size();
  evidence.total_b = b.ids.size();
  return evidence;
}

Result<double> lr_distance(std::span<const float> x, std::span<const float> y, double r) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check_vectors(x, y));
  if (!(r >= 1)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("L_{} is not a distance: r must be at least 1", r)};
  }
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::fabs(double{x[i]} - double{y[i]}));
  }
  if (largest == 0 || std::isinf(r)) return largest;
  double sum = 0;  // relative to the largest difference, because powers overflow
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += std::pow(std::fabs(double{x[i]} - double{y[i]}) / largest, r);
  }
  return largest * std::pow(sum, 1 / r);
}

Result<Directional> cosine(std::span<const float> x, std::span<const float> y) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check_vectors(x, y));
  const double norms = norm(x) * norm(y);
  if (norms == 0) return Directional{.value = 0, .defined = false};
  double product = 0;
  for (std::size_t i = 0; i < x.size(); ++i) product += double{x[i]} * double{y[i]};
  return Directional{.value = std::clamp(product / norms, -1.0, 1.0), .defined = true};
}

Result<Directional> angular_distance(std::span<const float> x, std::span<const float> y) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check_vectors(x, y));
  const double norm_x = norm(x);
  const double norm_y = norm(y);
  if (norm_x == 0 || norm_y == 0) return Directional{.value = 0.5, .defined = false};
  // Half the angle is between the diagonals of a rhombus; arccos of the cosine would lose half of
  // the digits of small angles.
  double difference = 0;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double u = x[i] / norm_x;
    const double v = y[i] / norm_y;
    difference += (u - v) * (u - v);
    sum += (u + v) * (u + v);
  }
  const double angle = 2 * std::atan2(std::sqrt(difference), std::sqrt(sum));
  return Directional{.value = angle / std::numbers::pi, .defined = true};
}

}  // namespace twinsift
