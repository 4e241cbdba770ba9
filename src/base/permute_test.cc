// SPDX-License-Identifier: Apache-2.0
#include "base/permute.h"

#include <algorithm>
#include <bit>
#include <vector>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/random.h"
#include "base/unmix.h"

namespace twinsift {
namespace {

std::vector<std::uint64_t> random_words(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::uint64_t> words(n);
  for (auto& w : words) w = rng.next();
  return words;
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

// The largest and the smallest number that the generator can draw are inside (0, 1).
TEST(Hash, UniformNumbersAreNeverAnEndPoint) {
  for (const std::uint64_t drawn : {std::uint64_t{0}, UINT64_MAX, UINT64_MAX - (1U << 11U)}) {
    Rng rng(unmix64(drawn) - kGolden);
    ASSERT_EQ(Rng(rng).next(), drawn);
    const double u = rng.uniform();
    EXPECT_GT(u, 0);
    EXPECT_LT(u, 1);
  }
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

TEST(Permute, AgreesWithScalarForEveryLength) {
  for (std::size_t n = 1; n < 40; ++n) {
    const auto words = random_words(n, n);
    std::vector<std::uint64_t> fast(n);
    std::vector<std::uint64_t> slow(n);
    premix_many(words, fast.data());
    premix_many_scalar(words, slow.data());
    ASSERT_EQ(fast, slow);
    ASSERT_EQ(min_permuted(words, 99), min_permuted_scalar(words, 99));
  }
}

// Rows one after the other, with the knowledge of an earlier row or of none.
TEST(Permute, RowsAgreeWithScalarForEveryLength) {
  for (const std::size_t k : {1U, 13U, 128U, 256U, 257U, 300U, 512U, 1024U, 4096U, 65536U}) {
    for (const std::size_t n : {1U, 7U, 8U, 39U, 255U, 257U, 600U}) {
      const auto words = random_words(n, n + k);
      std::vector<std::uint64_t> fast(k, kEmptyBin);
      std::vector<std::uint64_t> slow(k, kEmptyBin);
      EmptyCells old{.bits = {}, .shift = EmptyCells::shift_for(k)};
      old.bits.fill(UINT32_MAX);
      for (const std::uint64_t row : {0U, 1U, 2U, 3U, 70000U}) {
        const EmptyCells now = find_empty(fast);
        ASSERT_EQ(now.bits, find_empty_scalar(fast).bits);
        ASSERT_EQ(now.shift, find_empty_scalar(fast).shift);
        const EmptyCells* known = row % 2 == 0 ? &old : &now;
        ASSERT_EQ(throw_row(words, 99 + row, row, fast, row == 1 ? nullptr : known),
                  throw_row_scalar(words, 99 + row, row, slow, nullptr));
        ASSERT_EQ(fast, slow) << k << " bins, " << n << " elements, row " << row;
        old = now;
      }
    }
  }
}

TEST(Permute, BinsAgreeWithScalarForEveryLength) {
  for (const std::size_t k : {1U, 3U, 64U, 1000U, 65535U, 65536U}) {
    for (std::size_t n = 0; n < 70; n += n < 35 ? 1 : 5) {
      const auto words = random_words(n, n + k);
      std::vector<std::uint64_t> permuted(n);
      std::ranges::transform(words, permuted.begin(), [](auto x) { return permute64(x, 99); });
      std::vector<std::uint64_t> fast(k, kEmptyBin);
      std::vector<std::uint64_t> slow(k, kEmptyBin);
      std::vector<std::uint64_t> separate(k, kEmptyBin);
      throw_once(words, 99, fast);
      throw_once_scalar(words, 99, slow);
      throw_permuted(permuted, separate);
      ASSERT_EQ(fast, slow) << k << " bins, " << n << " elements";
      ASSERT_EQ(separate, slow);
    }
  }
}

// The one id whose value would be kEmptyBin fills its bin like any other: an attacker can compute
// it, and a sketch without a single full bin would never end to be densified.
TEST(Permute, NoIdLooksLikeAnEmptyBin) {
  const std::uint64_t key = seed_key(0, 0);
  for (const std::uint64_t k : {1U, 3U, 255U, 65535U}) {
    const std::uint64_t h = std::uint64_t{0} - inverse(k);  // h k = -1 modulo 2^64
    const std::uint64_t id = unpermute64(h, key);
    ASSERT_EQ(permute64(id, key) * k, kEmptyBin);
    const std::vector<std::uint64_t> ids(40, id);
    std::vector<std::uint64_t> fast(k, kEmptyBin);
    std::vector<std::uint64_t> slow(k, kEmptyBin);
    throw_once(ids, key, fast);
    throw_once_scalar(ids, key, slow);
    EXPECT_EQ(std::ranges::count(slow, kEmptyBin - 1), 1);
    EXPECT_EQ(fast, slow);
  }
}

TEST(Permute, EmptyCellsCoverAllBins) {
  for (const std::size_t k : {1U, 2U, 255U, 256U, 257U, 512U, 513U, 1024U, 65536U}) {
    ASSERT_LE((k - 1) >> EmptyCells::shift_for(k), 255U);
    std::vector<std::uint64_t> bins(k, 0);
    for (const std::size_t bin : {std::size_t{0}, k / 2, k - 1}) {
      bins[bin] = kEmptyBin;
      const EmptyCells cells = find_empty(bins);
      const std::size_t cell = bin >> cells.shift;
      EXPECT_EQ(cells.bits[cell / 32] >> (cell % 32) & 1U, 1U) << bin << " of " << k;
      std::size_t set = 0;
      for (const std::uint32_t word : cells.bits) {
        set += static_cast<std::size_t>(std::popcount(word));
      }
      EXPECT_EQ(set, 1U);
      bins[bin] = 0;
    }
  }
}

}  // namespace
}  // namespace twinsift
