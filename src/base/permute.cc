// SPDX-License-Identifier: Apache-2.0
#include "base/permute.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/hash.h"
#include "base/simd.h"

namespace twinsift {

void premix_many_scalar(std::span<const std::uint64_t> ids, std::uint64_t* out) {
  for (std::size_t i = 0; i < ids.size(); ++i) out[i] = premix64(ids[i]);
}

namespace {

// Lets one element fall; returns 1 if its bin was empty.  No branch: which it is, is random.
inline std::size_t fall(std::span<std::uint64_t> bins, std::uint64_t place, std::uint64_t value) {
  std::uint64_t& bin = bins[place];
  const std::size_t first = bin >> 63U;
  bin = std::min(bin, value);
  return first;
}

inline std::uint64_t place_of(std::uint64_t high, std::size_t bins) { return (high * bins) >> 32U; }

inline void fall_by_product(std::span<std::uint64_t> bins, std::uint64_t h) {
  __extension__ using u128 = unsigned __int128;
  const u128 product = static_cast<u128>(h) * bins.size();
  const auto value = static_cast<std::uint64_t>(product);
  // With an odd number of bins one h in 2^64 has the value that means "empty".
  std::uint64_t& bin = bins[static_cast<std::size_t>(product >> 64U)];
  bin = std::min(bin, value - (value == kEmptyBin ? 1U : 0U));
}

}  // namespace

void throw_permuted(std::span<const std::uint64_t> permuted, std::span<std::uint64_t> bins) {
  for (const std::uint64_t h : permuted) fall_by_product(bins, h);
}

void throw_once_scalar(std::span<const std::uint64_t> ids, std::uint64_t key,
                       std::span<std::uint64_t> bins) {
  for (const std::uint64_t x : ids) fall_by_product(bins, permute64(x, key));
}

std::size_t throw_row_scalar(std::span<const std::uint64_t> premixed, std::uint64_t key,
                             std::uint64_t row, std::span<std::uint64_t> bins,
                             const EmptyCells* /*where*/) {
  std::size_t filled = 0;
  for (const std::uint64_t x : premixed) {
    const std::uint64_t h = permute_premixed(x, key);
    filled += fall(bins, place_of(h >> 32U, bins.size()), (row << 32U) | (h & 0xFFFFFFFFU));
  }
  return filled;
}

EmptyCells find_empty_scalar(std::span<const std::uint64_t> bins) {
  EmptyCells cells{.bits = {}, .shift = EmptyCells::shift_for(bins.size())};
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const std::size_t cell = i >> cells.shift;
    cells.bits[cell / 32] |= static_cast<std::uint32_t>(bins[i] >> 63U) << (cell % 32);
  }
  return cells;
}

std::uint64_t min_permuted_scalar(std::span<const std::uint64_t> premixed, std::uint64_t key) {
  std::uint64_t best = UINT64_MAX;
  for (const std::uint64_t x : premixed) best = std::min(best, permute_premixed(x, key));
  return best;
}

#if defined(__x86_64__)
namespace {

TWINSIFT_AVX2 void premix_many_avx2(std::span<const std::uint64_t> ids, std::uint64_t* out) {
  const __m256i golden = _mm256_set1_epi64x(static_cast<long long>(kGolden));
  std::size_t i = 0;
  for (; i + 4 <= ids.size(); i += 4) {
    const __m256i x = _mm256_add_epi64(load256(ids.data() + i), golden);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), mix64_lanes(x));
  }
  premix_many_scalar(ids.subspan(i), out + i);
}

// Eight elements at a time.  If it is known where bins are empty, which few are in later rows, a
// first pass without branches collects the elements that may hit one.
template <bool Filtered>
TWINSIFT_AVX2 std::size_t throw_eights(std::span<const std::uint64_t> premixed, std::uint64_t key,
                                       std::uint64_t row, std::span<std::uint64_t> bins,
                                       const EmptyCells* where) {
  constexpr std::size_t kBatch = 256;
  alignas(32) std::array<std::uint32_t, kBatch> values;
  alignas(32) std::array<std::uint32_t, kBatch> places;
  alignas(32) std::array<std::uint32_t, kBatch + 8> hits;
  const __m256i keys = _mm256_set1_epi64x(static_cast<long long>(key));
  const __m256i k = _mm256_set1_epi64x(static_cast<long long>(bins.size()));
  const __m256i bits = Filtered ? load256(where->bits.data()) : _mm256_setzero_si256();
  const __m128i shift = _mm_cvtsi32_si128(Filtered ? static_cast<int>(where->shift) : 0);
  std::size_t filled = 0;
  for (; !premixed.empty(); premixed = premixed.subspan(std::min(kBatch, premixed.size()))) {
    const std::size_t count = std::min(kBatch, premixed.size());
    std::size_t found = 0;
    __m256i first = _mm256_setzero_si256();
    for (std::size_t i = 0; i < count; i += 8) {
      const __m256i a = mix64_lanes(_mm256_xor_si256(load256(premixed.data() + i), keys));
      const __m256i b = mix64_lanes(_mm256_xor_si256(load256(premixed.data() + i + 4), keys));
      const __m256i place_a = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), k);
      const __m256i place_b = _mm256_mul_epu32(_mm256_srli_epi64(b, 32), k);
      // The low halves are values, the high halves of the products places.
      const __m256i value = _mm256_castps_si256(
          _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88));
      const __m256i place = _mm256_castps_si256(
          _mm256_shuffle_ps(_mm256_castsi256_ps(place_a), _mm256_castsi256_ps(place_b), 0xDD));
      store256(values.data() + i, value);
      store256(places.data() + i, place);
      if (!Filtered) continue;
      const __m256i cell = _mm256_srl_epi32(place, shift);
      const __m256i word = _mm256_permutevar8x32_epi32(bits, _mm256_srli_epi32(cell, 5));
      const __m256i empty =
          _mm256_sllv_epi32(word, _mm256_andnot_si256(cell, _mm256_set1_epi32(31)));
      const auto mask = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(empty)));
      store256(hits.data() + found, _mm256_add_epi32(first, bits_of_byte(mask)));
      found += static_cast<std::size_t>(std::popcount(mask));
      first = _mm256_add_epi32(first, _mm256_set1_epi32(8));
    }
    for (std::size_t j = 0; j < (Filtered ? found : count); ++j) {
      const std::size_t i = Filtered ? hits[j] : j;
      filled += fall(bins, places[i], (row << 32U) | values[i]);
    }
  }
  return filled;
}

TWINSIFT_AVX2 std::size_t throw_row_avx2(std::span<const std::uint64_t> premixed, std::uint64_t key,
                                         std::uint64_t row, std::span<std::uint64_t> bins,
                                         const EmptyCells* where) {
  const auto eights = premixed.first(premixed.size() & ~std::size_t{7});
  const std::size_t filled = where != nullptr ? throw_eights<true>(eights, key, row, bins, where)
                                              : throw_eights<false>(eights, key, row, bins, where);
  return filled + throw_row_scalar(premixed.subspan(eights.size()), key, row, bins, where);
}

// Sixteen elements are hashed before they fall, so that the falls of one batch hide behind the
// hashes of the next.
TWINSIFT_AVX2 void throw_once_avx2(std::span<const std::uint64_t> ids, std::uint64_t key,
                                   std::span<std::uint64_t> bins) {
  constexpr std::size_t kBatch = 16;
  alignas(32) std::array<std::uint64_t, kBatch> values;
  alignas(32) std::array<std::uint64_t, kBatch> places;
  const __m256i golden = _mm256_set1_epi64x(static_cast<long long>(kGolden));
  const __m256i keys = _mm256_set1_epi64x(static_cast<long long>(key));
  const __m256i k = _mm256_set1_epi64x(static_cast<long long>(bins.size()));
  const __m256i empty = _mm256_set1_epi64x(-1);
  std::size_t i = 0;
  for (; i + kBatch <= ids.size(); i += kBatch) {
    for (std::size_t j = 0; j < kBatch; j += 4) {
      const __m256i x = mix64_lanes(_mm256_add_epi64(load256(ids.data() + i + j), golden));
      const __m256i h = mix64_lanes(_mm256_xor_si256(x, keys));
      // h k = (upper << 32) + the low half of lower, and neither product exceeds 2^49.
      const __m256i lower = _mm256_mul_epu32(h, k);
      const __m256i upper = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(h, 32), k),
                                             _mm256_srli_epi64(lower, 32));
      const __m256i value = _mm256_blend_epi32(lower, _mm256_slli_epi64(upper, 32), 0xAA);
      store256(values.data() + j, _mm256_add_epi64(value, _mm256_cmpeq_epi64(value, empty)));
      store256(places.data() + j, _mm256_srli_epi64(upper, 32));
    }
    for (std::size_t j = 0; j < kBatch; ++j) {
      std::uint64_t& bin = bins[places[j]];
      bin = std::min(bin, values[j]);
    }
  }
  throw_once_scalar(ids.subspan(i), key, bins);
}

// Four bins at a time: four cells, or a part of one.
TWINSIFT_AVX2 EmptyCells find_empty_avx2(std::span<const std::uint64_t> bins) {
  const unsigned shift = EmptyCells::shift_for(bins.size());
  if (bins.size() % 32 != 0 || shift == 1) return find_empty_scalar(bins);
  EmptyCells cells{.bits = {}, .shift = shift};
  const std::size_t step = std::size_t{1} << shift;
  for (std::size_t word = 0, i = 0; i < bins.size(); ++word) {
    std::uint32_t bits = 0;
    for (unsigned bit = 0; bit < 32 && i < bins.size();) {
      __m256i any = load256(bins.data() + i);
      if (shift == 0) {
        bits |= static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(any))) << bit;
        bit += 4;
        i += 4;
        continue;
      }
      for (std::size_t j = 4; j < step; j += 4) {
        any = _mm256_or_si256(any, load256(bins.data() + i + j));
      }
      const int empty = _mm256_movemask_pd(_mm256_castsi256_pd(any));
      bits |= (empty != 0 ? 1U : 0U) << bit;
      ++bit;
      i += step;
    }
    cells.bits[word] = bits;
  }
  return cells;
}

TWINSIFT_AVX2 std::uint64_t min_permuted_avx2(std::span<const std::uint64_t> premixed,
                                              std::uint64_t key) {
  const __m256i keys = _mm256_set1_epi64x(static_cast<long long>(key));
  // AVX2 compares signed: with the top bit flipped the order is the unsigned one.
  const __m256i flip = _mm256_set1_epi64x(INT64_MIN);
  __m256i best = _mm256_set1_epi64x(INT64_MAX);
  std::size_t i = 0;
  for (; i + 4 <= premixed.size(); i += 4) {
    const __m256i x = _mm256_xor_si256(load256(premixed.data() + i), keys);
    const __m256i value = _mm256_xor_si256(mix64_lanes(x), flip);
    best = _mm256_blendv_epi8(best, value, _mm256_cmpgt_epi64(best, value));
  }
  alignas(32) std::uint64_t lanes[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), _mm256_xor_si256(best, flip));
  const std::uint64_t rest = min_permuted_scalar(premixed.subspan(i), key);
  return std::min({lanes[0], lanes[1], lanes[2], lanes[3], rest});
}

}  // namespace
#endif

void premix_many(std::span<const std::uint64_t> ids, std::uint64_t* out) {
  TWINSIFT_DISPATCH(premix_many, ids, out);
}
std::size_t throw_row(std::span<const std::uint64_t> premixed, std::uint64_t key, std::uint64_t row,
                      std::span<std::uint64_t> bins, const EmptyCells* where) {
  TWINSIFT_DISPATCH(throw_row, premixed, key, row, bins, where);
}
void throw_once(std::span<const std::uint64_t> ids, std::uint64_t key,
                std::span<std::uint64_t> bins) {
  TWINSIFT_DISPATCH(throw_once, ids, key, bins);
}
EmptyCells find_empty(std::span<const std::uint64_t> bins) { TWINSIFT_DISPATCH(find_empty, bins); }
std::uint64_t min_permuted(std::span<const std::uint64_t> premixed, std::uint64_t key) {
  TWINSIFT_DISPATCH(min_permuted, premixed, key);
}

}  // namespace twinsift
