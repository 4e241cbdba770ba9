// SPDX-License-Identifier: Apache-2.0
#include "base/bits.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

std::vector<std::uint8_t> random_codes(std::size_t n, unsigned values, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::uint8_t> codes(n);
  for (auto& c : codes) c = static_cast<std::uint8_t>(rng.below(values));
  return codes;
}

// Every byte at every place, masks of all densities, and positions up to the end of 32 bits.
TEST(Bits, PositionsAgreeWithScalar) {
  Rng rng(5);
  std::vector<std::uint64_t> masks;
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    for (unsigned i = 0; i < 8; ++i) masks.push_back(byte << (8 * i));
    masks.push_back(rng.next());
    masks.push_back(rng.next() & rng.next() & rng.next());
    masks.push_back(rng.next() | rng.next() | rng.next());
  }
  masks.push_back(~std::uint64_t{0});
  std::vector<std::uint32_t> fast(masks.size() * 64 + 8);
  std::vector<std::uint32_t> slow(masks.size() * 64 + 8);
  for (const std::uint32_t first : {0U, 7U, 0xFFFFFFFFU - 64 * 3000U}) {
    const std::size_t n = bit_positions(masks, first, fast.data());
    ASSERT_EQ(n, bit_positions_scalar(masks, first, slow.data()));
    ASSERT_TRUE(
        std::equal(fast.begin(), fast.begin() + static_cast<std::ptrdiff_t>(n), slow.begin()));
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
