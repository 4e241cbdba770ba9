// SPDX-License-Identifier: Apache-2.0
#include "base/bits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <string_view>

#include "base/hash.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define TWINSIFT_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#endif

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

void classify_words_scalar(const char* text, std::size_t blocks, WordClasses* out) {
  for (std::size_t block = 0; block < blocks; ++block) {
    WordClasses classes;
    for (unsigned i = 0; i < 64; ++i) {
      const auto c = static_cast<unsigned char>(text[block * 64 + i]);
      const std::uint64_t bit = std::uint64_t{1} << i;
      const unsigned lower = c | 0x20U;
      if (lower >= 'a' && lower <= 'z') classes.letters |= bit;
      if (c >= '0' && c <= '9') classes.digits |= bit;
      if (c == '_') classes.extends |= bit;
      if (c == '\'' || c == '.') classes.between_any |= bit;
      if (c == ',' || c == ';') classes.between_nums |= bit;
      if (c >= 0x80U) classes.other |= bit;
    }
    out[block] = classes;
  }
}

void finish_words_scalar(std::span<const std::uint64_t> bytes, const std::uint64_t* add,
                         std::uint64_t* out) {
  for (std::size_t i = 0; i < bytes.size(); ++i) out[i] = mix64(lower_ascii(bytes[i]) + add[i]);
}

void premix_many_scalar(std::span<const std::uint64_t> ids, std::uint64_t* out) {
  for (std::size_t i = 0; i < ids.size(); ++i) out[i] = premix64(ids[i]);
}

namespace {

// Lets one element fall; remembers the bin behind the first `filled` of scratch if it was empty.
inline std::size_t fall(SketchBins bins, std::uint32_t place, std::uint64_t value,
                        std::size_t filled) {
  std::uint64_t& bin = bins.values[place];
  bins.scratch[filled] = place;
  filled += bin == kEmptyBin ? 1U : 0U;
  bin = std::min(bin, value);
  return filled;
}

// Bins stay empty to all elements of the row that fills them.
inline std::size_t end_row(SketchBins bins, std::size_t filled) {
  for (std::size_t i = 0; i < filled; ++i) bins.empty[bins.scratch[i]] = 0;
  return filled;
}

inline std::size_t fall_all(std::span<const std::uint64_t> premixed, std::uint64_t key,
                            std::uint64_t row, SketchBins bins, std::size_t filled) {
  for (const std::uint64_t x : premixed) {
    const std::uint64_t h = permute_premixed(x, key);
    const auto place = static_cast<std::uint32_t>(((h >> 32U) * bins.values.size()) >> 32U);
    filled = fall(bins, place, (row << 32U) | (h & 0xFFFFFFFFU), filled);
  }
  return filled;
}

}  // namespace

std::size_t throw_row_scalar(std::span<const std::uint64_t> premixed, std::uint64_t key,
                             std::uint64_t row, SketchBins bins) {
  return end_row(bins, fall_all(premixed, key, row, bins, 0));
}

std::uint64_t min_permuted_scalar(std::span<const std::uint64_t> premixed, std::uint64_t key) {
  std::uint64_t best = UINT64_MAX;
  for (const std::uint64_t x : premixed) best = std::min(best, permute_premixed(x, key));
  return best;
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

// Every byte's class is lo[c & 15] & hi[c >> 4]: each class is a bit, and a byte has it if both
// of its halves do.  Bytes from 0x80 on have no class, as pshufb gives 0 for them.
constexpr std::uint8_t kLetter1 = 1;        // 4x and 6x: @ excluded by its low half
constexpr std::uint8_t kLetter2 = 2;        // 5x and 7x
constexpr std::uint8_t kDigit = 4;          // 3x
constexpr std::uint8_t kBetweenNum1 = 16;   // 3B ;
constexpr std::uint8_t kExtends = 32;       // 5F
constexpr std::uint8_t kBetweenAny = 64;    // 27 2E
constexpr std::uint8_t kBetweenNum2 = 128;  // 2C ,

struct HalfTables {
  alignas(32) std::uint8_t lo[32];
  alignas(32) std::uint8_t hi[32];
};

constexpr HalfTables make_half_tables() {
  HalfTables t{};
  for (unsigned h = 0; h < 16; ++h) {
    unsigned lo = 0;
    if (h >= 1) lo |= kLetter1;
    if (h <= 0xA) lo |= kLetter2;
    if (h <= 9) lo |= kDigit;
    if (h == 0xB) lo |= kBetweenNum1;
    if (h == 0xF) lo |= kExtends;
    if (h == 7 || h == 0xE) lo |= kBetweenAny;
    if (h == 0xC) lo |= kBetweenNum2;
    unsigned hi = 0;
    if (h == 2) hi = kBetweenAny | kBetweenNum2;
    if (h == 3) hi = kDigit | kBetweenNum1;
    if (h == 4 || h == 6) hi = kLetter1;
    if (h == 5) hi = kLetter2 | kExtends;
    if (h == 7) hi = kLetter2;
    t.lo[h] = t.lo[h + 16] = static_cast<std::uint8_t>(lo);
    t.hi[h] = t.hi[h + 16] = static_cast<std::uint8_t>(hi);
  }
  return t;
}
constexpr HalfTables kHalves = make_half_tables();

TWINSIFT_AVX2 inline __m256i load(const void* p) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}

TWINSIFT_AVX2 inline std::uint64_t mask_of(__m256i low, __m256i high) {
  const auto a = static_cast<std::uint32_t>(_mm256_movemask_epi8(low));
  const auto b = static_cast<std::uint32_t>(_mm256_movemask_epi8(high));
  return a | (std::uint64_t{b} << 32U);
}

// The mask of bytes that have the class bit 1 << Bit.
template <int Bit>
TWINSIFT_AVX2 inline std::uint64_t class_mask(__m256i low, __m256i high) {
  return mask_of(_mm256_slli_epi16(low, 7 - Bit), _mm256_slli_epi16(high, 7 - Bit));
}

TWINSIFT_AVX2 inline __m256i classes_of(__m256i bytes) {
  const __m256i nibble = _mm256_set1_epi8(0x0F);
  const __m256i lo = _mm256_shuffle_epi8(load(kHalves.lo), _mm256_and_si256(bytes, nibble));
  const __m256i hi =
      _mm256_shuffle_epi8(load(kHalves.hi), _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
  return _mm256_and_si256(lo, hi);
}

TWINSIFT_AVX2 void classify_words_avx2(const char* text, std::size_t blocks, WordClasses* out) {
  for (std::size_t block = 0; block < blocks; ++block, text += 64) {
    const __m256i low = load(text);
    const __m256i high = load(text + 32);
    const __m256i a = classes_of(low);
    const __m256i b = classes_of(high);
    WordClasses& classes = out[block];
    classes.letters = class_mask<0>(a, b) | class_mask<1>(a, b);
    classes.digits = class_mask<2>(a, b);
    classes.extends = class_mask<5>(a, b);
    classes.between_any = class_mask<6>(a, b);
    classes.between_nums = class_mask<4>(a, b) | class_mask<7>(a, b);
    classes.other = mask_of(low, high);
  }
}

// The low 64 bits of a * c in each lane; AVX2 multiplies 32 x 32 only.
TWINSIFT_AVX2 inline __m256i multiply(__m256i a, std::uint64_t c) {
  const __m256i c_low = _mm256_set1_epi64x(static_cast<long long>(c & 0xFFFFFFFFU));
  const __m256i c_high = _mm256_set1_epi64x(static_cast<long long>(c >> 32U));
  const __m256i low = _mm256_mul_epu32(a, c_low);
  const __m256i cross = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), c_low),
                                         _mm256_mul_epu32(a, c_high));
  return _mm256_add_epi64(low, _mm256_slli_epi64(cross, 32));
}

TWINSIFT_AVX2 inline __m256i mix64_lanes(__m256i z) {
  z = multiply(_mm256_xor_si256(z, _mm256_srli_epi64(z, 30)), 0xBF58476D1CE4E5B9U);
  z = multiply(_mm256_xor_si256(z, _mm256_srli_epi64(z, 27)), 0x94D049BB133111EBU);
  return _mm256_xor_si256(z, _mm256_srli_epi64(z, 31));
}

TWINSIFT_AVX2 void finish_words_avx2(std::span<const std::uint64_t> bytes, const std::uint64_t* add,
                                     std::uint64_t* out) {
  const __m256i before_a = _mm256_set1_epi8('A' - 1);
  const __m256i after_z = _mm256_set1_epi8('Z' + 1);
  const __m256i bit = _mm256_set1_epi8(0x20);
  std::size_t i = 0;
  for (; i + 4 <= bytes.size(); i += 4) {
    const __m256i x = load(bytes.data() + i);
    const __m256i capital =
        _mm256_and_si256(_mm256_cmpgt_epi8(x, before_a), _mm256_cmpgt_epi8(after_z, x));
    const __m256i lower = _mm256_or_si256(x, _mm256_and_si256(capital, bit));
    const __m256i sum = _mm256_add_epi64(lower, load(add + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), mix64_lanes(sum));
  }
  finish_words_scalar(bytes.subspan(i), add + i, out + i);
}

TWINSIFT_AVX2 void premix_many_avx2(std::span<const std::uint64_t> ids, std::uint64_t* out) {
  const __m256i golden = _mm256_set1_epi64x(static_cast<long long>(kGolden));
  std::size_t i = 0;
  for (; i + 4 <= ids.size(); i += 4) {
    const __m256i x = _mm256_add_epi64(load(ids.data() + i), golden);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), mix64_lanes(x));
  }
  premix_many_scalar(ids.subspan(i), out + i);
}

// Most bins of a later row are taken by an earlier one.  So a first pass, without a branch to
// mispredict, collects the elements whose bin was empty before the row, and only those are
// looked at; in row 0 that would be all of them.
TWINSIFT_AVX2 std::size_t throw_row_avx2(std::span<const std::uint64_t> premixed, std::uint64_t key,
                                         std::uint64_t row, SketchBins bins) {
  constexpr std::size_t kBatch = 256;
  alignas(32) std::array<std::uint32_t, 2 * kBatch> hashes;  // low half first
  alignas(32) std::array<std::uint32_t, 2 * kBatch> places;  // the bin is the upper half
  std::array<std::uint16_t, kBatch + 1> hits;
  const __m256i keys = _mm256_set1_epi64x(static_cast<long long>(key));
  const __m256i k = _mm256_set1_epi64x(static_cast<long long>(bins.values.size()));
  std::size_t filled = 0;
  const std::uint8_t* const empty = bins.empty.data();
  const std::uint64_t value = row << 32U;
  while (premixed.size() >= 4) {
    const std::size_t count = std::min(kBatch, premixed.size() & ~std::size_t{3});
    for (std::size_t i = 0; i < count; i += 4) {
      const __m256i h = mix64_lanes(_mm256_xor_si256(load(premixed.data() + i), keys));
      _mm256_store_si256(reinterpret_cast<__m256i*>(hashes.data() + 2 * i), h);
      _mm256_store_si256(reinterpret_cast<__m256i*>(places.data() + 2 * i),
                         _mm256_mul_epu32(_mm256_srli_epi64(h, 32), k));
    }
    if (row == 0) {
      for (std::size_t i = 0; i < count; ++i) {
        filled = fall(bins, places[2 * i + 1], hashes[2 * i], filled);
      }
    } else {
      std::size_t found = 0;
      for (std::size_t i = 0; i < count; ++i) {
        hits[found] = static_cast<std::uint16_t>(i);
        found += empty[places[2 * i + 1]];
      }
      for (std::size_t j = 0; j < found; ++j) {
        const std::size_t i = hits[j];
        filled = fall(bins, places[2 * i + 1], value | hashes[2 * i], filled);
      }
    }
    premixed = premixed.subspan(count);
  }
  return end_row(bins, fall_all(premixed, key, row, bins, filled));
}

TWINSIFT_AVX2 std::uint64_t min_permuted_avx2(std::span<const std::uint64_t> premixed,
                                              std::uint64_t key) {
  const __m256i keys = _mm256_set1_epi64x(static_cast<long long>(key));
  // AVX2 compares signed: with the top bit flipped the order is the unsigned one.
  const __m256i flip = _mm256_set1_epi64x(INT64_MIN);
  __m256i best = _mm256_set1_epi64x(INT64_MAX);
  std::size_t i = 0;
  for (; i + 4 <= premixed.size(); i += 4) {
    const __m256i x = _mm256_xor_si256(load(premixed.data() + i), keys);
    const __m256i value = _mm256_xor_si256(mix64_lanes(x), flip);
    best = _mm256_blendv_epi8(best, value, _mm256_cmpgt_epi64(best, value));
  }
  alignas(32) std::uint64_t lanes[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), _mm256_xor_si256(best, flip));
  const std::uint64_t rest = min_permuted_scalar(premixed.subspan(i), key);
  return std::min({lanes[0], lanes[1], lanes[2], lanes[3], rest});
}

TWINSIFT_AVX2 inline std::uint32_t equal64(__m256i a0, __m256i a1, const std::uint8_t* b) {
  return static_cast<std::uint32_t>(
      std::popcount(mask_of(_mm256_cmpeq_epi8(a0, load(b)), _mm256_cmpeq_epi8(a1, load(b + 32)))));
}

TWINSIFT_AVX2 std::uint32_t count_equal_avx2(const std::uint8_t* a, const std::uint8_t* b,
                                             std::size_t n) {
  std::uint32_t equal = 0;
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) equal += equal64(load(a + i), load(a + i + 32), b + i);
  if (i + 32 <= n) {
    const __m256i same = _mm256_cmpeq_epi8(load(a + i), load(b + i));
    equal += static_cast<std::uint32_t>(
        std::popcount(static_cast<std::uint32_t>(_mm256_movemask_epi8(same))));
    i += 32;
  }
  return equal + count_equal_scalar(a + i, b + i, n - i);
}

TWINSIFT_AVX2 void count_equal_rows_avx2(const std::uint8_t* row, const std::uint8_t* rows,
                                         std::span<const std::uint32_t> ids, std::uint8_t* counts) {
  constexpr std::size_t kAhead = 8;  // rows lie anywhere in memory: ask for them early
  const __m256i a0 = load(row);
  const __m256i a1 = load(row + 32);
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
    const __m256i a0 = load(rows.data() + std::size_t{64} * r);
    const __m256i a1 = load(rows.data() + std::size_t{64} * r + 32);
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

#define TWINSIFT_DISPATCH(name, ...) \
  return simd_level() == SimdLevel::kAvx2 ? name##_avx2(__VA_ARGS__) : name##_scalar(__VA_ARGS__)
#else
#define TWINSIFT_DISPATCH(name, ...) return name##_scalar(__VA_ARGS__)
#endif

void classify_words(const char* text, std::size_t blocks, WordClasses* out) {
  TWINSIFT_DISPATCH(classify_words, text, blocks, out);
}
void finish_words(std::span<const std::uint64_t> bytes, const std::uint64_t* add,
                  std::uint64_t* out) {
  TWINSIFT_DISPATCH(finish_words, bytes, add, out);
}
void premix_many(std::span<const std::uint64_t> ids, std::uint64_t* out) {
  TWINSIFT_DISPATCH(premix_many, ids, out);
}
std::size_t throw_row(std::span<const std::uint64_t> premixed, std::uint64_t key, std::uint64_t row,
                      SketchBins bins) {
  TWINSIFT_DISPATCH(throw_row, premixed, key, row, bins);
}
std::uint64_t min_permuted(std::span<const std::uint64_t> premixed, std::uint64_t key) {
  TWINSIFT_DISPATCH(min_permuted, premixed, key);
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
