// SPDX-License-Identifier: Apache-2.0
#include "learn/calibrate.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

// n pairs whose distances are those of tosses of `bits` coins.
std::vector<std::uint64_t> coins(std::size_t bits, double n) {
  std::vector<std::uint64_t> histogram;
  for (std::size_t d = 0; d <= bits; ++d) {
    const double log_share = std::lgamma(double(bits) + 1) - std::lgamma(double(d) + 1) -
                             std::lgamma(double(bits - d) + 1) - double(bits) * std::log(2.0);
    histogram.push_back(static_cast<std::uint64_t>(std::lround(n * std::exp(log_share))));
  }
  return histogram;
}

// Of 256 coins: mean 128, deviation 8; one in 8 million is 5.16 deviations below.
TEST(Calibrate, FollowsTheTailOfStrangers) {
  for (const double n : {1e4, 1e5, 1e6}) {
    const HashCalibration calibration = calibrate(coins(256, n));
    EXPECT_NEAR(calibration.near, 128 - 8 * 5.16, 3) << n;
    EXPECT_NEAR(calibration.far, 128 - 8 * 4.21, 3) << n;
  }
}

// A few pairs of strangers that are none, as every collection has them, change nothing.
TEST(Calibrate, IsNotLedAstrayByDuplicates) {
  std::vector<std::uint64_t> histogram = coins(256, 1e5);
  histogram[0] = 20;
  histogram[5] = 30;
  const HashCalibration calibration = calibrate(histogram);
  EXPECT_NEAR(calibration.near, 128 - 8 * 5.16, 3);
}

TEST(Calibrate, KnowsNothingOfAFewPairs) {
  EXPECT_EQ(calibrate(coins(48, 500)), HashCalibration{});
  EXPECT_EQ(calibrate(std::vector<std::uint64_t>(49)), HashCalibration{});
}

TEST(Calibrate, StaysWithinTheCode) {
  std::vector<std::uint64_t> equal(13);
  equal[0] = 100000;  // strangers that all have one code
  const HashCalibration calibration = calibrate(equal);
  EXPECT_EQ(calibration.near, 0U);
  EXPECT_LE(calibration.far, 12U);
}

}  // namespace
}  // namespace twinsift
