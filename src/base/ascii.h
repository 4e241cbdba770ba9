// SPDX-License-Identifier: Apache-2.0
// ASCII text, many bytes at a time: classes of characters for word boundaries, and the hashes of
// words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace twinsift {

// 64 bytes of text seen by UAX #29: bit i of a mask tells of byte i.
struct WordClasses {
  std::uint64_t letters = 0;       // A-Z a-z
  std::uint64_t digits = 0;        // 0-9
  std::uint64_t extends = 0;       // _ joins letters and digits (ExtendNumLet)
  std::uint64_t between_any = 0;   // ' and . join two letters or two digits (MidNumLetQ)
  std::uint64_t between_nums = 0;  // , and ; join two digits (MidNum)
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

// The hash of the n bytes text[begin..end) is h_m, with h_0 = n G and h_i = mix64(lower(its i-th 8
// bytes) + h_{i-1}), zero-filled at the end: bijective for words up to 8 bytes.
std::uint64_t hash_ascii_word(std::string_view text, std::size_t begin, std::size_t end);

// The same for all words [edges[0]..edges[1]), [edges[2]..edges[3]), ...  Requires: ascending, and
// room in `out` for three more.
void hash_ascii_words(std::string_view text, std::span<const std::uint32_t> edges,
                      std::uint64_t* out);
void hash_ascii_words_scalar(std::string_view text, std::span<const std::uint32_t> edges,
                             std::uint64_t* out);

}  // namespace twinsift
