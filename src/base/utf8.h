// SPDX-License-Identifier: Apache-2.0
// UTF-8: decoding, checking, and repair of text that is not quite it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "twinsift/types.h"

namespace twinsift {

// One code point, or one byte that is no UTF-8 (then value is kNotUtf8 and length is 1).
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;
};
inline constexpr char32_t kNotUtf8 = 0xFFFFFFFFU;

// Strict: overlong forms, surrogates and values above U+10FFFF are not UTF-8.
// Requires: at < bytes.size().
CodePoint decode_utf8(std::string_view bytes, std::size_t at);
// Exported because the program needs to know it of names, too.
TWINSIFT_EXPORT bool is_utf8(std::string_view bytes);

// What `bytes` begin with: a code point, or else the longest run of bytes that begins one, which
// the Unicode Standard, sec. 3.9, and all browsers replace as a whole.
struct Utf8Sequence {
  std::size_t length = 1;
  bool well_formed = false;
  bool cut_off = false;  // ill-formed only because the bytes end here
};
// Requires: !bytes.empty().
Utf8Sequence utf8_sequence(std::string_view bytes);

// The number of ASCII characters that `bytes` begin with, found eight at a time.
std::size_t ascii_prefix(std::string_view bytes);

// Appends `bytes` to `out` with U+FFFD in place of each ill-formed sequence; returns how many
// there were.
std::uint64_t append_repaired_utf8(std::string_view bytes, std::string& out);

}  // namespace twinsift
