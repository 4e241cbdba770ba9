// SPDX-License-Identifier: Apache-2.0
#include "feature/still_code.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

// A bright spot goes over a slope; `noise` in grey levels.
std::vector<SmallStill> some_stills(std::size_t count, double noise = 0) {
  Rng rng(5);
  std::vector<SmallStill> stills(count);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < stills[k].size(); ++i) {
      const double x = static_cast<double>(i % kSmallSide);
      const double y = static_cast<double>(i / kSmallSide);
      const double away = std::hypot(x - 4 - 0.5 * static_cast<double>(k), y - 15);
      const double level = 3 * x + 2 * y + 80 * std::exp(-away * away / 20);
      const double value = level + noise * (rng.uniform() - 0.5);
      stills[k][i] = static_cast<std::uint8_t>(std::min(255.0, std::max(0.0, value)));
    }
  }
  return stills;
}

// Grey levels, root of the mean square.
double error_of(const std::vector<SmallStill>& a, const std::vector<SmallStill>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (std::size_t i = 0; i < a[k].size(); ++i) sum += std::pow(a[k][i] - b[k][i], 2);
  }
  return std::sqrt(sum / static_cast<double>(a.size() * a[0].size()));
}

TEST(StillCode, PicturesComeBackNearlyAsTheyWere) {
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{40}}) {
    const auto stills = some_stills(count);
    const SmallStills coded = code_stills(stills);
    EXPECT_EQ(coded.count, count);
    const auto decoded = decode_stills(coded);
    ASSERT_EQ(decoded.size(), count);
    EXPECT_LT(error_of(stills, decoded), 3) << count;
  }
}

TEST(StillCode, TakesNoMoreBytesThanItMay) {
  EXPECT_LE(code_stills(some_stills(40)).bytes.size(), 3401U);
  EXPECT_LE(code_stills(some_stills(40, 200)).bytes.size(), 3401U);
  EXPECT_LE(code_stills(some_stills(8, 200)).bytes.size(), 841U);
  EXPECT_LE(code_stills(std::vector<SmallStill>(40)).bytes.size(), 60U);
}

TEST(StillCode, NothingIsNothing) {
  EXPECT_EQ(code_stills({}), SmallStills{});
  EXPECT_TRUE(decode_stills({}).empty());
}

TEST(StillCode, AnyBytesArePictures) {
  Rng rng(2);
  for (int trial = 0; trial < 200; ++trial) {
    SmallStills stills{.count = static_cast<std::uint32_t>(rng.below(41)), .bytes = {}};
    const std::size_t size = rng.below(300);
    for (std::size_t i = 0; i < size; ++i) {
      stills.bytes.push_back(static_cast<std::uint8_t>(trial % 3 == 0 ? 255 : rng.below(256)));
    }
    EXPECT_EQ(decode_stills(stills).size(), stills.count);
  }
}

}  // namespace
}  // namespace twinsift
