// SPDX-License-Identifier: Apache-2.0
#include "sketch/labels.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/hash.h"
#include "base/random.h"

namespace twinsift {
namespace {

TokenSet random_set(std::size_t size, Rng& rng) {
  TokenSet set(size);
  for (std::uint64_t& id : set) id = rng.next();
  std::ranges::sort(set);
  return set;
}

// Two sets of 90 elements each that share 80: J = .8.
std::pair<TokenSet, TokenSet> alike(Rng& rng) {
  const TokenSet all = random_set(100, rng);
  return {TokenSet(all.begin(), all.begin() + 90), TokenSet(all.begin() + 10, all.end())};
}

std::vector<std::string> labels_of(const TokenSet& set, const LabelShape& shape,
                                   std::uint64_t seed) {
  LabelMinima minima(seed);
  minima.grow(set, shape);
  std::vector<std::string> labels;
  for (std::uint32_t j = 0; j < shape.labels; ++j) labels.push_back(minima.label(shape, j));
  return labels;
}

// ORACLE: section 14.1, bit by bit.
TEST(Labels, OneBitLabelsAreThoseOfThePaper) {
  Rng rng(1);
  const TokenSet set = random_set(50, rng);
  const LabelShape shape{.width = 1, .hashes = 21, .labels = 4};
  const auto labels = labels_of(set, shape, 7);
  for (std::uint32_t j = 0; j < shape.labels; ++j) {
    ASSERT_EQ(labels[j].size(), 3U);
    for (std::uint32_t i = 0; i < shape.hashes; ++i) {
      std::uint64_t least = UINT64_MAX;
      for (const std::uint64_t x : set) {
        least = std::min(least, permute64(x, seed_key(7, j * 256 + i)));
      }
      const unsigned bit = static_cast<unsigned char>(labels[j][i / 8]) >> (i % 8) & 1U;
      EXPECT_EQ(bit, mix64(least ^ kGolden) & 1U);
    }
    EXPECT_EQ(static_cast<unsigned char>(labels[j][2]) >> 5U, 0);
  }
}

// PROPERTY: more hashes or labels only append, and only the difference is computed.
RC_GTEST_PROP(Labels, GrowingKeepsWhatIsThere, ()) {
  const auto k = *rc::gen::inRange<std::uint32_t>(1, 40);
  const auto more_k = k + *rc::gen::inRange<std::uint32_t>(0, 40);
  const auto l = *rc::gen::inRange<std::uint32_t>(1, 6);
  const auto more_l = l + *rc::gen::inRange<std::uint32_t>(0, 6);
  Rng rng(*rc::gen::arbitrary<std::uint64_t>());
  const TokenSet set = random_set(10, rng);
  LabelMinima minima(3);
  const LabelShape before{.width = 8, .hashes = k, .labels = l};
  const LabelShape after{.width = 8, .hashes = more_k, .labels = more_l};
  RC_ASSERT(minima.grow(set, before) == k * l);
  const std::string label = minima.label(before, l - 1);
  RC_ASSERT(minima.grow(set, after) == more_k * more_l - k * l);
  RC_ASSERT(minima.grow(set, before) == 0U);
  RC_ASSERT(minima.label(before, l - 1) == label);
  RC_ASSERT(minima.label(after, l - 1).starts_with(label));
  for (std::uint32_t j = 0; j < more_l; ++j) {
    RC_ASSERT(minima.label(after, j) == labels_of(set, after, 3)[j]);
  }
}

// STATISTICAL: labels are equal as often as f(s)^k says, and independently in the tables.
TEST(Labels, EqualAsOftenAsTheirWidthSays) {
  for (const LabelShape& shape :
       {LabelShape{1, 12, 3}, LabelShape{2, 8, 3}, LabelShape{64, 5, 3}}) {
    constexpr std::uint32_t kTrials = 2000;
    std::uint32_t first = 0;
    std::uint32_t any = 0;
    Rng rng(shape.width);
    for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
      const auto [a, b] = alike(rng);
      const auto of_a = labels_of(a, shape, trial);
      const auto of_b = labels_of(b, shape, trial);
      if (of_a[0] == of_b[0]) ++first;
      bool met = false;
      for (std::uint32_t j = 0; j < shape.labels; ++j) met = met || of_a[j] == of_b[j];
      if (met) ++any;
    }
    const double one = std::pow(.8 + .2 * std::exp2(-1.0 * shape.width), shape.hashes);
    const double some = 1 - std::pow(1 - one, shape.labels);
    EXPECT_NEAR(1.0 * first / kTrials, one, 4 * std::sqrt(one * (1 - one) / kTrials));
    EXPECT_NEAR(1.0 * any / kTrials, some, 4 * std::sqrt(some * (1 - some) / kTrials));
  }
}

// STATISTICAL: bits of sketches agree with (1 + s) / 2, and their number is binomial.
TEST(Labels, SketchBitsAreBinomial) {
  constexpr std::uint32_t kTrials = 1000;
  Rng rng(5);
  double sum = 0;
  double squares = 0;
  for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
    const auto [a, b] = alike(rng);
    const double agreeing = agreeing_bits(label_sketch(a, trial, 3), label_sketch(b, trial, 3));
    sum += agreeing;
    squares += agreeing * agreeing;
  }
  const double mean = sum / kTrials;
  const double variance = squares / kTrials - mean * mean;
  const double expected = kSketchBits * .9 * .1;
  EXPECT_NEAR(mean, kSketchBits * .9, 4 * std::sqrt(expected / kTrials));
  EXPECT_NEAR(variance, expected, 4 * expected * std::sqrt(2.0 / kTrials));
}

// STATISTICAL: what one sketch of a set says, another does not: half of the bits agree by chance,
// and of similar sets' deviations from the mean nothing is common to two sketches.
TEST(Labels, SketchesOfDifferentTablesAreIndependent) {
  constexpr std::uint32_t kTrials = 300;
  constexpr double kDeviation = 16;  // of half of 1,024 bits
  Rng rng(6);
  double equal_sets = 0;
  double product = 0;
  for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
    const auto [a, b] = alike(rng);
    const auto of_a = label_sketches(a, trial, 4);
    const auto of_b = label_sketches(b, trial, 4);
    const std::uint32_t first = trial % 4;
    const std::uint32_t second = (first + 1 + trial / 4 % 3) % 4;
    equal_sets += agreeing_bits(of_a[first], of_a[second]);
    const double expected = kSketchBits * .9;
    product += (agreeing_bits(of_a[first], of_b[first]) - expected) *
               (agreeing_bits(of_a[second], of_b[second]) - expected) / (expected * .1);
  }
  EXPECT_NEAR(equal_sets / kTrials, kSketchBits / 2.0, 4 * kDeviation / std::sqrt(kTrials));
  EXPECT_NEAR(product / kTrials, 0, 4 / std::sqrt(kTrials));
}

TEST(Labels, TablesHaveTheirSketchesInTurn) {
  Rng rng(7);
  const TokenSet set = random_set(5, rng);
  EXPECT_EQ(label_sketches(set, 1, 0).size(), 0U);
  EXPECT_EQ(label_sketches(set, 1, 2).size(), 2U);
  const auto all = label_sketches(set, 1, 9);
  ASSERT_EQ(all.size(), kSketches);
  for (std::uint32_t table = 0; table < 9; ++table) {
    EXPECT_EQ(all[sketch_of_table(table)], label_sketch(set, 1, table % 4));
  }
}

TEST(Labels, EqualSetsAgreeInEverything) {
  Rng rng(9);
  const TokenSet set = random_set(1, rng);
  EXPECT_EQ(agreeing_bits(label_sketch(set, 1, 2), label_sketch(set, 1, 2)), kSketchBits);
  EXPECT_EQ(labels_of(set, {64, 256, 2}, 1), labels_of(set, {64, 256, 2}, 1));
  EXPECT_NE(labels_of(set, {64, 5, 2}, 1), labels_of(set, {64, 5, 2}, 2));
}

}  // namespace
}  // namespace twinsift
