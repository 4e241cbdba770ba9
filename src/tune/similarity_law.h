// SPDX-License-Identifier: Apache-2.0
// How similar pairs are in a collection: the laws over which costs and errors are averaged.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "twinsift/result.h"
#include "twinsift/types.h"

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

// Measured ones: a line for each value, "similarity<TAB>weight".  Empty lines and those that begin
// with
// '#' count for nothing.  kInvalidArgument, with the number of the line, if it is anything else, or
// if a similarity is not in [0, 1] or a weight is negative or no number.
TWINSIFT_EXPORT Result<std::vector<WeightedSimilarity>> parse_similarities(std::string_view tsv);

}  // namespace twinsift
