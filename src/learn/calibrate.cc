// SPDX-License-Identifier: Apache-2.0
#include "learn/calibrate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace twinsift {
namespace {

// The z with P(Z <= z) = share for a standard normal Z, by halving.
double normal_quantile(double share) {
  double low = -10;
  double high = 10;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2.0)) / 2 < share ? low : high) = middle;
  }
  return low;
}

// The distance below which `count` pairs lie, within its bin in proportion.
double distance_of(std::span<const std::uint64_t> histogram, double count) {
  double below = 0;
  for (std::size_t d = 0; d < histogram.size(); ++d) {
    const double here = double(histogram[d]);
    if (here > 0 && below + here >= count) return double(d) + (count - below) / here;
    below += here;
  }
  return double(histogram.size());
}

}  // namespace

HashCalibration calibrate(std::span<const std::uint64_t> histogram) {
  const double pairs =
      double(std::accumulate(histogram.begin(), histogram.end(), std::uint64_t{0}));
  constexpr double kLeastPairs = 1000;
  if (pairs < kLeastPairs) return {};  // nothing is known: only equal codes are near
  constexpr double kHigh = 0.1;
  constexpr double kLow = 0.01;
  const double z_high = normal_quantile(kHigh);
  const double z_low = normal_quantile(kLow);
  const double d_high = distance_of(histogram, kHigh * pairs);
  const double d_low = distance_of(histogram, kLow * pairs);
  const double slope = (d_high - d_low) / (z_high - z_low);
  constexpr double kOrientations = 8;
  const auto at = [&](double share) {
    const double d = d_low + slope * (normal_quantile(share / kOrientations) - z_low);
    return static_cast<std::uint32_t>(std::clamp(std::floor(d), 0.0, double(histogram.size() - 1)));
  };
  return {.near = at(1e-6), .far = std::max(at(1e-6), at(1e-4))};
}

}  // namespace twinsift
