// SPDX-License-Identifier: Apache-2.0
// Visual words in cells: the nearest of many thousands by looking at a few hundred.
//
// Near words stand in the same cell, and each cell has a middle.  A descriptor is compared with all
// middles and then with the words of the nearest cells; whole numbers only, so that the answer is
// the same everywhere.
//
// Cost: cells + kProbes * words / cells distances; with 8,192 words in 91 cells about 800.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "feature/key_points.h"
#include "feature/nearest_descriptor.h"

namespace twinsift {

struct WordTree {
  static constexpr std::size_t kProbes = 8;

  std::vector<SiftDescriptor> middles;
  std::vector<std::uint32_t> ends;  // ends[i]: the first word behind those of cell i
  std::vector<SiftDescriptor> words;

  // Requires: middles and words, ends as above.
  [[nodiscard]] NearestDescriptor nearest(const SiftDescriptor& query) const;
};

}  // namespace twinsift
