// SPDX-License-Identifier: Apache-2.0
// Words of scripts that need no dictionary and no combining marks, without ICU's engine.
//
// Latin, Greek, Cyrillic, Arabic without vowel signs and most symbols follow a handful of the rules
// of UAX #29 and fold one character to one.  Their classes are looked up in a table, made once from
// ICU's own data; anything else is left to words_unicode.cc.  On English with curly quotes this is
// much faster, and it gives the same words: the tests compare.
#pragma once

#include <string_view>

#include "feature/words_unicode.h"

namespace twinsift {

// As each_unicode_word, but gives up before the first word, returning false, if there is a
// character in `text` that the table does not cover.
bool each_simple_word(std::string_view text, const UnicodeWord& word);

}  // namespace twinsift
