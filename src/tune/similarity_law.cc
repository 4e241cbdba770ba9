// SPDX-License-Identifier: Apache-2.0
#include "tune/similarity_law.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

namespace twinsift {
namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

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

Result<std::vector<WeightedSimilarity>> parse_similarities(std::string_view tsv) {
  std::vector<WeightedSimilarity> similarities;
  for (std::uint64_t line = 1; !tsv.empty(); ++line) {
    std::string_view text = tsv.substr(0, tsv.find('\n'));
    tsv.remove_prefix(std::min(tsv.size(), text.size() + 1));
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty() || text.front() == '#') continue;
    const std::size_t tab = std::min(text.find('\t'), text.size());
    const auto s = number(text.substr(0, tab));
    const auto weight = number(text.substr(std::min(text.size(), tab + 1)));
    if (!s || !weight || *s < 0 || *s > 1 || *weight < 0) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("line {} is not a similarity from 0 to 1, a tab and a weight, as in "
                               "0.25<TAB>310",
                               line)};
    }
    similarities.push_back({*s, *weight});
  }
  return similarities;
}

}  // namespace twinsift
