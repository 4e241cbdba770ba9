// SPDX-License-Identifier: Apache-2.0
#include "base/bit_code.h"

#include <bit>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

std::vector<std::uint64_t> random_words(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::uint64_t> words(n);
  for (auto& word : words) word = rng.next();
  return words;
}

// GOLDEN
TEST(BitCode, CountsTheBitsThatDiffer) {
  const std::vector<std::uint64_t> zero(4);
  std::vector<std::uint64_t> other(4);
  EXPECT_EQ(hamming_distance(zero, other), 0U);
  other[3] = 0x8000000000000001U;
  EXPECT_EQ(hamming_distance(zero, other), 2U);
  other.assign(4, ~std::uint64_t{0});
  EXPECT_EQ(hamming_distance(zero, other), 256U);
}

TEST(BitCode, RowsAndRangesAgreeWithScalarForEveryLength) {
  for (std::size_t words = 1; words <= 9; ++words) {
    const auto rows = random_words(words * 200, words);
    const auto code = random_words(words, 99);
    std::vector<std::uint32_t> ids;
    for (std::uint32_t i = 0; i < 300; ++i) ids.push_back(i * 7 % 200);
    for (const std::size_t n : {0UL, 1UL, 15UL, 300UL}) {
      const auto radius = static_cast<std::uint32_t>(words * 32);
      const std::span<const std::uint32_t> some = std::span(ids).first(n);
      std::vector<NearRow> fast(n);
      std::vector<NearRow> slow(n);
      fast.resize(near_rows(code, rows.data(), some, radius, fast.data()));
      slow.resize(near_rows_scalar(code, rows.data(), some, radius, slow.data()));
      EXPECT_EQ(fast, slow);
      const auto count = static_cast<std::uint32_t>(n / 2);
      fast.resize(200);
      slow.resize(200);
      fast.resize(near_range(code, rows.data(), 7, count, radius, fast.data()));
      slow.resize(near_range_scalar(code, rows.data(), 7, count, radius, slow.data()));
      EXPECT_EQ(fast, slow);
    }
    const std::span<const std::uint64_t> row(rows.data(), words);
    EXPECT_EQ(hamming_distance(code, row), hamming_distance_scalar(code, row));
  }
}

TEST(BitCode, SelectedBitsAgreeWithScalarAndStandInOrder) {
  Rng rng(3);
  for (int trial = 0; trial < 500; ++trial) {
    const auto code = random_words(4, rng.next());
    std::vector<std::uint64_t> masks(4);
    for (std::uint32_t bits = rng.below(65); bits > 0; --bits) {
      masks[rng.below(4)] |= std::uint64_t{1} << rng.below(64);
    }
    EXPECT_EQ(select_bits(code, masks), select_bits_scalar(code, masks));
  }
  const std::vector<std::uint64_t> code = {0b1010, ~std::uint64_t{0}};
  EXPECT_EQ(select_bits(code, std::vector<std::uint64_t>{0b1110, 1}), 0b1101U);
  EXPECT_EQ(select_bits(code, std::vector<std::uint64_t>{0, ~std::uint64_t{0}}), ~std::uint64_t{0});
}

}  // namespace
}  // namespace twinsift
