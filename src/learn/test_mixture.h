// SPDX-License-Identifier: Apache-2.0
// Descriptors in blobs around known middles, for tests.
#pragma once

#include <vector>

#include "base/random.h"
#include "feature/key_points.h"

namespace twinsift {

struct Mixture {
  std::vector<SiftDescriptor> middles;
  std::vector<SiftDescriptor> points;
};

inline Mixture make_mixture(std::size_t blobs, std::size_t points_of_blob, std::uint64_t seed) {
  Rng rng(seed);
  Mixture mixture;
  for (std::size_t i = 0; i < blobs; ++i) {
    SiftDescriptor middle;
    for (auto& entry : middle) entry = static_cast<std::uint8_t>(20 + rng.below(80));
    mixture.middles.push_back(middle);
    for (std::size_t j = 0; j < points_of_blob; ++j) {
      SiftDescriptor point = middle;
      for (auto& entry : point) entry = static_cast<std::uint8_t>(entry + rng.below(9) - 4);
      mixture.points.push_back(point);
    }
  }
  return mixture;
}

}  // namespace twinsift
