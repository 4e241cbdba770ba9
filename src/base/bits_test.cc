// SPDX-License-Identifier: Apache-2.0
#include "base/bits.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/random.h"

namespace twinsift {
namespace {

std::vector<std::uint64_t> random_words(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::uint64_t> words(n);
  for (auto& w : words) w = rng.next();
  return words;
}

std::vector<std::uint8_t> random_codes(std::size_t n, unsigned values, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::uint8_t> codes(n);
  for (auto& c : codes) c = static_cast<std::uint8_t>(rng.below(values));
  return codes;
}

// GOLDEN: the mixer, its keys, permutations and generator.
TEST(Hash, GoldenValues) {
  EXPECT_EQ(mix64(1), 0x5692161d100b05e5U);
  EXPECT_EQ(mix64(~std::uint64_t{0}), 0xb4d055fcf2cbbd7bU);
  EXPECT_EQ(seed_key(42, 0), 0xbdd732262feb6e95U);
  EXPECT_EQ(seed_key(42, 1), 0x28efe333b266f103U);
  const std::uint64_t key = seed_key(42, 0);
  EXPECT_EQ(permute64(0, key), 0x05054191edd97663U);
  EXPECT_EQ(permute64(1, key), 0x98e89d2297cbb069U);
  EXPECT_EQ(permute64(12345, key), 0xe683e535008ea410U);
  Rng rng(42);
  EXPECT_DOUBLE_EQ(Rng(42).uniform(), 0.74156487877182342);
  EXPECT_EQ(rng.next(), 0xbdd732262feb6e95U);
  EXPECT_EQ(rng.next(), 0x28efe333b266f103U);
  EXPECT_EQ(rng.next(), 0x47526757130f9f52U);
}

TEST(Hash, PermutationIsInjectiveOnConsecutiveIds) {
  const std::uint64_t key = seed_key(7, 0);
  std::vector<std::uint64_t> images(1'000'000);
  for (std::uint64_t i = 0; i < images.size(); ++i) images[i] = permute64(i, key);
  std::ranges::sort(images);
  EXPECT_EQ(std::ranges::adjacent_find(images), images.end());
}

// 1024 bins, 2^20 consecutive ids: chi-square has 1023 degrees of freedom, sd sqrt(2 * 1023).
TEST(Hash, BinsOfConsecutiveIdsAreUniform) {
  std::vector<double> bins(1024);
  const std::uint64_t key = seed_key(3, 0);
  for (std::uint64_t i = 0; i < (1U << 20U); ++i) bins[scale_to(permute64(i, key), 1024)] += 1;
  double chi = 0;
  for (const double n : bins) chi += (n - 1024) * (n - 1024) / 1024;
  EXPECT_NEAR(chi, 1023, 4 * 45.2);
}

TEST(Bits, ClassifyAgreesWithScalarOnEveryByteAndPlace) {
  std::string text(64 * 4, ' ');
  for (unsigned c = 0; c < 256; ++c) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      text[i] = static_cast<char>((c + i * 37) & 0xFFU);
    }
    std::array<WordClasses, 4> fast;
    std::array<WordClasses, 4> slow;
    classify_words(text.data(), 4, fast.data());
    classify_words_scalar(text.data(), 4, slow.data());
    ASSERT_EQ(fast, slow) << "start byte " << c;
  }
}

TEST(Bits, LowerAsciiFoldsCapitalsOnly) {
  for (unsigned c = 0; c < 256; ++c) {
    const std::uint64_t expected = c >= 'A' && c <= 'Z' ? c | 0x20U : c;
    for (const unsigned shift : {0U, 24U, 56U}) {
      const std::uint64_t around = 0xFF00FF00FF00FF00U & ~(std::uint64_t{0xFF} << shift);
      ASSERT_EQ(lower_ascii(around | (std::uint64_t{c} << shift)), around | (expected << shift));
    }
  }
}

TEST(Bits, PermutationsAgreeWithScalarForEveryLength) {
  for (std::size_t n = 1; n < 40; ++n) {
    const auto words = random_words(n, n);
    std::vector<std::uint64_t> fast(n);
    std::vector<std::uint64_t> slow(n);
    std::vector<std::uint64_t> text(n);
    for (std::size_t i = 0; i < n; ++i) text[i] = words[i] & (~std::uint64_t{0} >> (8 * (i % 8)));
    finish_words(text, words.data(), fast.data());
    finish_words_scalar(text, words.data(), slow.data());
    ASSERT_EQ(fast, slow);
    premix_many(words, fast.data());
    premix_many_scalar(words, slow.data());
    ASSERT_EQ(fast, slow);
    ASSERT_EQ(min_permuted(words, 99), min_permuted_scalar(words, 99));
    for (const std::uint64_t row : {0U, 3U, 70000U}) {
      std::vector<std::uint64_t> fast_bins(13, kEmptyBin);
      std::vector<std::uint8_t> fast_empty(13, 1);
      std::vector<std::uint32_t> scratch(14);
      fast_bins[5] = 17;
      fast_empty[5] = 0;
      std::vector<std::uint64_t> slow_bins = fast_bins;
      std::vector<std::uint8_t> slow_empty = fast_empty;
      ASSERT_EQ(throw_row(words, 99, row, {fast_bins, fast_empty, scratch}),
                throw_row_scalar(words, 99, row, {slow_bins, slow_empty, scratch}));
      ASSERT_EQ(fast_bins, slow_bins);
      ASSERT_EQ(fast_empty, slow_empty);
    }
  }
}

TEST(Bits, CountsAgreeWithScalarForEveryLength) {
  for (std::size_t n = 0; n < 300; ++n) {
    const auto a = random_codes(n, 3, n);
    const auto b = random_codes(n, 3, n + 1000);
    ASSERT_EQ(count_equal(a.data(), b.data(), n), count_equal_scalar(a.data(), b.data(), n));
  }
}

TEST(Bits, RowsAndTilesAgreeWithScalar) {
  const auto rows = random_codes(64 * 100, 4, 1);
  const auto queries = random_codes(64 * 17, 4, 2);
  std::vector<std::uint32_t> ids;
  for (std::uint32_t i = 0; i < 250; ++i) ids.push_back((i * 7) % 100);
  std::vector<std::uint8_t> fast(ids.size());
  std::vector<std::uint8_t> slow(ids.size());
  count_equal_rows(queries.data(), rows.data(), ids, fast.data());
  count_equal_rows_scalar(queries.data(), rows.data(), ids, slow.data());
  EXPECT_EQ(fast, slow);

  std::vector<RowPair> hits(100 * 17 + 1);
  std::vector<RowPair> expected(100 * 17 + 1);
  for (const int reject : {-1, 14, 16, 20, 64}) {
    const std::size_t n = match_tile(queries, rows, reject, hits.data());
    const std::size_t m = match_tile_scalar(queries, rows, reject, expected.data());
    ASSERT_EQ(n, m);
    ASSERT_TRUE(
        std::equal(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(n), expected.begin()));
  }
}

}  // namespace
}  // namespace twinsift
