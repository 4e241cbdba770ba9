// SPDX-License-Identifier: Apache-2.0
#include "base/ascending.h"

#include <algorithm>

#include "base/bits.h"

namespace twinsift {

void sort_unique(std::vector<std::uint32_t>& numbers) {
  // A number takes about as long to sort as so many words of bits to clear and to read.
  constexpr std::size_t kSortCost = 2;
  if (numbers.size() < 2) return;
  const std::size_t words = *std::ranges::max_element(numbers) / 64 + std::size_t{1};
  if (numbers.size() * kSortCost < words) {
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return;
  }
  thread_local std::vector<std::uint64_t> seen;
  seen.assign(words, 0);
  for (const std::uint32_t number : numbers) seen[number / 64] |= std::uint64_t{1} << (number % 64);
  numbers.resize(numbers.size() + 8);  // bit_positions writes beyond the last one
  numbers.resize(bit_positions(seen, 0, numbers.data()));
}

}  // namespace twinsift
