// SPDX-License-Identifier: Apache-2.0
#include "sketch/superminhash.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/random.h"
#include "base/unmix.h"

namespace twinsift {
namespace {

// ORACLE: all k values of every element, in an order that is made anew for each.
Sketch by_definition(const TokenSet& set, std::uint32_t k, std::uint64_t seed) {
  std::vector<double> values(k, k);
  for (const std::uint64_t x : set) {
    Rng rng(permute64(x, seed_key(seed, 0)));
    std::vector<std::uint32_t> order(k);
    std::iota(order.begin(), order.end(), 0U);
    for (std::uint32_t j = 0; j < k; ++j) {
      const double value = rng.uniform() + j;
      std::swap(order[j], order[j + rng.below(k - j)]);
      values[order[j]] = std::min(values[order[j]], value);
    }
  }
  Sketch sketch;
  for (const double value : values) sketch.push_back(std::bit_cast<std::uint64_t>(value));
  return sketch;
}

TEST(SuperMinHash, EqualsItsDefinitionForAllSizes) {
  for (const std::uint64_t size : {1U, 2U, 10U, 100U, 1000U}) {
    TokenSet set(size);
    std::iota(set.begin(), set.end(), 0U);
    for (const std::uint32_t k : {1U, 2U, 64U, 100U}) {
      EXPECT_EQ(*SuperMinHashSketcher(k, 5).sketch(Feature{.value = set}),
                by_definition(set, k, 5));
    }
  }
}

// Elements made so that the j-th uniform number is the largest there is: j and it sum to j + 1, and
// the histogram that ends the scan early must not count it as j.  Their order may not matter.
TEST(SuperMinHash, ValuesThatAreRoundedUpAreCountedWhereTheyAre) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (const std::uint32_t k : {4U, 8U, 16U}) {
      for (std::uint64_t j = 1; j < k; ++j) {
        // Two numbers are drawn for each j: the state after 2 j + 1 of them gives all ones.
        const std::uint64_t state = unmix64(UINT64_MAX) - kGolden * (2 * j + 1);
        TokenSet set = {unpermute64(state, seed_key(seed, 0))};
        for (std::uint64_t more = 0; more < 30; ++more) {
          EXPECT_EQ(*SuperMinHashSketcher(k, seed).sketch(Feature{.value = set}),
                    by_definition(set, k, seed))
              << k << " components, j = " << j << ", " << set.size() << " elements";
          set.push_back(mix64(more + 1000 * seed));
        }
      }
    }
  }
}

// The values of one element are one of each whole part: that is what MinHash lacks.
TEST(SuperMinHash, ValuesOfOneElementAreSpread) {
  const Sketch sketch = *SuperMinHashSketcher(64, 1).sketch(Feature{.value = TokenSet{7}});
  std::vector<int> whole;
  for (const std::uint64_t bits : sketch)
    whole.push_back(static_cast<int>(std::bit_cast<double>(bits)));
  std::ranges::sort(whole);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(whole[static_cast<std::size_t>(i)], i);
}

}  // namespace
}  // namespace twinsift
