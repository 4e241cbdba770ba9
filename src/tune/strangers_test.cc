// SPDX-License-Identifier: Apache-2.0
#include "tune/strangers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/tails.h"
#include "tune/label_plan.h"

namespace twinsift {
namespace {

// P(Bin(bits, p) < t), term by term.
double lost_by(std::uint32_t bits, double p, std::uint32_t t) {
  double sum = 0;
  for (std::uint32_t x = 0; x < t; ++x) sum += binomial_pmf(bits, p, x);
  return sum;
}

TEST(SketchThresholds, LoseAsMuchAsTheFirstAndNoMore) {
  for (const double s : {.5, .8, .9, .99}) {
    const double p = (1 + s) / 2;
    const double mean = kSketchBits * p;
    const double deviation = std::sqrt(mean * (1 - p));
    for (const double below : {5., 2., 1., 0., -1.}) {
      const auto first =
          std::min(static_cast<std::uint32_t>(mean - below * deviation), kSketchBits);
      const SketchThresholds least = sketch_thresholds(first, s);
      EXPECT_EQ(least[0], first);
      const double lost = lost_by(kSketchBits, p, first);
      for (std::uint32_t c = 2; c <= kSketches; ++c) {
        EXPECT_LE(lost_by(c * kSketchBits, p, least[c - 1]), lost * (1 + 1e-9)) << s << ' ' << c;
        EXPECT_GT(lost_by(c * kSketchBits, p, least[c - 1] + 1), lost) << s << ' ' << c;
      }
    }
  }
}

TEST(SketchThresholds, AreNoneWithoutASketchAndAllForEqualSets) {
  EXPECT_EQ(sketch_thresholds(0, .8), SketchThresholds{});
  const SketchThresholds all = sketch_thresholds(kSketchBits, 1);
  for (std::uint32_t c = 1; c <= kSketches; ++c) EXPECT_EQ(all[c - 1], c * kSketchBits);
}

// What label_found() promises for the least similarity holds for all above it.
TEST(SketchThresholds, FindNeverLessThanOneSketchPromises) {
  for (const double least_similarity : {.5, .7, .8, .9, .97}) {
    const double mean = kSketchBits * (1 + least_similarity) / 2;
    for (double first = mean - 60; first < mean + 8; first += 4) {
      const auto t = std::min(static_cast<std::uint32_t>(first), kSketchBits);
      const SketchThresholds least = sketch_thresholds(t, least_similarity);
      for (double s = least_similarity; s <= 1; s += .01) {
        const auto pass = sketches_pass(least, s);
        for (const double of_more : pass) EXPECT_GE(of_more, pass[0] - 1e-12) << s << ' ' << t;
        for (const LabelShape& shape :
             {LabelShape{64, 3, 1}, LabelShape{64, 6, 6}, LabelShape{1, 12, 13}}) {
          EXPECT_GE(asked_share(shape, least, s), label_found(shape, t, s) - 1e-12);
        }
      }
    }
  }
}

// ORACLE: all ways in which labels can be equal.
TEST(SketchesMet, AreThoseOfEveryWayToMeet) {
  for (const double equal : {0., .03, .4, 1.}) {
    for (std::uint32_t labels = 1; labels <= 10; ++labels) {
      std::array<double, kSketches + 1> expected{};
      for (std::uint32_t way = 0; way < 1U << labels; ++way) {
        double share = 1;
        std::array<bool, kSketches> met{};
        for (std::uint32_t table = 0; table < labels; ++table) {
          const bool shared = (way >> table & 1U) != 0;
          share *= shared ? equal : 1 - equal;
          met[table % 4] = met[table % 4] || shared;
        }
        expected[static_cast<std::size_t>(std::ranges::count(met, true))] += share;
      }
      const auto met = sketches_met(labels, equal);
      for (std::size_t c = 0; c <= kSketches; ++c) {
        EXPECT_NEAR(met[c], expected[c], 1e-12) << equal << ' ' << labels << ' ' << c;
      }
    }
  }
}

TokenSet random_set(std::size_t size, Rng& rng) {
  TokenSet set(size);
  for (std::uint64_t& id : set) id = rng.next();
  return set;
}

// Whether the second set would be asked for by the first, by real labels and sketches.
bool is_asked(const TokenSet& a, const TokenSet& b, const LabelShape& shape,
              const SketchThresholds& least, std::uint64_t seed) {
  LabelMinima of_a(seed);
  LabelMinima of_b(seed);
  of_a.grow(a, shape);
  of_b.grow(b, shape);
  std::array<bool, kSketches> met{};
  for (std::uint32_t table = 0; table < shape.labels; ++table) {
    if (of_a.label(shape, table) == of_b.label(shape, table)) met[table % 4] = true;
  }
  std::uint32_t sum = 0;
  for (std::uint32_t which = 0; which < kSketches; ++which) {
    if (!met[which]) continue;
    sum += agreeing_bits(label_sketch(a, seed, which), label_sketch(b, seed, which));
  }
  const auto count = std::ranges::count(met, true);
  return count > 0 && sum >= least[static_cast<std::size_t>(count) - 1];
}

// STATISTICAL: two sets of 17 ids that share 14 have J = .7, and the network wants .75.
TEST(Strangers, AreAskedAsOftenAsSetsAre) {
  constexpr std::uint32_t kTrials = 3000;
  constexpr double kLeast = .75;
  const SketchThresholds least = sketch_thresholds(885, kLeast);
  for (const LabelShape& shape : {LabelShape{1, 4, 2}, LabelShape{1, 4, 6}}) {
    Rng rng(shape.labels);
    std::uint32_t asked = 0;
    for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
      const TokenSet all = random_set(20, rng);
      const TokenSet a(all.begin(), all.begin() + 17);
      const TokenSet b(all.begin() + 3, all.end());
      asked += is_asked(a, b, shape, least, trial) ? 1U : 0U;
    }
    const std::vector<WeightedSimilarity> law = {{.7, .5}, {.75, .25}, {.9, .25}};
    const double share = Strangers(law, kLeast, 885).asked(shape) / .5;
    EXPECT_NEAR(1.0 * asked / kTrials, share, 4 * std::sqrt(share * (1 - share) / kTrials));
    EXPECT_NEAR(share, asked_share(shape, least, .7), 1e-12);
    EXPECT_GT(asked, 50U);
  }
}

// With the same shape and loss: what several sketches save over the first one alone.
TEST(Strangers, AreFewerTheMoreSketchesAreMet) {
  const SketchThresholds least = sketch_thresholds(902, .8);
  const LabelShape shape{64, 3, 8};
  const double alone = label_found(shape, 902, .75);
  EXPECT_LT(asked_share(shape, least, .75), .4 * alone);
  // Who meets in one table only is told by one sketch.
  EXPECT_NEAR(asked_share({64, 3, 1}, least, .75), label_found({64, 3, 1}, 902, .75), 1e-12);
}

}  // namespace
}  // namespace twinsift
