// SPDX-License-Identifier: Apache-2.0
// Which legacy charset are these bytes in?  The one that needs the fewest bits to explain them.
//
// A model is a charset together with a language.  It gives each character a probability p: a
// frequent letter of the language a high one, a character that the language does not use a low
// one, an invalid sequence the lowest.  The cost of a text is the sum of -log2 p over its
// characters outside ASCII, and the cheapest model wins.  This is naive Bayes; it needs no training
// data beyond the order of the letters by frequency, and it compares single-byte and multi-byte
// charsets on the same scale.
//
// Differs: ICU's detector (ucsdet) knows neither windows-1257 nor most Cyrillic and central
//          European languages, and its confidences are not comparable between charsets.
// Cost:    one pass over at most 256 KB per multi-byte charset, one for all the others together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace twinsift {

// Costs are integers so that sums, and with them the choice, are exact on every machine.
using Cost = std::int64_t;
inline constexpr Cost kBit = 16;

struct CharsetGuess {
  std::string_view charset;    // the name to print
  const char* converter = "";  // the name that ICU decodes it by, often a superset
  Cost cost = 0;
};

inline bool is_ascii_letter(std::byte b) {
  const auto lower = std::to_integer<std::uint32_t>(b) | 0x20U;
  return lower >= 'a' && lower <= 'z';
}

// The best of each kind.  Ties go to the charset that stands first in the tables.
[[nodiscard]] CharsetGuess guess_single_byte(std::span<const std::byte> sample);
[[nodiscard]] CharsetGuess guess_multi_byte(std::span<const std::byte> sample);

// The best of all.  `converter` is empty if no model explains the bytes better than chance, so
// that they are hardly text.  Requires: some byte of `bytes` is 0x80 or above.
[[nodiscard]] CharsetGuess guess_charset(std::span<const std::byte> bytes);

}  // namespace twinsift
