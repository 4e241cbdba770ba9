// SPDX-License-Identifier: Apache-2.0
// The loops that are worth SIMD: each is a plain function that picks the best version for this
// processor once, and each has its scalar reference beside it, which the tests hold it to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace twinsift {

enum class SimdLevel : std::uint8_t { kScalar, kAvx2 };

// What this processor offers; decided once.  TWINSIFT_SIMD=scalar in the environment switches
// SIMD off, to compare.
SimdLevel simd_level();

// 64 bytes of text seen by UAX #29: bit i of a mask tells of byte i.
struct WordClasses {
  std::uint64_t letters = 0;       // A-Z a-z
  std::uint64_t digits = 0;        // 0-9
  std::uint64_t extends = 0;       // _ joins letters and digits (ExtendNumLet)
  std::uint64_t between_any = 0;   // ' and . join two letters or two digits (MidNumLetQ)
  std::uint64_t between_nums = 0;  // , and ; join two digits (MidNum)
  std::uint64_t other = 0;         // not ASCII
  friend bool operator==(const WordClasses&, const WordClasses&) = default;
};
// Classifies `blocks` times 64 bytes.
void classify_words(const char* text, std::size_t blocks, WordClasses* out);
void classify_words_scalar(const char* text, std::size_t blocks, WordClasses* out);

// Eight bytes at once: A-Z get bit 0x20, all others stay.
constexpr std::uint64_t lower_ascii(std::uint64_t x) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  const std::uint64_t low = x & (kOnes * 0x7FU);  // without carries from one byte to the next
  const std::uint64_t from_a = low + kOnes * (0x80U - 'A');
  const std::uint64_t after_z = low + kOnes * (0x80U - 'Z' - 1);
  return x | (((from_a ^ after_z) & ~x & (kOnes * 0x80U)) >> 2U);
}

// The last step of hashing words: out[i] = mix64(lower_ascii(bytes[i]) + add[i]).
void finish_words(std::span<const std::uint64_t> bytes, const std::uint64_t* add,
                  std::uint64_t* out);
void finish_words_scalar(std::span<const std::uint64_t> bytes, const std::uint64_t* add,
                         std::uint64_t* out);

// out[i] = premix64(ids[i]).
void premix_many(std::span<const std::uint64_t> ids, std::uint64_t* out);
void premix_many_scalar(std::span<const std::uint64_t> ids, std::uint64_t* out);

// One row of Fast Similarity Sketching: with h = permute_premixed(x, key), x falls into bin
// (h >> 32) * k >> 32 with the value (row << 32) + (h mod 2^32), and the bin keeps its smallest.
// Later rows cannot better a value, so all that matters to them is which bins are empty.
// Returns how many bins got their first value.  Requires: row < 2^31, k < 2^31.
struct SketchBins {
  std::span<std::uint64_t> values;   // k of them
  std::span<std::uint8_t> empty;     // for each bin 1 while it has no value, else 0
  std::span<std::uint32_t> scratch;  // room for k + 1
};
inline constexpr std::uint64_t kEmptyBin = INT64_MAX;
std::size_t throw_row(std::span<const std::uint64_t> premixed, std::uint64_t key, std::uint64_t row,
                      SketchBins bins);
std::size_t throw_row_scalar(std::span<const std::uint64_t> premixed, std::uint64_t key,
                             std::uint64_t row, SketchBins bins);

// The smallest permute_premixed(x, key).  Requires: !premixed.empty().
std::uint64_t min_permuted(std::span<const std::uint64_t> premixed, std::uint64_t key);
std::uint64_t min_permuted_scalar(std::span<const std::uint64_t> premixed, std::uint64_t key);

// How many of n bytes are equal.
std::uint32_t count_equal(const std::uint8_t* a, const std::uint8_t* b, std::size_t n);
std::uint32_t count_equal_scalar(const std::uint8_t* a, const std::uint8_t* b, std::size_t n);

// One row of 64 bytes against many: counts[i] = equal bytes of `row` and rows + 64 * ids[i].
void count_equal_rows(const std::uint8_t* row, const std::uint8_t* rows,
                      std::span<const std::uint32_t> ids, std::uint8_t* counts);
void count_equal_rows_scalar(const std::uint8_t* row, const std::uint8_t* rows,
                             std::span<const std::uint32_t> ids, std::uint8_t* counts);

// All pairs of a tile: for each of 64-byte `queries` and `rows`, hits gets (query, row) wherever
// more than `reject` bytes are equal; returns how many.  `hits` has room for all pairs and one
// more.
struct RowPair {
  std::uint32_t query;
  std::uint32_t row;
  friend bool operator==(const RowPair&, const RowPair&) = default;
};
std::size_t match_tile(std::span<const std::uint8_t> queries, std::span<const std::uint8_t> rows,
                       std::int32_t reject, RowPair* hits);
std::size_t match_tile_scalar(std::span<const std::uint8_t> queries,
                              std::span<const std::uint8_t> rows, std::int32_t reject,
                              RowPair* hits);

}  // namespace twinsift
