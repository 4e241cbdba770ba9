// SPDX-License-Identifier: Apache-2.0
// Words and folding of text that is not ASCII, by ICU.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace twinsift {

// Calls word(begin, length, folded) for each word of a stretch of UTF-8, in order.
using UnicodeWord = std::function<void(std::uint32_t, std::uint32_t, std::string_view)>;
void each_unicode_word(std::string_view text, const UnicodeWord& word);

// The same by ICU's engine alone: the reference.
void each_icu_word(std::string_view text, const UnicodeWord& word);

// Letters, numbers and emoji make a segment a word.
bool makes_a_word(char32_t c);

// NFC, case folded, NFC again (folding can undo it).
std::string fold_unicode(std::string_view text);

// True for Unicode's White_Space.
bool is_white_space(char32_t c);

}  // namespace twinsift
