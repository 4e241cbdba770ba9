// SPDX-License-Identifier: Apache-2.0
#include "learn/siamese_loss.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "base/random.h"
#include "learn/class_loss.h"

namespace twinsift {
namespace {

using Code = std::vector<double>;

double contrastive(const Code& a, const Code& b, bool duplicates, const SiameseLossOptions& how) {
  Code d_a(a.size()), d_b(b.size());
  return contrastive_loss<double>(a, b, duplicates, how, d_a, d_b);
}
double binary(const Code& a, const SiameseLossOptions& how) {
  Code d_a(a.size());
  return binary_loss<double>(a, how, d_a);
}

const Code kA = {.9, -.8, .5, -.2};
const Code kB = {.7, -.9, .1, .4};

TEST(SiameseLoss, ContrastiveLossOfThePaperHasItsGoldenValues) {
  EXPECT_NEAR(contrastive(kA, kB, true, {.kind = SiameseLoss::kPaper}), .07125, 1e-12);
  EXPECT_NEAR(contrastive(kA, kB, false, {.kind = SiameseLoss::kPaper, .margin = 1}), .24625,
              1e-12);
  EXPECT_NEAR(contrastive(kA, kB, false, {.kind = SiameseLoss::kPaper, .margin = 2}), 1.42125,
              1e-12);
}

TEST(SiameseLoss, BinaryLossOfThePaperHasItsGoldenValuesAndDoesNotSeeLength) {
  const SiameseLossOptions paper{.kind = SiameseLoss::kPaper};
  EXPECT_NEAR(binary({.01, -.01, .01, .01}, paper), -1, 1e-9);
  EXPECT_NEAR(binary({1, .2, 1, .2}, paper), -.832050, 1e-6);
  EXPECT_NEAR(binary({1, 0, 0, 0}, paper), -.5, 1e-9);
  EXPECT_TRUE(std::isfinite(binary({0, 0, 0, 0}, paper)));
}

TEST(SiameseLoss, PushSeesLength) {
  EXPECT_NEAR(binary({.01, -.01, .01, .01}, {}), .99, 1e-12);
  EXPECT_NEAR(binary({1, -1, 1, 1}, {}), 0, 1e-12);
}

TEST(SiameseLoss, VectorMarginIsSatisfiedByAShareOfTheBits) {
  EXPECT_EQ(contrastive({1, 1, 1, 1}, {1, 1, 1, -1}, false, {.rho = .5}), 0);
  EXPECT_GT(contrastive({1, 1, 1, 1}, {1, 1, 1, -.9}, false, {.rho = .5}), 0);
  EXPECT_EQ(contrastive({1, 1, 1, 1}, {1, 1, -1, -1}, false, {.rho = 1}), 0);
  EXPECT_GT(contrastive({1, 1, 1, 1}, {1, 1, 1, -1}, false, {.rho = 1}), 0);
  // Three strangers can have it all, which the paper's margin forbids.
  const std::vector<Code> strangers = {{1, 1, 1, 1}, {1, 1, -1, -1}, {1, -1, 1, -1}};
  for (const Code& a : strangers) {
    for (const Code& b : strangers) {
      if (&a == &b) continue;
      EXPECT_EQ(contrastive(a, b, false, {.rho = 1}), 0);
      EXPECT_GT(contrastive(a, b, false, {.kind = SiameseLoss::kPaper}), 0);
    }
  }
}

TEST(SiameseLoss, EqualDuplicatesCostNothingAndOrderDoesNotMatter) {
  for (const SiameseLoss kind : {SiameseLoss::kVector, SiameseLoss::kPaper}) {
    const SiameseLossOptions how{.kind = kind};
    EXPECT_EQ(contrastive(kA, kA, true, how), 0);
    for (const bool duplicates : {false, true}) {
      EXPECT_DOUBLE_EQ(contrastive(kA, kB, duplicates, how), contrastive(kB, kA, duplicates, how));
      Code a = kA, b = kB;
      std::ranges::reverse(a);
      std::ranges::reverse(b);
      EXPECT_NEAR(contrastive(kA, kB, duplicates, how), contrastive(a, b, duplicates, how), 1e-15);
    }
  }
}

// The largest difference between a gradient and what finite differences give.
double gradient_error(Code x, const std::function<double(const Code&, Code&)>& loss) {
  Code gradient;
  loss(x, gradient);
  double worst = 0;
  Code unused;
  for (std::size_t i = 0; i < x.size(); ++i) {
    constexpr double kStep = 1e-6;
    const double at = x[i];
    x[i] = at + kStep;
    const double above = loss(x, unused);
    x[i] = at - kStep;
    const double below = loss(x, unused);
    x[i] = at;
    worst = std::max(worst, std::abs(gradient[i] - (above - below) / (2 * kStep)));
  }
  return worst;
}

TEST(SiameseLoss, GradientOfABatchIsThatOfFiniteDifferences) {
  Rng rng(3);
  constexpr std::size_t kBits = 6;
  const std::vector<std::uint32_t> labels = {0, 0, 1, 2, 1, 0};
  for (const SiameseLoss kind :
       {SiameseLoss::kVector, SiameseLoss::kPaper, SiameseLoss::kSoftmax}) {
    for (int round = 0; round < 20; ++round) {
      Code codes(labels.size() * kBits);
      for (double& value : codes) value = 1.8 * rng.uniform() - .9;
      const SiameseLossOptions how{.kind = kind, .margin = 1.7, .push = .3};
      EXPECT_LE(gradient_error(codes,
                               [&](const Code& x, Code& gradient) {
                                 return siamese_loss<double>(x, kBits, labels, how, gradient);
                               }),
                1e-5);
    }
  }
}

TEST(SiameseLoss, SoftmaxIsHowSureEachIsOfItsDuplicate) {
  const SiameseLossOptions how{.kind = SiameseLoss::kSoftmax, .temperature = .5, .push = 0};
  const std::vector<std::uint32_t> labels = {0, 0, 1, 2};
  Code unused;
  // The two duplicates are equal, one other is opposite and one is across: 1, -1 and 0 are the
  // cosines.
  const Code codes = {1, 1, 1, 1, -1, -1, 1, -1};
  const double sure = std::exp(2.0) / (std::exp(2.0) + std::exp(-2.0) + 1);
  EXPECT_NEAR(siamese_loss<double>(codes, 2, labels, how, unused), -std::log(sure), 1e-12);
  // Nobody has a duplicate: there is nothing to lose, and no gradient.
  EXPECT_EQ(siamese_loss<double>(codes, 2, std::vector<std::uint32_t>{0, 1, 2, 3}, how, unused), 0);
  EXPECT_EQ(std::ranges::count(unused, 0.0), 8);
}

TEST(ClassLoss, GradientIsThatOfFiniteDifferences) {
  Rng rng(4);
  const std::vector<std::uint32_t> labels = {2, 0, 1, 2};
  Code scores(labels.size() * 3);
  for (double& value : scores) value = 6 * rng.uniform() - 3;
  EXPECT_LE(gradient_error(scores,
                           [&](const Code& x, Code& gradient) {
                             return class_loss<double>(x, 3, labels, 0.1, gradient);
                           }),
            1e-8);
}

// GOLDEN: two classes with the probabilities 1/4 and 3/4.
TEST(ClassLoss, SmoothingLeavesAShareToAllClasses) {
  Code unused;
  const Code scores = {0, std::log(3.0)};
  const std::vector<std::uint32_t> labels = {1};
  EXPECT_NEAR(class_loss<double>(scores, 2, labels, 0, unused), -std::log(.75), 1e-12);
  EXPECT_NEAR(class_loss<double>(scores, 2, labels, .5, unused),
              -.25 * std::log(.25) - .75 * std::log(.75), 1e-12);
  EXPECT_NEAR(unused[1], 0, 1e-12);  // what is wanted is what there is
}

TEST(ClassLoss, EqualScoresCostTheLogarithmOfTheClassesAndHugeOnesAreNoTrouble) {
  Code unused;
  const std::vector<std::uint32_t> labels = {1};
  EXPECT_NEAR(class_loss<double>(Code{5, 5, 5, 5}, 4, labels, 0.1, unused), std::log(4.0), 1e-12);
  EXPECT_TRUE(std::isfinite(class_loss<double>(Code{-900, 900, 0, 1}, 4, labels, 0.1, unused)));
}

}  // namespace
}  // namespace twinsift
