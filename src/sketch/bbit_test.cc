// SPDX-License-Identifier: Apache-2.0
#include "sketch/bbit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sketch/doph.h"
#include "sketch/fss.h"
#include "sketch/set_sketch.h"

namespace twinsift {
namespace {

constexpr unsigned kWidths[] = {1, 2, 4, 8, 16};

TokenSet range(std::uint64_t begin, std::uint64_t end) {
  TokenSet set(end - begin);
  std::iota(set.begin(), set.end(), begin);
  return set;
}

Sketch sketch_of(const Sketcher& sketcher, const TokenSet& set) {
  return *sketcher.sketch(Feature{.value = set});
}

// GOLDEN
TEST(Bbit, InflationAtOneHalf) {
  EXPECT_DOUBLE_EQ(code_inflation(0.5, 1), 3);
  EXPECT_NEAR(code_inflation(0.5, 2), 1.6667, 5e-5);
  EXPECT_NEAR(code_inflation(0.5, 4), 1.1333, 5e-5);
  EXPECT_NEAR(code_inflation(0.5, 8), 1.00784, 5e-6);
  EXPECT_NEAR(code_inflation(0.5, 16), 1.00003, 5e-6);
}

TEST(Bbit, EightBitsAreTheCodesOfTheHotPath) {
  const Sketch sketch = sketch_of(FssSketcher(1000, 4), range(0, 300));
  std::vector<std::uint8_t> codes(1000);
  make_codes(sketch, codes);
  const auto unpacked = unpack_codes(pack_codes(sketch, 8), 1000, 8);
  EXPECT_TRUE(std::ranges::equal(unpacked, codes));
}

// PROPERTY: packing loses nothing but bits, narrow codes are the top of wide ones, and words are
// counted as codes are.
RC_GTEST_PROP(Bbit, PackedCodesAreTheCodes, (const Sketch& x, Sketch y)) {
  y.resize(x.size());
  const auto wide = unpack_codes(pack_codes(x, 16), x.size(), 16);
  for (const unsigned b : kWidths) {
    const PackedCodes packed_x = pack_codes(x, b);
    const PackedCodes packed_y = pack_codes(y, b);
    RC_ASSERT(packed_x.size() == (x.size() * b + 63) / 64);
    const auto codes_x = unpack_codes(packed_x, x.size(), b);
    const auto codes_y = unpack_codes(packed_y, y.size(), b);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      RC_ASSERT(codes_x[i] == wide[i] >> (16 - b));
      equal += codes_x[i] == codes_y[i] ? 1U : 0U;
    }
    RC_ASSERT(count_equal_codes(packed_x, packed_y, x.size(), b) == equal);
  }
}

TEST(Bbit, EstimateIsExactAtTheEnds) {
  for (const unsigned b : kWidths) {
    EXPECT_EQ(estimate_from_codes(64, 64, b).value, 1);
    EXPECT_EQ(estimate_from_codes(64, 64, b).std_error, 0);
  }
  EXPECT_EQ(estimate_from_codes(32, 64, 1).value, 0);
  EXPECT_EQ(estimate_from_codes(0, 64, 1).value, -1);  // not clamped
  // The error at J = 1/2 is that of whole values times the square root of the inflation.
  EXPECT_NEAR(estimate_from_codes(750, 1000, 1).std_error, std::sqrt(3 * 0.25 / 1000), 1e-12);
}

// STATISTICAL: 4 standard errors for the mean; the variance is that of FSS for large sets, below
// the independent one, and what the codes add, which is (inflation - 1) J(1-J)/k.
TEST(Bbit, EstimateIsUnbiasedWithTheVarianceOfTheFormula) {
  const int trials = 400;
  constexpr std::uint32_t k = 256;
  for (const std::uint64_t common : {0U, 200U}) {
    const double j = static_cast<double>(common) / static_cast<double>(600 - common);
    for (const unsigned b : kWidths) {
      double sum = 0;
      double squares = 0;
      for (std::uint64_t seed = 0; seed < trials; ++seed) {
        const FssSketcher fss(k, seed);
        const auto x = pack_codes(sketch_of(fss, range(0, 300)), b);
        const auto y = pack_codes(sketch_of(fss, range(300 - common, 600 - common)), b);
        const double e = estimate_from_codes(count_equal_codes(x, y, k, b), k, b).value;
        sum += e;
        squares += (e - j) * (e - j);
      }
      const double c = std::ldexp(1.0, -static_cast<int>(b));
      const double p = c + (1 - c) * j;
      const double variance = p * (1 - p) / k / ((1 - c) * (1 - c));
      EXPECT_NEAR(sum / trials, j, 4 * std::sqrt(variance / trials)) << b << " bits";
      const double spread = 4 * std::sqrt((2 + 1 / (k * p * (1 - p))) / trials);
      EXPECT_LE(squares / trials, variance * (1 + spread)) << b << " bits";
      const double least = variance - 0.5 * j * (1 - j) / k;
      EXPECT_GE(squares / trials, least * (1 - spread)) << b << " bits";
    }
  }
}

// STATISTICAL: b = 1, J = 0.2, f = 30, k = 1000.  In units of J(1-J)/k the error is the inflation
// of one bit, 6, and that of densification less 1, together 6.5; unsalted it is 23.  Both within 10
// % and 4 standard errors of a mean square over the trials, sqrt(2/trials).
TEST(Bbit, SaltingMattersForDensifiedSketches) {
  const int trials = 1000;
  const std::size_t k = 1000;
  const double j = 0.2;
  double salted = 0;
  double unsalted = 0;
  for (std::uint64_t seed = 0; seed < trials; ++seed) {
    const DophSketcher doph(k, seed);
    const Sketch x = sketch_of(doph, range(0, 18));
    const Sketch y = sketch_of(doph, range(12, 30));
    const std::size_t equal = count_equal_codes(pack_codes(x, 1), pack_codes(y, 1), k, 1);
    std::size_t plain = 0;
    for (std::size_t i = 0; i < k; ++i) {
      plain += code_bits_of(x[i], 0) >> 31U == code_bits_of(y[i], 0) >> 31U ? 1U : 0U;
    }
    const double with = estimate_from_codes(equal, k, 1).value - j;
    const double without = estimate_from_codes(plain, k, 1).value - j;
    salted += with * with;
    unsalted += without * without;
  }
  const double reference = j * (1 - j) / static_cast<double>(k) * trials;
  const double tolerance = 0.1 + 4 * std::sqrt(2.0 / trials);
  EXPECT_NEAR(salted / reference, 6.5, 6.5 * tolerance);
  EXPECT_NEAR(unsalted / reference, 23, 23 * tolerance);
}

}  // namespace
}  // namespace twinsift
