// SPDX-License-Identifier: Apache-2.0
#include "learn/hash_net.h"

#include <cmath>

#include <gtest/gtest.h>

#include "learn/siamese_loss.h"

namespace twinsift {
namespace {

constexpr HashNetShape kSmall{.side = 16,
                              .colours = 2 + 1,
                              .stem_kernel = 3,
                              .stem_stride = 1,
                              .stem = 4,
                              .widths = {5, 6, 7},
                              .cells = 2,
                              .features = 8,
                              .bits = 6};

template <class Real>
Maps<Real> random_pictures(const HashNetShape& shape, std::size_t n, Rng& rng) {
  Maps<Real> pictures(n, shape.side, shape.colours, shape.stem_kernel / 2);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t y = 0; y < shape.side; ++y) {
      for (std::size_t x = 0; x < shape.side; ++x) {
        for (std::size_t c = 0; c < shape.colours; ++c) {
          pictures.pixel(i, y, x)[c] = static_cast<Real>(to_input(std::uint8_t(rng.below(256))));
        }
      }
    }
  }
  return pictures;
}

template <class Real>
HashNet<Real> random_net(const HashNetShape& shape, const Maps<Real>& pictures, Rng& rng) {
  HashNet<Real> net(shape);
  net.initialise(rng);
  // Away from the identity, which has ties.
  for (const Learnt<Real>& one : net.learnt()) {
    for (Real& value : one.parameters->values) value += static_cast<Real>(.3 * rng.uniform() - .15);
  }
  net.fit_stem(pictures);
  net.prepare();
  return net;
}

// Through every layer: of codes and of features, in a batch that is normalised.
void expect_gradients_of_finite_differences(bool shares) {
  HashNetShape shape = kSmall;
  shape.shares = shares;
  Rng rng(5);
  const auto pictures = random_pictures<double>(shape, 6, rng);
  auto net = random_net<double>(shape, pictures, rng);
  const std::vector<std::uint32_t> labels = {0, 0, 1, 1, 2, 2};
  std::vector<double> pull(6 * kSmall.features);
  for (double& value : pull) value = rng.uniform() - .5;
  const auto loss = [&](std::vector<double>& d_codes) {
    net.forward(pictures, true, 1);
    double sum = siamese_loss<double>(net.codes(), kSmall.bits, labels, {.push = .2}, d_codes);
    for (std::size_t i = 0; i < pull.size(); ++i) sum += pull[i] * net.features()[i];
    return sum;
  };
  std::vector<double> d_codes, unused;
  loss(d_codes);
  net.backward(pull, d_codes, 1);
  std::size_t checked = 0;
  for (const Learnt<double>& one : net.learnt()) {
    auto& values = one.parameters->values;
    const auto gradient = one.parameters->gradient;
    for (std::size_t i = 0; i < values.size(); i += 1 + values.size() / 12) {
      constexpr double kStep = 1e-6;
      const double at = values[i];
      values[i] = at + kStep;
      net.prepare();
      const double above = loss(unused);
      values[i] = at - kStep;
      net.prepare();
      const double below = loss(unused);
      values[i] = at;
      const double expected = (above - below) / (2 * kStep);
      EXPECT_NEAR(gradient[i], expected, 1e-5 * (1 + std::abs(expected))) << checked;
      ++checked;
    }
  }
  EXPECT_GT(checked, 100U);
}

TEST(HashNet, GradientsAreThoseOfFiniteDifferences) {
  expect_gradients_of_finite_differences(false);
}

TEST(HashNet, GradientsThroughSharesAreThoseOfFiniteDifferences) {
  expect_gradients_of_finite_differences(true);
}

TEST(HashNet, GradientsOfScoresAreThoseOfFeaturesThatAreNoShares) {
  Rng rng(12);
  const auto pictures = random_pictures<double>(kSmall, 6, rng);
  auto net = random_net<double>(kSmall, pictures, rng);
  std::vector<double> pull(6 * kSmall.features);
  for (double& value : pull) value = rng.uniform() - .5;
  const auto gradients = [&] {
    std::vector<std::vector<double>> all;
    for (const auto& one : net.learnt()) all.push_back(one.parameters->gradient);
    return all;
  };
  net.forward(pictures, true, 1);
  EXPECT_EQ(net.scores(), net.features());
  net.backward(pull, {}, 1);
  const auto of_features = gradients();
  net.backward_scores(pull, 1);
  EXPECT_EQ(gradients(), of_features);
}

TEST(HashNet, EverythingIsTheSameForAnyNumberOfThreads) {
  const auto run = [](unsigned threads) {
    Rng rng(6);
    const auto pictures = random_pictures<float>(kSmall, 21, rng);
    auto net = random_net<float>(kSmall, pictures, rng);
    net.forward(pictures, true, threads);
    const std::vector<float> pull(21 * kSmall.features, .01F);
    net.backward(pull, net.codes(), threads);
    std::vector<std::vector<float>> all = {net.features(), net.codes()};
    for (const auto& one : net.learnt()) all.push_back(one.parameters->gradient);
    return all;
  };
  const auto one = run(1);
  EXPECT_EQ(run(2), one);
  EXPECT_EQ(run(5), one);
}

// PROPERTY: what was folded and taken over gives the same codes, also after one more batch, whose
// own statistics are those it was trained with.
TEST(HashNet, UnfoldedNetworkGivesTheSameCodes) {
  Rng rng(11);
  const auto pictures = random_pictures<double>(kSmall, 24, rng);
  auto net = random_net<double>(kSmall, pictures, rng);
  for (int i = 0; i < 300; ++i) net.forward(pictures, true, 1);  // the running statistics settle
  const auto trained = net.codes();
  net.forward(pictures, false, 1);
  const auto wanted = net.codes();
  HashNet<double> other(kSmall);
  other.unfold(net.folded(), pictures, 2);
  other.forward(pictures, false, 1);
  ASSERT_EQ(other.codes().size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(other.codes()[i], wanted[i], 1e-5);
  other.forward(pictures, true, 1);
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(other.codes()[i], trained[i], 1e-4);
  // Other bits: the features are the same.
  HashNetShape longer = kSmall;
  longer.bits = 2 * kSmall.bits;
  HashNet<double> third(longer);
  third.initialise(rng);
  third.unfold(net.folded(), pictures, 1);
  third.forward(pictures, false, 1);
  other.unfold(net.folded(), pictures, 1);
  other.forward(pictures, false, 1);
  EXPECT_EQ(third.features(), other.features());
}

TEST(HashNet, BorderStaysZeroWhenBatchesShrinkAndGrow) {
  Rng rng(7);
  const auto many = random_pictures<float>(kSmall, 9, rng);
  auto net = random_net<float>(kSmall, many, rng);
  Maps<float> few = many;
  few.resize(2);
  net.forward(many, false, 1);
  const auto first = net.codes();
  net.forward(few, false, 1);
  EXPECT_EQ(net.codes(), std::vector<float>(first.begin(), first.begin() + 2 * 6));
  net.forward(many, false, 1);
  EXPECT_EQ(net.codes(), first);
}

TEST(HashNet, StemWhitensPatches) {
  constexpr HashNetShape kGrey{.side = 32, .colours = 1, .stem_kernel = 3, .stem = 8};
  // Smooth pictures: neighbours are alike.
  Rng rng(8);
  Maps<double> pictures(40, 32, 1, 1);
  for (std::size_t i = 0; i < 40; ++i) {
    const double fx = rng.uniform(), fy = rng.uniform(), phase = 6 * rng.uniform();
    for (std::size_t y = 0; y < 32; ++y) {
      for (std::size_t x = 0; x < 32; ++x) {
        *pictures.pixel(i, y, x) = std::sin(double(x) * fx + double(y) * fy + phase);
      }
    }
  }
  HashNet<double> net(kGrey);
  net.fit_stem(pictures);
  const auto& weights = *net.state().front();
  // The mean of squares of what the first four filters give is 1, and products vanish.
  for (std::size_t f = 0; f < 8; f += 2) {
    for (std::size_t g = 0; g < 8; g += 2) {
      double sum = 0;
      std::size_t count = 0;
      for (std::size_t i = 0; i < 40; ++i) {
        for (std::size_t y = 0; y + 3 <= 32; y += 3) {
          for (std::size_t x = 0; x + 3 <= 32; x += 3) {
            double a = 0, b = 0;
            for (std::size_t k = 0; k < 9; ++k) {
              const double value = *pictures.pixel(i, y + k / 3, x + k % 3);
              a += weights[k * 8 + f] * value;
              b += weights[k * 8 + g] * value;
            }
            sum += a * b;
            ++count;
          }
        }
      }
      EXPECT_NEAR(sum / double(count), f == g ? 1 : 0, 0.1) << f << ' ' << g;
    }
  }
}

}  // namespace
}  // namespace twinsift
