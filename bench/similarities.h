// SPDX-License-Identifier: Apache-2.0
// Random similarities that follow a law.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "tune/similarity_law.h"

namespace twinsift::bench {

class SimilarityDraw {
 public:
  explicit SimilarityDraw(SimilarityLaw law) {
    double sum = 0;
    for (const WeightedSimilarity& part : sample_law(law, 0, 1, kParts)) {
      cumulated_.push_back(sum += part.weight);
    }
  }

  double operator()(Rng& rng) const {
    const auto part = std::ranges::upper_bound(cumulated_, rng.uniform() * cumulated_.back());
    return (static_cast<double>(part - cumulated_.begin()) + rng.uniform()) / kParts;
  }

 private:
  static constexpr std::uint32_t kParts = 2000;
  std::vector<double> cumulated_;
};

}  // namespace twinsift::bench
