// SPDX-License-Identifier: Apache-2.0
#include "base/bits.h"

#include <bit>
#include <cstdlib>
#include <string_view>

#include "base/simd.h"

namespace twinsift {

SimdLevel simd_level() {
  static const SimdLevel level = [] {
    const char* wish = std::getenv("TWINSIFT_SIMD");  // NOLINT(concurrency-mt-unsafe)
    if (wish != nullptr && std::string_view(wish) == "scalar") return SimdLevel::kScalar;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0) {
      return SimdLevel::kAvx2;
    }
#endif
    return SimdLevel::kScalar;
  }();
  return level;
}

std::size_t bit_positions_scalar(std::span<const std::uint64_t> masks, std::uint32_t first,
                                 std::uint32_t* out) {
  std::uint32_t* const begin = out;
  for (std::uint64_t mask : masks) {
    for (; mask != 0; mask &= mask - 1) {
      *out++ = first + static_cast<std::uint32_t>(std::countr_zero(mask));
    }
    first += 64;
  }
  return static_cast<std::size_t>(out - begin);
}

std::uint32_t count_equal_scalar(const std::uint8_t* a, const std::uint8_t* b, std::size_t n) {
  std::uint32_t equal = 0;
  for (std::size_t i = 0; i < n; ++i) equal += a[i] == b[i] ? 1U : 0U;
  return equal;
}

void count_equal_rows_scalar(const std::uint8_t* row, const std::uint8_t* rows,
                             std::span<const std::uint32_t> ids, std::uint8_t* counts) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    counts[i] =
        static_cast<std::uint8_t>(count_equal_scalar(row, rows + std::size_t{64} * ids[i], 64));
  }
}

std::size_t match_tile_scalar(std::span<const std::uint8_t> queries,
                              std::span<const std::uint8_t> rows, std::int32_t reject,
                              RowPair* hits) {
  std::size_t found = 0;
  for (std::uint32_t r = 0; r < rows.size() / 64; ++r) {
    for (std::uint32_t q = 0; q < queries.size() / 64; ++q) {
      const auto equal = static_cast<std::int32_t>(count_equal_scalar(
          queries.data() + std::size_t{64} * q, rows.data() + std::size_t{64} * r, 64));
      if (equal > reject) hits[found++] = {q, r};
    }
  }
  return found;
}

#if defined(__x86_64__)
namespace {

// A byte at a time, by table: always eight stores, of which the next byte overwrites those that
// are too many.  A loop over the bits would mispredict its end for nearly every mask.
TWINSIFT_AVX2 std::size_t bit_positions_avx2(std::span<const std::uint64_t> masks,
                                             std::uint32_t first, std::uint32_t* out) {
  std::uint32_t* const begin = out;
  const __m256i eight = _mm256_set1_epi32(8);
  __m256i base = _mm256_set1_epi32(static_cast<int>(first));
  for (std::uint64_t mask : masks) {
    for (int i = 0; i < 8; ++i, mask >>= 8U) {
      const std::uint64_t byte = mask & 0xFFU;
      store256(out, _mm256_add_epi32(base, bits_of_byte(byte)));
      base = _mm256_add_epi32(base, eight);
      out += std::popcount(byte);
    }
  }
  return static_cast<std::size_t>(out - begin);
}

TWINSIFT_AVX2 inline std::uint32_t equal64(__m256i a0, __m256i a1, const std::uint8_t* b) {
  return static_cast<std::uint32_t>(std::popcount(
      byte_mask(_mm256_cmpeq_epi8(a0, load256(b)), _mm256_cmpeq_epi8(a1, load256(b + 32)))));
}

TWINSIFT_AVX2 std::uint32_t count_equal_avx2(const std::uint8_t* a, const std::uint8_t* b,
                                             std::size_t n) {
  std::uint32_t equal = 0;
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) equal += equal64(load256(a + i), load256(a + i + 32), b + i);
  if (i + 32 <= n) {
    const __m256i same = _mm256_cmpeq_epi8(load256(a + i), load256(b + i));
    equal += static_cast<std::uint32_t>(
        std::popcount(static_cast<std::uint32_t>(_mm256_movemask_epi8(same))));
    i += 32;
  }
  return equal + count_equal_scalar(a + i, b + i, n - i);
}

TWINSIFT_AVX2 void count_equal_rows_avx2(const std::uint8_t* row, const std::uint8_t* rows,
                                         std::span<const std::uint32_t> ids, std::uint8_t* counts) {
  constexpr std::size_t kAhead = 8;  // rows lie anywhere in memory: ask for them early
  const __m256i a0 = load256(row);
  const __m256i a1 = load256(row + 32);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) __builtin_prefetch(rows + std::size_t{64} * ids[i + kAhead]);
    counts[i] = static_cast<std::uint8_t>(equal64(a0, a1, rows + std::size_t{64} * ids[i]));
  }
}

TWINSIFT_AVX2 std::size_t match_tile_avx2(std::span<const std::uint8_t> queries,
                                          std::span<const std::uint8_t> rows, std::int32_t reject,
                                          RowPair* hits) {
  std::size_t found = 0;
  const auto query_count = static_cast<std::uint32_t>(queries.size() / 64);
  for (std::uint32_t r = 0; r < rows.size() / 64; ++r) {
    const __m256i a0 = load256(rows.data() + std::size_t{64} * r);
    const __m256i a1 = load256(rows.data() + std::size_t{64} * r + 32);
    for (std::uint32_t q = 0; q < query_count; ++q) {
      const auto equal =
          static_cast<std::int32_t>(equal64(a0, a1, queries.data() + std::size_t{64} * q));
      hits[found] = {q, r};  // written always, kept only on a hit: no branch to mispredict
      found += equal > reject ? 1U : 0U;
    }
  }
  return found;
}

}  // namespace
#endif

std::size_t bit_positions(std::span<const std::uint64_t> masks, std::uint32_t first,
                          std::uint32_t* out) {
  TWINSIFT_DISPATCH(bit_positions, masks, first, out);
}
std::uint32_t count_equal(const std::uint8_t* a, const std::uint8_t* b, std::size_t n) {
  TWINSIFT_DISPATCH(count_equal, a, b, n);
}
void count_equal_rows(const std::uint8_t* row, const std::uint8_t* rows,
                      std::span<const std::uint32_t> ids, std::uint8_t* counts) {
  TWINSIFT_DISPATCH(count_equal_rows, row, rows, ids, counts);
}
std::size_t match_tile(std::span<const std::uint8_t> queries, std::span<const std::uint8_t> rows,
                       std::int32_t reject, RowPair* hits) {
  TWINSIFT_DISPATCH(match_tile, queries, rows, reject, hits);
}

}  // namespace twinsift
