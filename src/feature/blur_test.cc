// SPDX-License-Identifier: Apache-2.0
#include "feature/blur.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

Plane noise(std::uint32_t width, std::uint32_t height, std::uint64_t seed) {
  Rng rng(seed);
  Plane plane(width, height);
  for (float& value : plane.values) value = static_cast<float>(255 * rng.uniform());
  return plane;
}

TEST(Blur, KernelSumsToOneAndFalls) {
  for (const double sigma : {0.5, 1.0, 1.6, 3.09}) {
    const auto kernel = gaussian_kernel(sigma);
    float sum = kernel[0];
    for (std::size_t i = 1; i < kernel.size(); ++i) {
      EXPECT_LT(kernel[i], kernel[i - 1]);
      sum += 2 * kernel[i];
    }
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_NEAR(kernel[1] / kernel[0], std::exp(-0.5 / (sigma * sigma)), 1e-6);
  }
}

// ORACLE: the sum over the square, in double precision.
TEST(Blur, IsTheSumOverTheSquare) {
  const Plane plane = noise(23, 17, 1);
  const auto kernel = gaussian_kernel(1.6);
  const auto radius = static_cast<int>(kernel.size()) - 1;
  const Plane result = blurred(plane, kernel);
  for (int y = 0; y < 17; ++y) {
    for (int x = 0; x < 23; ++x) {
      double sum = 0;
      for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
          const double weight = double{kernel[static_cast<std::size_t>(std::abs(dx))]} *
                                double{kernel[static_cast<std::size_t>(std::abs(dy))]};
          sum += weight * double{plane.at(static_cast<std::uint32_t>(std::clamp(x + dx, 0, 22)),
                                          static_cast<std::uint32_t>(std::clamp(y + dy, 0, 16)))};
        }
      }
      EXPECT_NEAR(result.at(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)), sum,
                  1e-3);
    }
  }
}

TEST(Blur, TinyPlanesKeepTheirValue) {
  for (const auto& [width, height] : {std::pair(1U, 1U), {1U, 50U}, {50U, 1U}, {3U, 2U}}) {
    Plane plane(width, height);
    std::ranges::fill(plane.values, 77.0F);
    for (const float value : blurred(plane, gaussian_kernel(3)).values) {
      EXPECT_NEAR(value, 77, 1e-4);
    }
  }
}

// ORACLE: exactly, for all lengths around those of the lanes.
TEST(Blur, FastPathEqualsTheReference) {
  const Plane plane = noise(100, 15, 3);
  const auto kernel = gaussian_kernel(2.2);
  ASSERT_EQ(kernel.size(), 8U);
  std::vector<const float*> before;
  std::vector<const float*> after;
  for (std::uint32_t i = 1; i < kernel.size(); ++i) {
    before.push_back(plane.row(7 - i));
    after.push_back(plane.row(7 + i));
  }
  const KernelRows rows{kernel, plane.row(7), before.data(), after.data()};
  for (std::size_t n = 1; n <= 100; ++n) {
    std::vector<float> fast(n + 1, -1);
    std::vector<float> slow(n + 1, -1);
    weigh_rows(rows, fast.data(), n);
    weigh_rows_scalar(rows, slow.data(), n);
    EXPECT_EQ(fast, slow) << n;
    EXPECT_EQ(fast[n], -1);
  }
}

}  // namespace
}  // namespace twinsift
