// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/hash.h"
#include "base/simd.h"

namespace twinsift {

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
    }
    out[block] = classes;
  }
}

namespace {

std::uint64_t load8(const char* p) {
  std::uint64_t x = 0;
  std::memcpy(&x, p, 8);
  return x;
}

// The last n = 1..8 bytes of a word, zero-filled.  Reading 8 and masking is quickest, but only
// where 8 may be read.
inline std::uint64_t load_tail(const char* p, std::size_t n, const char* limit) {
  if (limit - p >= 8) [[likely]]
    return load8(p) & (~std::uint64_t{0} >> (64 - 8 * n));
  std::uint64_t x = 0;
  for (std::size_t i = 0; i < n; ++i) {
    x |= std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
  }
  return x;
}

// The steps from h on, for the n > 0 bytes of a word from p on.
inline std::uint64_t hash_rest(const char* p, std::size_t n, const char* limit, std::uint64_t h) {
  for (; n > 8; n -= 8, p += 8) h = mix64(lower_ascii(load8(p)) + h);
  return mix64(lower_ascii(load_tail(p, n, limit)) + h);
}

}  // namespace

std::uint64_t hash_ascii_word(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t n = end - begin;
  return hash_rest(text.data() + begin, n, text.data() + text.size(), kGolden * n);
}

void hash_ascii_words_scalar(std::string_view text, std::span<const std::uint32_t> edges,
                             std::uint64_t* out) {
  for (std::size_t i = 0; i + 2 <= edges.size(); i += 2) {
    *out++ = hash_ascii_word(text, edges[i], edges[i + 1]);
  }
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

// The mask of bytes that have the class bit 1 << Bit.
template <int Bit>
TWINSIFT_AVX2 inline std::uint64_t class_mask(__m256i low, __m256i high) {
  return byte_mask(_mm256_slli_epi16(low, 7 - Bit), _mm256_slli_epi16(high, 7 - Bit));
}

TWINSIFT_AVX2 inline __m256i classes_of(__m256i bytes) {
  const __m256i nibble = _mm256_set1_epi8(0x0F);
  const __m256i lo = _mm256_shuffle_epi8(load256(kHalves.lo), _mm256_and_si256(bytes, nibble));
  const __m256i hi = _mm256_shuffle_epi8(load256(kHalves.hi),
                                         _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
  return _mm256_and_si256(lo, hi);
}

TWINSIFT_AVX2 void classify_words_avx2(const char* text, std::size_t blocks, WordClasses* out) {
  for (std::size_t block = 0; block < blocks; ++block, text += 64) {
    const __m256i low = load256(text);
    const __m256i high = load256(text + 32);
    const __m256i a = classes_of(low);
    const __m256i b = classes_of(high);
    WordClasses& classes = out[block];
    classes.letters = class_mask<0>(a, b) | class_mask<1>(a, b);
    classes.digits = class_mask<2>(a, b);
    classes.extends = class_mask<5>(a, b);
    classes.between_any = class_mask<6>(a, b);
    classes.between_nums = class_mask<4>(a, b) | class_mask<7>(a, b);
  }
}

// out[i] = mix64(lower_ascii(bytes[i]) + add[i]).  Requires: room for a multiple of four.
TWINSIFT_AVX2 inline void hash_step(const std::uint64_t* bytes, const std::uint64_t* add,
                                    std::size_t count, std::uint64_t* out) {
  const __m256i before_a = _mm256_set1_epi8('A' - 1);
  const __m256i after_z = _mm256_set1_epi8('Z' + 1);
  const __m256i bit = _mm256_set1_epi8(0x20);
  for (std::size_t i = 0; i < count; i += 4) {
    const __m256i x = load256(bytes + i);
    const __m256i capital =
        _mm256_and_si256(_mm256_cmpgt_epi8(x, before_a), _mm256_cmpgt_epi8(after_z, x));
    const __m256i lower = _mm256_or_si256(x, _mm256_and_si256(capital, bit));
    store256(out + i, mix64_lanes(_mm256_add_epi64(lower, load256(add + i))));
  }
}

// The first step of all words at once, without a branch; then the others of longer words.
TWINSIFT_AVX2 void hash_ascii_words_avx2(std::string_view text,
                                         std::span<const std::uint32_t> edges, std::uint64_t* out) {
  constexpr std::size_t kBatch = 256;
  std::array<std::uint64_t, kBatch> bytes;
  std::array<std::uint64_t, kBatch> sums;
  std::array<std::uint32_t, kBatch + 1> longer;
  const char* const limit = text.data() + text.size();
  std::size_t words = edges.size() / 2;
  while (words > 0 && edges[2 * words - 2] + 8 > text.size()) --words;  // 8 bytes can be read
  for (std::size_t begin = 0; begin < words; begin += kBatch) {
    const std::uint32_t* const edge = edges.data() + 2 * begin;
    const std::size_t count = std::min(kBatch, words - begin);
    std::size_t longer_count = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t length = edge[2 * i + 1] - edge[2 * i];
      bytes[i] = _bzhi_u64(load8(text.data() + edge[2 * i]), 8 * std::min(length, 8U));
      sums[i] = kGolden * length;
      longer[longer_count] = i;
      longer_count += length > 8 ? 1U : 0U;
    }
    hash_step(bytes.data(), sums.data(), count, out + begin);
    for (std::size_t j = 0; j < longer_count; ++j) {
      const std::uint32_t i = longer[j];
      const std::uint32_t from = edge[2 * i] + 8;
      std::uint64_t& hash = out[begin + i];
      hash = hash_rest(text.data() + from, edge[2 * i + 1] - from, limit, hash);
    }
  }
  hash_ascii_words_scalar(text, edges.subspan(2 * words), out + words);
}

}  // namespace
#endif

void classify_words(const char* text, std::size_t blocks, WordClasses* out) {
  TWINSIFT_DISPATCH(classify_words, text, blocks, out);
}
void hash_ascii_words(std::string_view text, std::span<const std::uint32_t> edges,
                      std::uint64_t* out) {
  TWINSIFT_DISPATCH(hash_ascii_words, text, edges, out);
}

}  // namespace twinsift
