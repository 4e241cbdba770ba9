// SPDX-License-Identifier: Apache-2.0
#include "feature/square.h"

#include <gtest/gtest.h>

namespace twinsift {
namespace {

TEST(Square, OfItsOwnSizeIsACopy) {
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < 4 * 4 * 3; ++i) pixels.push_back(static_cast<std::uint8_t>(5 * i));
  EXPECT_EQ(square_of({pixels, 4, 4, 3}, 4), pixels);
}

TEST(Square, PixelsAreMeans) {
  const std::vector<std::uint8_t> pixels = {0, 10, 20, 30, 40, 50, 60, 71};  // 4 x 2
  EXPECT_EQ(square_of({pixels, 4, 2, 1}, 1), (std::vector<std::uint8_t>{35}));
  EXPECT_EQ(square_of({pixels, 4, 2, 1}, 2), (std::vector<std::uint8_t>{5, 25, 45, 66}));
}

TEST(Square, SmallPicturesAreEnlarged) {
  const std::vector<std::uint8_t> pixels = {1, 2, 3, 101, 102, 103};  // 2 x 1, in colour
  const auto square = square_of({pixels, 2, 1, 3}, 4);
  ASSERT_EQ(square.size(), 48U);
  for (std::size_t i = 0; i < 48; ++i) {
    EXPECT_EQ(square[i], i % 3 + 1 + (i / 3 % 4 >= 2 ? 100 : 0)) << i;
  }
}

}  // namespace
}  // namespace twinsift
