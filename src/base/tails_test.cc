// SPDX-License-Identifier: Apache-2.0
#include "base/tails.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift {
namespace {

void expect_relative(double actual, double expected, double tolerance) {
  EXPECT_NEAR(actual / expected, 1, tolerance) << actual << " should be " << expected;
}

// Nine printed digits: half a unit of the last one.
constexpr double kPrinted = 5e-9;

struct Row {
  std::int64_t m;
  double value;
};

// GOLDEN: the binomial table of GOPH (k' = 100, T = .6), recomputed to nine digits.
TEST(Tails, ReproduceTheGophTable) {
  for (const Row row : {Row{5, 3.27947573e-33}, Row{20, 5.56418593e-17}, Row{40, 1.80414624e-05},
                        Row{50, .0167616865}, Row{55, .131090453}, Row{60, .456705514},
                        Row{65, .820530647}, Row{70, .975217177}}) {
    expect_relative(binomial_below(100, .6, row.m), row.value, kPrinted);
  }
  for (const Row row :
       {Row{50, .983238313}, Row{60, .543294486}, Row{65, .179469353}, Row{70, .0247828231},
        Row{75, .00118900062}, Row{80, 1.64118779e-05}, Row{85, 5.0731971e-08},
        Row{90, 2.33876177e-11}, Row{100, 6.53318624e-23}}) {
    expect_relative(binomial_at_least(100, .6, row.m), row.value, kPrinted);
  }
}

// GOLDEN: the binomial table of the CWS filter (k = 100, T = .8), recomputed to nine digits.
TEST(Tails, ReproduceTheCwsTable) {
  for (const Row row :
       {Row{55, 4.21517877e-09}, Row{60, 1.29218424e-06}, Row{65, .000147140269},
        Row{70, .00605933548}, Row{75, .0874753846}, Row{80, .440538415}, Row{85, .871494485}}) {
    expect_relative(binomial_below(100, .8, row.m), row.value, kPrinted);
  }
  for (const Row row : {Row{80, .559461585}, Row{85, .128505515}, Row{90, .00569638096},
                        Row{95, 1.86800663e-05}, Row{100, 2.03703598e-10}}) {
    expect_relative(binomial_at_least(100, .8, row.m), row.value, kPrinted);
  }
}

// GOLDEN: the compiled per-look bounds of the CWS filter, T = .8, e = 1e-5.
TEST(Tails, ReproduceTheCwsBounds) {
  struct Bound {
    std::uint32_t k;
    std::int64_t reject;
    std::int64_t accept;
  };
  for (const auto [k, reject, accept] :
       {Bound{100, 61, 96}, Bound{200, 133, 183}, Bound{300, 208, 269}, Bound{400, 283, 353},
        Bound{500, 359, 437}, Bound{600, 436, 521}, Bound{700, 512, 604}, Bound{800, 589, 687},
        Bound{900, 666, 770}}) {
    EXPECT_LE(binomial_below(k, .8, reject + 1), 1e-5) << k;
    EXPECT_GT(binomial_below(k, .8, reject + 2), 1e-5) << k;
    EXPECT_LE(binomial_at_least(k, .8, accept), 1e-5) << k;
    EXPECT_GT(binomial_at_least(k, .8, accept - 1), 1e-5) << k;
  }
}

// ORACLE: Pascal's triangle in long double, which has no cancellation at all.
TEST(Tails, AgreeWithPascalsTriangle) {
  constexpr std::uint32_t kTrials = 300;
  for (const double p : {1e-6, .03, .5, .8, .999}) {
    std::vector<long double> law = {1};
    for (std::uint32_t n = 1; n <= kTrials; ++n) {
      law.push_back(0);
      for (std::size_t x = n + 1; x-- > 0;) {
        law[x] = law[x] * (1.0L - p) + (x > 0 ? law[x - 1] * p : 0);
      }
    }
    long double below = 0;
    for (std::uint32_t x = 0; x <= kTrials; ++x) {
      if (law[x] > 1e-290L) {
        expect_relative(binomial_pmf(kTrials, p, x), static_cast<double>(law[x]), 1e-12);
      }
      if (below > 1e-290L) {
        expect_relative(binomial_below(kTrials, p, x), static_cast<double>(below), 1e-12);
      }
      below += law[x];
    }
  }
}

// ORACLE: C(52,5) = 2598960 hands; C(4,x) C(48,5-x) of them hold x aces.
TEST(Tails, CountAcesInPokerHands) {
  const Urn hand{.population = 52, .good = 4, .draws = 5};
  const double ways[] = {1712304, 778320, 103776, 4512, 48};
  double below = 0;
  for (int x = 0; x <= 4; ++x) {
    expect_relative(hypergeometric_pmf(hand, x), ways[x] / 2598960, 1e-13);
    EXPECT_NEAR(hypergeometric_below(hand, x), below, 1e-13);
    EXPECT_NEAR(hypergeometric_at_least(hand, x), 1 - below, 1e-13);
    below += ways[x] / 2598960;
  }
  expect_relative(hypergeometric_at_least(hand, 4), 48. / 2598960, 1e-13);
}

// ORACLE: successive probabilities have an exact rational ratio, also where n is large and
// logarithms of factorials have lost nine digits to cancellation.
TEST(Tails, KeepTheirDigitsAtAMillion) {
  constexpr std::uint32_t kMany = 1'000'000;
  for (const std::int64_t x : {495'000, 499'999, 500'000, 507'000, 515'000}) {
    const auto ones = static_cast<double>(x);
    expect_relative(binomial_pmf(kMany, .5, x + 1) / binomial_pmf(kMany, .5, x),
                    (kMany - ones) / (ones + 1), 1e-9);
  }
  EXPECT_NEAR(binomial_below(kMany, .5, 500'000) + binomial_pmf(kMany, .5, 500'000) / 2, .5, 1e-9);
}

// ORACLE: the density integrated by Simpson's rule, which is exact to 1e-12 for these.
TEST(Tails, BetaTailsAreIntegrals) {
  struct Case {
    std::uint32_t a, b;
    double x;
  };
  for (const auto& [a, b, x] : {Case{1, 1, .3}, Case{3, 5, .4}, Case{20, 13, .8}, Case{33, 1, .8},
                                Case{1, 33, .2}, Case{90, 12, .7}}) {
    const double log_scale = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b);
    const auto integral = [&](double from, double to) {
      constexpr int kSteps = 20'000;
      double sum = 0;
      for (int i = 0; i <= kSteps; ++i) {
        const double p = from + (to - from) * i / kSteps;
        const double weight = i == 0 || i == kSteps ? 1 : (i % 2 == 1 ? 4 : 2);
        sum += weight * std::pow(p, a - 1) * std::pow(1 - p, b - 1);
      }
      return sum * (to - from) / (3 * kSteps) * std::exp(log_scale);
    };
    expect_relative(beta_below(a, b, x), integral(0, x), 1e-9);
    expect_relative(beta_above(a, b, x), integral(x, 1), 1e-9);
  }
  expect_relative(beta_above(1, 101, .5), std::pow(.5, 101), 1e-12);
  EXPECT_EQ(beta_below(3, 4, 0), 0);
  EXPECT_EQ(beta_below(3, 4, 1), 1);
}

// PROPERTY: the tails are the sums of the probabilities and complement each other.
RC_GTEST_PROP(Tails, HypergeometricTailsAreSums, ()) {
  const auto population = *rc::gen::inRange<std::uint32_t>(1, 60);
  const Urn urn{.population = population,
                .good = *rc::gen::inRange<std::uint32_t>(0, population + 1),
                .draws = *rc::gen::inRange<std::uint32_t>(0, population + 1)};
  double below = 0;
  for (std::int64_t x = -1; x <= std::int64_t{urn.draws} + 1; ++x) {
    RC_ASSERT(std::abs(hypergeometric_below(urn, x) - below) < 1e-12);
    RC_ASSERT(std::abs(hypergeometric_at_least(urn, x) - (1 - below)) < 1e-12);
    below += hypergeometric_pmf(urn, x);
  }
  RC_ASSERT(std::abs(below - 1) < 1e-12);
}

TEST(Tails, CertaintiesAreExact) {
  EXPECT_EQ(binomial_pmf(0, .3, 0), 1);
  EXPECT_EQ(binomial_pmf(10, 0, 0), 1);
  EXPECT_EQ(binomial_pmf(10, 1, 10), 1);
  EXPECT_EQ(binomial_pmf(10, 1, 9), 0);
  EXPECT_EQ(binomial_pmf(10, .5, -1), 0);
  EXPECT_EQ(binomial_pmf(10, .5, 11), 0);
  EXPECT_EQ(binomial_below(10, 0, 1), 1);
  EXPECT_EQ(binomial_at_least(10, 1, 10), 1);
  EXPECT_EQ(binomial_at_least(10, .5, 0), 1);
  EXPECT_EQ(binomial_at_least(10, .5, 11), 0);
  EXPECT_EQ(hypergeometric_pmf({10, 10, 4}, 4), 1);
  EXPECT_EQ(hypergeometric_at_least({10, 8, 5}, 3), 1);  // two bad ones cannot fill five draws
  EXPECT_EQ(hypergeometric_pmf({0, 0, 0}, 0), 1);
}

}  // namespace
}  // namespace twinsift
