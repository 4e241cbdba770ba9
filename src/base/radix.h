// SPDX-License-Identifier: Apache-2.0
// Radix sort of 64-bit words by their upper bits, stable, 11 bits at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace twinsift {

// Sorts by word >> low_bit; words that agree there keep their order.  `scratch` is overwritten.
inline void radix_sort(std::vector<std::uint64_t>& words, unsigned low_bit,
                       std::vector<std::uint64_t>& scratch) {
  constexpr unsigned kBits = 11;
  scratch.resize(words.size());
  for (unsigned shift = low_bit; shift < 64; shift += kBits) {
    std::array<std::size_t, std::size_t{1} << kBits> starts{};
    const auto digit = [shift](std::uint64_t word) {
      return static_cast<std::size_t>(word >> shift) & ((std::size_t{1} << kBits) - 1);
    };
    for (const std::uint64_t word : words) ++starts[digit(word)];
    std::size_t sum = 0;
    for (std::size_t& start : starts) {
      const std::size_t count = start;
      start = sum;
      sum += count;
    }
    for (const std::uint64_t word : words) scratch[starts[digit(word)]++] = word;
    words.swap(scratch);
  }
}

}  // namespace twinsift
