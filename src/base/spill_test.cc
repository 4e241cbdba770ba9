// SPDX-License-Identifier: Apache-2.0
#include "base/spill.h"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

TEST(Spill, ContentSurvivesGrowthSpillAndRelease) {
  SpillVector<std::uint32_t> vector;
  std::vector<std::uint32_t> expected;
  for (std::uint32_t round = 0; round < 50; ++round) {
    std::vector<std::uint32_t> more(round * 997);
    std::iota(more.begin(), more.end(), round * 1'000'000);
    expected.insert(expected.end(), more.begin(), more.end());
    ASSERT_TRUE(vector.append(more));
    if (round == 20) {
      EXPECT_EQ(vector.resident_bytes(), expected.size() * 4);
      ASSERT_TRUE(vector.spill(""));
      EXPECT_EQ(vector.resident_bytes(), 0U);
    }
    if (round > 20) vector.release();
    ASSERT_TRUE(
        std::equal(expected.begin(), expected.end(), vector.data(), vector.data() + vector.size()));
  }
}

TEST(Spill, EmptyVectorsCanSpill) {
  SpillVector<std::uint8_t> vector;
  ASSERT_TRUE(vector.spill(""));
  ASSERT_TRUE(vector.append(std::vector<std::uint8_t>{1, 2, 3}));
  EXPECT_EQ(vector[2], 3);
}

TEST(Spill, MovedVectorsKeepTheirContent) {
  SpillVector<std::uint8_t> from;
  ASSERT_TRUE(from.append(std::vector<std::uint8_t>{1, 2, 3}));
  const SpillVector<std::uint8_t> to = std::move(from);
  EXPECT_EQ(to.size(), 3U);
  EXPECT_EQ(to[1], 2);
}

TEST(Spill, AMissingDirectoryIsAnErrorThatNamesIt) {
  SpillVector<std::uint8_t> vector;
  const Status status = vector.spill("/no/such/directory");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kNotFound);
  EXPECT_NE(status.error().message.find("/no/such/directory"), std::string::npos);
}

}  // namespace
}  // namespace twinsift
