// SPDX-License-Identifier: Apache-2.0
// Words of a text: UAX #29 word boundaries, NFC and case folded, as 64-bit hashes.
//
// ASCII runs at the speed of memory: 64 bytes at a time become bit masks of letters, digits
// and joiners, and the rules of UAX #29 become shifts and ANDs of these masks.  Only stretches
// with other characters go through ICU (words_unicode.cc), cut at ASCII white space, where no
// rule looks across.  Both ways give the same words and hashes; the tests compare them.
//
// A word is a segment with at least one letter, digit or emoji; punctuation is dropped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twinsift {

struct Word {
  std::uint64_t hash = 0;
  std::uint32_t begin = 0;  // bytes of the text
  std::uint32_t length = 0;
};

// All three append to `out`.  The text is UTF-8, less than 4 GiB; ill-formed sequences read as
// U+FFFD.
void hash_words(std::string_view text, std::vector<std::uint64_t>& out);
void find_words(std::string_view text, std::vector<Word>& out);
void fold_words(std::string_view text, std::vector<std::string>& out);

// The same by ICU alone: the reference for the tests.
void find_words_reference(std::string_view text, std::vector<Word>& out);

// The hash of one word that has been folded.
std::uint64_t hash_folded(std::string_view folded);

}  // namespace twinsift
