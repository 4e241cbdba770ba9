// SPDX-License-Identifier: Apache-2.0
// UTF-8: decoding, checking, and repair of text that is not quite it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

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
bool is_utf8(std::string_view bytes);

// Appends `bytes` to `out` with U+FFFD in place of each ill-formed sequence (the longest that
// begins a code point, as the Unicode Standard, sec. 3.9, and all browsers do).
void append_repaired_utf8(std::string_view bytes, std::string& out);

}  // namespace twinsift
