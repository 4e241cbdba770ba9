// SPDX-License-Identifier: Apache-2.0
// One permutation hashing, raw and densified.  What holds for all set sketches is in
// set_sketch_test.cc, their accuracy in accuracy_test.cc.
#include "sketch/oph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "sketch/doph.h"

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

// Points of a universe of 2^bits, permuted by hand, in k bins.
Sketch bins_of(const TokenSet& points, unsigned bits, std::size_t k) {
  TokenSet permuted = points;
  for (std::uint64_t& x : permuted) x <<= 64 - bits;
  Sketch bins(k, kNone);
  throw_permuted(permuted, bins);
  return bins;
}

// GOLDEN: Fig. 1 of HOPH18, the identity on {0..15} in 4 bins; 0.333 of the print corrected.
TEST(Oph, PaperFigure1) {
  const auto reindexed = [](Sketch bins) {
    for (std::uint64_t& bin : bins) bin = bin == kNone ? kNone : bin >> 62U;
    return bins;
  };
  const Sketch d1 = bins_of({1, 2, 5, 10, 12, 15}, 4, 4);
  const Sketch d2 = bins_of({1, 2, 6, 10, 12, 14}, 4, 4);
  const Sketch d3 = bins_of({2, 9, 10, 12, 14}, 4, 4);
  EXPECT_EQ(reindexed(d1), (Sketch{1, 1, 2, 0}));
  EXPECT_EQ(reindexed(d2), (Sketch{1, 2, 2, 0}));
  EXPECT_EQ(reindexed(d3), (Sketch{2, kNone, 1, 0}));
  const OphSketcher oph(4, 0);
  EXPECT_EQ(oph.similarity(d1, d2).value, 0.75);
  EXPECT_EQ(oph.similarity(d1, d3).value, 0.25);
  EXPECT_EQ(oph.similarity(d2, d3).value, 0.25);
  const BinCounts counts = count_bins(d1, d3);
  EXPECT_EQ(counts.matched, 1U);
  EXPECT_EQ(counts.bins - counts.either_empty, 3U);  // the paper's 1/3
}

// GOLDEN
TEST(Oph, GoldenSketch) {
  EXPECT_EQ(sketch_of(OphSketcher(8, 42), range(1, 11)),
            (Sketch{0x190296694d3cf320, 0x9a95b201f784f3a0, 0x3df3130f38276320, kNone,
                    0xc744e914be5d8348, 0x6c9d2d2ae06ef2e0, 0xc9c425e2139eaf70, kNone}));
}

// GOLDEN: bin 3 borrows from bin 1 and bin 7 from bin 2, both at the first try.
TEST(Doph, GoldenSketch) {
  Sketch expected = sketch_of(OphSketcher(8, 42), range(1, 11));
  expected[3] = expected[1];
  expected[7] = expected[2];
  EXPECT_EQ(sketch_of(DophSketcher(8, 42), range(1, 11)), expected);
}

// GOLDEN: all 8! permutations of a universe of 8 points in 4 bins, A = {0,1,2}, B = {1,2,3}.
TEST(Oph, EnumerationGivesEquations6And8) {
  std::array<std::uint64_t, 8> psi{};
  std::iota(psi.begin(), psi.end(), 0U);
  double sum = 0;
  double squares = 0;
  double inverse = 0;
  double biased = 0;
  double count = 0;
  do {
    const Sketch a = bins_of({psi[0], psi[1], psi[2]}, 3, 4);
    const Sketch b = bins_of({psi[1], psi[2], psi[3]}, 3, 4);
    const BinCounts counts = count_bins(a, b);
    const double m = counts.bins - counts.both_empty;
    const double j = counts.matched / m;
    ASSERT_EQ(OphSketcher(4, 0).similarity(a, b).value, j);
    sum += j;
    squares += (j - 0.5) * (j - 0.5);
    inverse += 1 / m;
    biased += counts.matched / static_cast<double>(counts.bins - counts.either_empty);
    ++count;
  } while (std::ranges::next_permutation(psi).found);
  EXPECT_NEAR(sum / count, 0.5, 1e-12);
  EXPECT_NEAR(squares / count, 0.0261904762, 1e-10);
  EXPECT_NEAR(match_variance(0.5, inverse / count, 4), squares / count, 1e-12);
  EXPECT_NEAR(biased / count, 169.0 / 210, 1e-12);  // never divide by "either empty"
}

// ORACLE: all ways of throwing 4 elements into 3 bins.
TEST(Oph, MeanInverseBinsEqualsEnumeration) {
  double sum = 0;
  for (unsigned way = 0; way < 81; ++way) {
    std::array<bool, 3> hit{};
    for (unsigned i = 0, rest = way; i < 4; ++i, rest /= 3) hit[rest % 3] = true;
    sum += 1.0 / static_cast<double>(std::ranges::count(hit, true));
  }
  EXPECT_NEAR(mean_inverse_bins(4, 3), sum / 81, 1e-12);
  EXPECT_DOUBLE_EQ(mean_inverse_bins(1, 1000), 1);
  EXPECT_DOUBLE_EQ(mean_inverse_bins(1000, 1), 1);
}

TEST(Oph, EmptyBinsTellTheNumberOfElements) {
  EXPECT_NEAR(elements_for_empty(1000 * std::pow(0.999, 700), 1000), 700, 1e-6);
  EXPECT_EQ(elements_for_empty(0, 1000), std::numeric_limits<double>::infinity());
  EXPECT_EQ(elements_for_empty(1, 1), 0);
}

// STATISTICAL: E[N_eb] = k (1 - 1/k)^f; the number of empty bins varies by less than its mean.
TEST(Oph, AsManyBinsAreEmptyAsExpected) {
  const int trials = 200;
  for (const std::uint64_t f : {10U, 256U, 800U}) {
    double empty = 0;
    for (std::uint64_t seed = 0; seed < trials; ++seed) {
      empty += static_cast<double>(
          std::ranges::count(sketch_of(OphSketcher(256, seed), range(0, f)), kNone));
    }
    const double expected = 256 * std::pow(255.0 / 256, static_cast<double>(f));
    EXPECT_NEAR(empty / trials, expected, 4 * std::sqrt(expected / trials)) << f;
  }
}

// With a bin for every element the estimate is J itself.
TEST(Oph, ManyBinsForFewElementsAreExact) {
  const OphSketcher oph(65536, 1);
  const Sketch a = sketch_of(oph, range(0, 12));
  const Sketch b = sketch_of(oph, range(4, 16));
  ASSERT_EQ(std::ranges::count(a, kNone), 65536 - 12);
  ASSERT_EQ(std::ranges::count(*oph.merge(a, b), kNone), 65536 - 16);
  EXPECT_EQ(oph.similarity(a, b).value, 0.5);
  EXPECT_NEAR(oph.similarity(a, b).std_error, 0, 1e-2);
}

TEST(Oph, VarianceVanishesWhenEveryElementIsSeen) {
  EXPECT_EQ(match_variance(0.5, 1, 1), 0);
  EXPECT_NEAR(match_variance(0.5, 1.0 / 30, 30), 0, 1e-15);
  EXPECT_DOUBLE_EQ(match_variance(0.5, 0.01, std::numeric_limits<double>::infinity()), 0.0025);
}

// ORACLE: the definition, one element at a time.
TEST(Oph, EqualsItsDefinitionForAllSizes) {
  for (const std::uint64_t size : {1U, 15U, 16U, 17U, 100U, 1000U}) {
    for (const std::uint32_t k : {1U, 3U, 64U, 1000U}) {
      Sketch bins(k, kNone);
      for (std::uint64_t x = 0; x < size; ++x) {
        const std::uint64_t h = permute64(x, seed_key(5, 0));
        bins[scale_to(h, k)] = std::min(bins[scale_to(h, k)], h * k);
      }
      const Sketch sketch = sketch_of(OphSketcher(k, 5), range(0, size));
      ASSERT_EQ(sketch, bins);
      EXPECT_LE(k - static_cast<std::uint64_t>(std::ranges::count(sketch, kNone)), size);
    }
  }
}

TEST(Oph, SingletonFillsOneBinAndItsDensifiedSketchAll) {
  const Sketch raw = sketch_of(OphSketcher(64, 1), {7});
  EXPECT_EQ(std::ranges::count(raw, kNone), 63);
  const Sketch dense = sketch_of(DophSketcher(64, 1), {7});
  EXPECT_EQ(dense, Sketch(64, std::ranges::min(raw)));
}

TEST(Oph, SketchesWithoutAnElementAreEqual) {
  const Sketch none(16, kNone);
  EXPECT_EQ(OphSketcher(16, 0).similarity(none, none).value, 1);
}

// ORACLE: an empty bin takes the first bin tried that was full before any copy was made.
TEST(Doph, CopiesOriginalBinsOnly) {
  const std::uint32_t k = 200;
  for (const std::uint64_t size : {1U, 2U, 20U, 200U, 2000U}) {
    const Sketch raw = sketch_of(OphSketcher(k, 3), range(0, size));
    const Sketch dense = sketch_of(DophSketcher(k, 3), range(0, size));
    for (std::uint64_t i = 0; i < k; ++i) {
      std::uint64_t expected = raw[i];
      for (std::uint64_t a = 1; expected == kNone; ++a) {
        expected = raw[scale_to(mix64(seed_key(3, 1) ^ (i << 32U | a)), k)];
      }
      ASSERT_EQ(dense[i], expected);
    }
  }
}

TEST(Doph, RefusesToMergeAndSaysWhy) {
  const DophSketcher doph(16, 0);
  const auto merged = doph.merge(sketch_of(doph, {1}), sketch_of(doph, {2}));
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(merged.error().message.find("use oph1"), std::string::npos);
}

// STATISTICAL: the mean of std_error^2 is the mean square error, which has a relative standard
// error of sqrt(2/trials); 4 of these, and 10 % because f is estimated as well.
TEST(Oph, StandardErrorIsTheErrorMade) {
  const int trials = 1000;
  const double j = 1.0 / 3;
  for (const bool dense : {false, true}) {
    for (const std::uint64_t third : {20U, 100U, 500U}) {  // f = 3 * third, k = 256
      double squares = 0;
      double promised = 0;
      for (std::uint64_t seed = 0; seed < trials; ++seed) {
        const OphSketcher oph(256, seed);
        const DophSketcher doph(256, seed);
        const Sketcher& sketcher = dense ? static_cast<const Sketcher&>(doph) : oph;
        const Estimate e = sketcher.similarity(sketch_of(sketcher, range(0, 2 * third)),
                                               sketch_of(sketcher, range(third, 3 * third)));
        squares += (e.value - j) * (e.value - j);
        promised += e.std_error * e.std_error;
      }
      EXPECT_NEAR(promised / squares, 1, 0.1 + 4 * std::sqrt(2.0 / trials))
          << (dense ? "dense " : "raw ") << third;
    }
  }
}

}  // namespace
}  // namespace twinsift
