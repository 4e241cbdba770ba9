// SPDX-License-Identifier: Apache-2.0
#include "tune/similarity_law.h"

#include <cmath>
#include <numbers>

namespace twinsift {
namespace {

double low_density(double s) {
  double unrelated = 20.5 * std::sqrt(s);  // Beta(1.5, 20): 1 / B = 20.5 (1.5/1) (2.5/2) ..
  for (int i = 1; i <= 19; ++i) unrelated *= (i + 0.5) / i * (1 - s);
  const double subject = 504 * std::pow(s, 3) * std::pow(1 - s, 5);
  const double text = 1092 * std::pow(s, 11) * std::pow(1 - s, 2);
  return .95 * unrelated + .04 * subject + .01 * text;
}

double gauss_density(double s) {
  constexpr double kDeviation = .15;
  const double z = (s - .5) / kDeviation;
  return std::exp(-z * z / 2) / (kDeviation * std::sqrt(2 * std::numbers::pi));
}

}  // namespace

double similarity_density(SimilarityLaw law, double s) {
  switch (law) {
    case SimilarityLaw::kLow:
      return low_density(s);
    case SimilarityLaw::kUniform:
      return 1;
    case SimilarityLaw::kGauss:
      return gauss_density(s);
  }
  return 0;
}

std::vector<WeightedSimilarity> sample_law(SimilarityLaw law, double low, double high,
                                           std::uint32_t points) {
  const double width = (high - low) / points;
  std::vector<WeightedSimilarity> sample;
  for (std::uint32_t i = 0; i < points; ++i) {
    const double s = low + width * (i + 0.5);
    sample.push_back({s, similarity_density(law, s) * width});
  }
  return sample;
}

}  // namespace twinsift
