// SPDX-License-Identifier: Apache-2.0
#include "base/ascending.h"

#include <set>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

std::vector<std::uint32_t> by_set(const std::vector<std::uint32_t>& numbers) {
  const std::set<std::uint32_t> set(numbers.begin(), numbers.end());
  return {set.begin(), set.end()};
}

TEST(SortUnique, IsWhatASetHas) {
  Rng random(1);
  // From one number in a few to one in 40 million: by bits, by sorting, and around the change.
  for (const std::uint32_t below : {1U, 2U, 64U, 65U, 1000U, 100'000U, 128'000U, 4'000'000'000U}) {
    for (const std::size_t count : {0U, 1U, 2U, 3U, 100U, 999U, 1000U, 1001U}) {
      std::vector<std::uint32_t> numbers;
      for (std::size_t i = 0; i < count; ++i) numbers.push_back(random.below(below));
      const auto wanted = by_set(numbers);
      sort_unique(numbers);
      EXPECT_EQ(numbers, wanted) << count << " below " << below;
    }
  }
}

TEST(SortUnique, TakesTheLargestNumbers) {
  std::vector<std::uint32_t> numbers = {UINT32_MAX, 0, UINT32_MAX, 63, 64, UINT32_MAX - 1};
  sort_unique(numbers);
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{0, 63, 64, UINT32_MAX - 1, UINT32_MAX}));
}

}  // namespace
}  // namespace twinsift
