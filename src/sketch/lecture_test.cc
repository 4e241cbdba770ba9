// SPDX-License-Identifier: Apache-2.0
// The lecture's pseudo permutations work as they were taught, and this is what is wrong with them.
#include "sketch/lecture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

constexpr std::uint32_t kMersenne = 2147483647;

TokenSet range(std::uint64_t begin, std::uint64_t end) {
  TokenSet set(end - begin);
  std::iota(set.begin(), set.end(), begin);
  return set;
}

Sketch sketch_of(const Sketcher& sketcher, const TokenSet& set) {
  return *sketcher.sketch(Feature{.value = set});
}

// The share of the N values that no row is mapped to, on average over k functions.
double lost_rows(const LectureModuli& moduli, std::uint32_t k) {
  const LectureSketcher lecture(moduli, k, 1);
  std::size_t lost = 0;
  for (const auto& pi : lecture.functions()) {
    std::vector<bool> taken(moduli.rows);
    for (std::uint32_t row = 0; row < moduli.rows; ++row) taken[lecture.apply(pi, row)] = true;
    lost += static_cast<std::size_t>(std::ranges::count(taken, false));
  }
  return static_cast<double>(lost) / moduli.rows / k;
}

// ORACLE
TEST(Lecture, SignatureIsTheMinimumOfEachFunction) {
  const LectureSketcher lecture({.prime = 1009, .rows = 1000}, 32, 4);
  const Sketch sketch = sketch_of(lecture, range(10, 60));
  for (std::size_t i = 0; i < 32; ++i) {
    const auto& pi = lecture.functions()[i];
    ASSERT_TRUE(pi.a > 0 && pi.a < 1009 && pi.b < 1009);
    std::uint64_t best = UINT64_MAX;
    for (std::uint64_t row = 10; row < 60; ++row) {
      best = std::min(best, (pi.a * row + pi.b) % 1009 % 1000);
    }
    EXPECT_EQ(sketch[i], best);
  }
}

TEST(Lecture, IdsBeyondTheRowsWrapAround) {
  const LectureSketcher lecture({.prime = 1009, .rows = 1000}, 16, 4);
  EXPECT_EQ(sketch_of(lecture, {5, UINT64_MAX}), sketch_of(lecture, {5, UINT64_MAX % 1000}));
}

// GOLDEN: 29 to 31 % are lost for p >> N, none for p = N.
TEST(Lecture, SecondModulusLosesThreeTenthsOfTheRows) {
  const double lost = lost_rows({.prime = kMersenne, .rows = 1000}, 1000);
  EXPECT_GE(lost, 0.29);
  EXPECT_LE(lost, 0.31);
  EXPECT_EQ(lost_rows({.prime = 997, .rows = 997}, 100), 0);
}

// STATISTICAL: rows [0, 100) against [0, 50) of 1000, J = 1/2; 6 sketches of k = 65536 have a
// standard error of 0.0008.  Measured once with 20,000 functions: +0.0185 (p = 1009) and +0.0211
// (p = 2^31 - 1), standard error 0.0035 each; the difference stays within 4 of both errors.
TEST(Lecture, EstimateIsTooLarge) {
  const int sketches = 6;
  for (const auto& [prime, measured] : {std::pair{1009U, 0.0185}, {kMersenne, 0.0211}}) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < sketches; ++seed) {
      const LectureSketcher lecture({.prime = prime, .rows = 1000}, 65536, seed);
      sum += lecture.similarity(sketch_of(lecture, range(0, 100)), sketch_of(lecture, range(0, 50)))
                 .value;
    }
    const double error = 0.5 / std::sqrt(65536.0 * sketches);
    const double bias = sum / sketches - 0.5;
    EXPECT_GE(bias, 4 * error) << prime;
    EXPECT_NEAR(bias, measured, 4 * std::hypot(0.0035, error)) << prime;
  }
}

// With p = N there is no second modulus, and no bias is left to see: 4 standard errors.
TEST(Lecture, TruePermutationsOfTheRowsAreNotBiased) {
  const LectureSketcher lecture({.prime = 997, .rows = 997}, 65536, 3);
  const double e =
      lecture.similarity(sketch_of(lecture, range(0, 100)), sketch_of(lecture, range(0, 50))).value;
  EXPECT_NEAR(e, 0.5, 4 * 0.5 / 256);
}

// Two documents without a common row share minima: no sketch of twinsift does that but this one.
TEST(Lecture, DisjointSetsAgreeByCollision) {
  const LectureSketcher lecture({.prime = kMersenne, .rows = 100}, 4096, 2);
  EXPECT_GT(lecture.similarity(sketch_of(lecture, range(0, 50)), sketch_of(lecture, range(50, 100)))
                .value,
            0.05);
}

TEST(Lecture, EdgeCases) {
  const LectureSketcher lecture({}, 64, 1);
  const Sketch empty = sketch_of(lecture, {});
  const Sketch one = sketch_of(lecture, {7});
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(lecture.similarity(empty, empty).value, 1);
  EXPECT_EQ(lecture.similarity(empty, one).value, 0);
  EXPECT_EQ(lecture.similarity(one, one).value, 1);
  EXPECT_EQ(sketch_of(lecture, {7, 7}), one);
  EXPECT_EQ(*lecture.merge(one, sketch_of(lecture, {9})), sketch_of(lecture, {7, 9}));
  EXPECT_FALSE(lecture.sketch(Feature{.value = DenseVector{1.0F}}));
}

}  // namespace
}  // namespace twinsift
