// SPDX-License-Identifier: Apache-2.0
// How similar pairs are in a collection: the laws over which costs and errors are averaged.
#pragma once

#include <cstdint>
#include <vector>

namespace twinsift {

enum class SimilarityLaw : std::uint8_t {
  // .95 Beta(1.5, 20) + .04 Beta(4, 6) + .01 Beta(12, 3): hardly anything in common, the same
  // subject, the same text.
  kLow,
  kUniform,
  kGauss,  // mean .5, standard deviation .15
};

double similarity_density(SimilarityLaw law, double s);

struct WeightedSimilarity {
  double s = 0;
  double weight = 0;  // of the pairs whose similarity is near s
};

// The law between two similarities, as the midpoints of `points` equal intervals.
std::vector<WeightedSimilarity> sample_law(SimilarityLaw law, double low, double high,
                                           std::uint32_t points);

}  // namespace twinsift
