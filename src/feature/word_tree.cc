// SPDX-License-Identifier: Apache-2.0
#include "feature/word_tree.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace twinsift {

NearestDescriptor WordTree::nearest(const SiftDescriptor& query) const {
  assert(!words.empty() && middles.size() == ends.size() && ends.back() == words.size());
  struct Cell {
    std::uint32_t distance = 0;
    std::uint32_t number = 0;
    auto operator<=>(const Cell&) const = default;
  };
  std::vector<Cell> cells(middles.size());
  for (std::uint32_t i = 0; i < cells.size(); ++i) {
    cells[i] = {squared_distance(query, middles[i]), i};
  }
  const auto probes = std::min(kProbes, cells.size());
  std::ranges::partial_sort(cells, cells.begin() + static_cast<std::ptrdiff_t>(probes));
  NearestDescriptor best{0, std::numeric_limits<std::uint32_t>::max()};
  for (std::size_t i = 0; i < probes; ++i) {
    const std::uint32_t cell = cells[i].number;
    const std::uint32_t begin = cell == 0 ? 0 : ends[cell - 1];
    if (begin == ends[cell]) continue;
    const auto found =
        nearest_descriptor(query, std::span(words).subspan(begin, ends[cell] - begin));
    const std::uint32_t word = begin + found.index;
    if (found.squared_distance < best.squared_distance ||
        (found.squared_distance == best.squared_distance && word < best.index)) {
      best = {word, found.squared_distance};
    }
  }
  return best;
}

}  // namespace twinsift
