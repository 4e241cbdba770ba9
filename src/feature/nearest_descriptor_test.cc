// SPDX-License-Identifier: Apache-2.0
#include "feature/nearest_descriptor.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

std::vector<SiftDescriptor> descriptors(std::size_t count, std::uint32_t values,
                                        std::uint64_t seed) {
  Rng rng(seed);
  std::vector<SiftDescriptor> made(count);
  for (auto& one : made) {
    for (auto& value : one) {
      value = static_cast<std::uint8_t>(rng.below(values) * (255 / (values - 1)));
    }
  }
  return made;
}

TEST(NearestDescriptor, DistanceIsThatOfEuclid) {
  SiftDescriptor a{};
  SiftDescriptor b{};
  EXPECT_EQ(squared_distance(a, b), 0U);
  a[3] = 3;
  b[90] = 4;
  EXPECT_EQ(squared_distance(a, b), 25U);
  a.fill(255);
  EXPECT_EQ(squared_distance(a, {}), 128U * 255 * 255);
}

// ORACLE.  Few values, so that many distances are equal.
TEST(NearestDescriptor, FastPathEqualsTheReference) {
  for (const std::uint32_t values : {2U, 256U}) {
    const auto list = descriptors(300, values, values);
    for (const auto& query : descriptors(50, values, 9)) {
      const auto fast = nearest_descriptor(query, list);
      const auto slow = nearest_descriptor_scalar(query, list);
      EXPECT_EQ(fast.index, slow.index);
      EXPECT_EQ(fast.squared_distance, slow.squared_distance);
      EXPECT_EQ(squared_distance(query, list[7]), squared_distance_scalar(query, list[7]));
    }
  }
}

TEST(NearestDescriptor, FirstOfEqualOnesIsTaken) {
  auto list = descriptors(10, 256, 4);
  list[8] = list[3];
  const auto found = nearest_descriptor(list[8], list);
  EXPECT_EQ(found.index, 3U);
  EXPECT_EQ(found.squared_distance, 0U);
}

}  // namespace
}  // namespace twinsift
