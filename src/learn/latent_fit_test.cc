// SPDX-License-Identifier: Apache-2.0
#include "learn/latent_fit.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

constexpr std::size_t kFeatures = 4;
using Features = std::array<float, kFeatures>;

// Number 0 tells pictures apart, but is small; numbers 1 and 2 are large, and noise; number 3 is
// twice number 0, seen through noise.
Features picture(double what, Rng& rng) {
  const auto noise = [&] { return rng.uniform() - 0.5; };
  return {static_cast<float>(5 + 0.1 * what), static_cast<float>(20 * noise()),
          static_cast<float>(30 * noise()), static_cast<float>(0.2 * what + noise())};
}

LatentFit fitted(Rng& rng) {
  LatentFit fit(kFeatures);
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const double what = rng.uniform();
    std::vector<float> rows;
    for (int copy = 0; copy < 2; ++copy) {
      for (const float value : picture(what, rng)) rows.push_back(value);
    }
    fit.add(rows, std::array{i, i});
  }
  return fit;
}

TEST(LatentFit, FirstBitIsWhatTellsPicturesApart) {
  Rng rng(3);
  const LatentFit fit = fitted(rng);
  const LatentFit::Layer layer = fit.layer(2, 1e-6);
  ASSERT_EQ(layer.weights.size(), kFeatures * 2);
  EXPECT_GT(std::abs(layer.weights[0]), 0.99);
  EXPECT_LT(std::abs(layer.weights[2]), 0.01);
  EXPECT_LT(std::abs(layer.weights[4]), 0.01);
}

TEST(LatentFit, EveryBitIsSetForHalfOfThePictures) {
  Rng rng(4);
  const LatentFit::Layer layer = fitted(rng).layer(kFeatures, 0.03);
  std::array<int, kFeatures> set{};
  constexpr int kPictures = 4000;
  for (int i = 0; i < kPictures; ++i) {
    const Features features = picture(rng.uniform(), rng);
    for (std::size_t bit = 0; bit < kFeatures; ++bit) {
      float sum = layer.bias[bit];
      for (std::size_t f = 0; f < kFeatures; ++f) {
        sum += features[f] * layer.weights[f * kFeatures + bit];
      }
      set[bit] += sum > 0 ? 1 : 0;
    }
  }
  // All are symmetric around their means: binomial, four standard errors, and as much again for
  // the mean that was estimated from as many.
  for (const int count : set) EXPECT_NEAR(count, kPictures / 2, 8 * std::sqrt(kPictures) / 2);
}

TEST(LatentFit, PicturesThatAreAllTheSameAreNoError) {
  LatentFit fit(2);
  fit.add(std::array{1.0F, 2.0F, 1.0F, 2.0F}, std::array<std::uint32_t, 2>{0, 0});
  const LatentFit::Layer layer = fit.layer(2, 0.03);
  for (const float weight : layer.weights) EXPECT_TRUE(std::isfinite(weight));
}

}  // namespace
}  // namespace twinsift
