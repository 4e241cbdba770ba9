// SPDX-License-Identifier: Apache-2.0
#include "sketch/hoph.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/hash.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kNone = kEmptyBin;

TokenSet range(std::uint64_t begin, std::uint64_t end) {
  TokenSet set(end - begin);
  std::iota(set.begin(), set.end(), begin);
  return set;
}

Sketch sketch_of(const Sketcher& sketcher, const TokenSet& set) {
  return *sketcher.sketch(Feature{.value = set});
}

// GOLDEN: Fig. 2 of HOPH18, 1:1 with 2 bins in each of 3 groups, the identity on {0..15}; 0.375 of
// the print for (D1, D3) corrected.
TEST(Hoph, PaperFigure2) {
  const HophShape shape{.groups = 3, .bins = 2};
  const HophPartition partition(shape);
  const auto bins_of = [&](TokenSet points) {
    for (std::uint64_t& x : points) x <<= 60U;
    Sketch bins(6, kNone);
    partition.throw_permuted(points, bins);
    return bins;
  };
  const auto reindexed = [](Sketch bins) {  // bins of 4, 4 | 2, 2 | 2, 2 points
    for (std::size_t i = 0; i < 6; ++i) {
      bins[i] = bins[i] == kNone ? kNone : bins[i] >> (i < 2 ? 62U : 63U);
    }
    return bins;
  };
  const Sketch d1 = bins_of({1, 2, 5, 10, 12, 15});
  const Sketch d2 = bins_of({1, 2, 6, 10, 12, 14});
  const Sketch d3 = bins_of({2, 9, 10, 12, 14});
  EXPECT_EQ(reindexed(d1), (Sketch{1, 1, kNone, 0, 0, 1}));
  EXPECT_EQ(reindexed(d2), (Sketch{1, 2, kNone, 0, 0, 0}));
  EXPECT_EQ(reindexed(d3), (Sketch{2, kNone, 1, 0, 0, 0}));
  const auto estimate = [&](const Sketch& a, const Sketch& b, HophEstimate how) {
    return estimate_groups(count_groups(a, b, 3), shape, how).value;
  };
  EXPECT_DOUBLE_EQ(estimate(d1, d2, HophEstimate::kPaper), 5.0 / 8);
  EXPECT_DOUBLE_EQ(estimate(d1, d3, HophEstimate::kPaper), 1.0 / 4);
  EXPECT_DOUBLE_EQ(estimate(d2, d3, HophEstimate::kPaper), 3.0 / 8);
  EXPECT_DOUBLE_EQ(estimate(d1, d2, HophEstimate::kPooled), 3.0 / 5);
  EXPECT_DOUBLE_EQ(estimate(d1, d3, HophEstimate::kPooled), 1.0 / 3);
  EXPECT_DOUBLE_EQ(estimate(d2, d3, HophEstimate::kPooled), 1.0 / 2);
}

// GOLDEN
TEST(Hoph, GoldenSketch) {
  const HophSketcher hoph({.groups = 3, .bins = 2}, HophEstimate::kPaper, 42);
  EXPECT_EQ(sketch_of(hoph, range(1, 11)),
            (Sketch{0x0c814b34a69e7990, 0x1ef989879c13b190, 0xc744e914be5d8348, 0x6c9d2d2ae06ef2e0,
                    0xc9c425e2139eaf70, kNone}));
}

// GOLDEN: 1:1 with 10 groups is .5 .25 ... .00195 .00195.
TEST(Hoph, WeightsOfTheHalvesArePowersOfTwo) {
  const auto weights = hoph_weights({.groups = 10, .bins = 1});
  for (int j = 0; j < 9; ++j) EXPECT_EQ(weights[static_cast<std::size_t>(j)], std::ldexp(0.5, -j));
  EXPECT_EQ(weights[9], weights[8]);
}

// The weights in units of (a+b)^-(n-1): a b^(j-1) (a+b)^(n-1-j) and, for the last, b^(n-1).  In
// whole numbers their sum is exact.
TEST(Hoph, WeightsAreTheRationalOnesAndSumToOne) {
  for (const auto& [a, b] : {std::pair{1U, 1U}, {1U, 2U}, {2U, 1U}, {3U, 5U}, {7U, 1U}}) {
    for (std::uint32_t n = 1; n <= 10; ++n) {
      const auto power = [](std::uint64_t base, std::uint32_t exponent) {
        std::uint64_t result = 1;
        while (exponent-- > 0) result *= base;
        return result;
      };
      const auto weights = hoph_weights({.a = a, .b = b, .groups = n, .bins = 1});
      const std::uint64_t unit = power(a + b, n - 1);
      std::uint64_t sum = 0;
      for (std::uint32_t j = 1; j <= n; ++j) {
        const std::uint64_t share = j < n ? a * power(b, j - 1) * power(a + b, n - 1 - j)  //
                                          : power(b, n - 1);
        sum += share;
        const double w = static_cast<double>(share) / static_cast<double>(unit);
        EXPECT_NEAR(weights[j - 1], w, 1e-15) << a << ":" << b << " group " << j;
      }
      EXPECT_EQ(sum, unit);
    }
  }
}

// ORACLE: long division.  The group's interval is cut into equal bins and the value keeps the
// order.
TEST(Hoph, EveryPointFallsIntoTheBinOfItsInterval) {
  for (const auto& [a, b] : {std::pair{1U, 1U}, {1U, 2U}, {2U, 1U}, {1U, 999U}}) {
    const HophShape shape{.a = a, .b = b, .groups = 6, .bins = 5};
    const HophPartition partition(shape);
    std::vector<std::uint64_t> points = {0, 1, UINT64_MAX, UINT64_MAX - 1};
    for (const std::uint64_t start : partition.starts()) {
      points.insert(points.end(), {start - 1, start, start + 1});
    }
    for (std::uint64_t i = 0; i < 2000; ++i) points.push_back(mix64(i));
    for (const std::uint64_t h : points) {
      Sketch bins(30, kNone);
      partition.throw_permuted({&h, 1}, bins);
      ASSERT_EQ(std::ranges::count(bins, kNone), 29);
      const auto bin = static_cast<std::size_t>(
          std::ranges::find_if(bins, [](auto v) { return v != kNone; }) - bins.begin());
      const std::size_t group = bin / 5;
      const auto& starts = partition.starts();
      ASSERT_GE(h, starts[group]);
      ASSERT_TRUE(group == 5 || h < starts[group + 1]);
      const long double length = group < 5
                                     ? static_cast<long double>(starts[group + 1]) - starts[group]
                                     : 0x1p64L - starts[group];
      const long double exact = 5 * static_cast<long double>(h - starts[group]) / length;
      const long double found = static_cast<long double>(bin % 5) + bins[bin] * 0x1p-64L;
      ASSERT_NEAR(static_cast<double>(found - exact), 0, 1e-15);
    }
  }
}

TEST(Hoph, OneGroupIsOph) {
  const OphSketcher oph(24, 9);
  for (const HophEstimate how : {HophEstimate::kPaper, HophEstimate::kPooled}) {
    const HophSketcher hoph({.groups = 1, .bins = 24}, how, 9);
    const Sketch a = sketch_of(hoph, range(0, 20));
    const Sketch b = sketch_of(hoph, range(5, 25));
    EXPECT_EQ(a, sketch_of(oph, range(0, 20)));
    EXPECT_DOUBLE_EQ(hoph.similarity(a, b).value, oph.similarity(a, b).value);
    EXPECT_NEAR(hoph.similarity(a, b).std_error, oph.similarity(a, b).std_error, 1e-6);
  }
}

// PROPERTY
RC_GTEST_PROP(Hoph, EstimatesAreShares, (TokenSet a, const TokenSet& b, bool pooled)) {
  RC_PRE(!a.empty() && !b.empty());
  const HophSketcher hoph({.a = 1, .b = 2, .groups = 4, .bins = 3},
                          pooled ? HophEstimate::kPooled : HophEstimate::kPaper, 3);
  const Estimate e = hoph.similarity(sketch_of(hoph, a), sketch_of(hoph, b));
  RC_ASSERT(e.value >= 0 && e.value <= 1 && e.std_error >= 0 && e.std_error <= 0.5);
  RC_ASSERT(hoph.similarity(sketch_of(hoph, a), sketch_of(hoph, a)).value == 1);
}

TEST(Hoph, SingletonFillsOneBinAndIsItself) {
  for (const HophEstimate how : {HophEstimate::kPaper, HophEstimate::kPooled}) {
    const HophSketcher hoph({.a = 1, .b = 2, .groups = 8, .bins = 32}, how, 1);
    const Sketch one = sketch_of(hoph, {7});
    EXPECT_EQ(std::ranges::count(one, kNone), 255);
    EXPECT_EQ(hoph.similarity(one, one).value, 1);
    EXPECT_EQ(hoph.similarity(one, sketch_of(hoph, {8})).value, 0);
  }
}

TEST(Hoph, GroupsThatAreEmptyInBothLoseTheirWeight) {
  const HophShape shape{.groups = 3, .bins = 4};  // weights 1/2, 1/4, 1/4
  const std::vector<BinCounts> counts = {{.bins = 4, .matched = 2, .both_empty = 0},
                                         {.bins = 4, .matched = 0, .both_empty = 4},
                                         {.bins = 4, .matched = 2, .both_empty = 2}};
  EXPECT_DOUBLE_EQ(estimate_groups(counts, shape, HophEstimate::kPaper).value,
                   (0.5 * 0.5 + 0.25 * 1) / 0.75);
  EXPECT_DOUBLE_EQ(estimate_groups(counts, shape, HophEstimate::kPooled).value, 4.0 / 6);
  const std::vector<BinCounts> none(3, {.bins = 4, .matched = 0, .both_empty = 4});
  EXPECT_EQ(estimate_groups(none, shape, HophEstimate::kPaper).value, 1);
}

// GOLDEN: 10 groups of 100 full bins are worth 300, 500, 200 bins to the paper's estimate (up to
// the rest in the last group) and 1000 to the pooled one.
TEST(Hoph, EffectiveBinsOfThePaperAreFew) {
  const std::vector<BinCounts> full(10, {.bins = 100, .matched = 50, .both_empty = 0});
  const auto worth = [&](std::uint32_t a, std::uint32_t b, HophEstimate how) {
    const HophShape shape{.a = a, .b = b, .groups = 10, .bins = 100};
    const Estimate e = estimate_groups(full, shape, how);
    return e.value * (1 - e.value) / (e.std_error * e.std_error);
  };
  EXPECT_NEAR(worth(1, 1, HophEstimate::kPaper), 300, 1);
  EXPECT_NEAR(worth(1, 2, HophEstimate::kPaper), 500, 2);
  EXPECT_NEAR(worth(2, 1, HophEstimate::kPaper), 200, 1);
  EXPECT_NEAR(worth(1, 1, HophEstimate::kPooled), 1000, 1e-6);
}

// STATISTICAL: as for OPH; 4 standard errors sqrt(2/trials), and 10 % because f is estimated.
TEST(Hoph, StandardErrorIsTheErrorMade) {
  const int trials = 1000;
  const double j = 1.0 / 3;
  for (const HophEstimate how : {HophEstimate::kPaper, HophEstimate::kPooled}) {
    for (const std::uint64_t third : {100U, 1000U}) {
      double squares = 0;
      double promised = 0;
      for (std::uint64_t seed = 0; seed < trials; ++seed) {
        const HophSketcher hoph({.groups = 8, .bins = 32}, how, seed);
        const Estimate e = hoph.similarity(sketch_of(hoph, range(0, 2 * third)),
                                           sketch_of(hoph, range(third, 3 * third)));
        squares += (e.value - j) * (e.value - j);
        promised += e.std_error * e.std_error;
      }
      EXPECT_NEAR(promised / squares, 1, 0.1 + 4 * std::sqrt(2.0 / trials)) << third;
    }
  }
}

}  // namespace
}  // namespace twinsift
