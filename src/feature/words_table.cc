// SPDX-License-Identifier: Apache-2.0
#include "feature/words_table.h"

#include <cstdint>
#include <string>
#include <vector>

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include "base/utf8.h"

namespace twinsift {
namespace {

enum class Kind : std::uint8_t {
  kComplex,  // only ICU knows
  kOther,    // a segment of its own
  kLetter,
  kDigit,
  kExtend,      // _ and its relatives: holds with letters and digits
  kBetweenLet,  // MidLetter
  kBetweenNum,  // MidNum
  kBetweenAny,  // MidNumLet and the apostrophe
};

struct Properties {
  Kind kind = Kind::kComplex;
  bool word = false;  // a segment with such a character is a word
  char16_t fold = 0;
};

// ICU's root rules take the colons out of MidLetter; @ is cut away before (words_unicode.cc).
Kind kind_of(UChar32 c) {
  switch (u_getIntPropertyValue(c, UCHAR_WORD_BREAK)) {
    case U_WB_ALETTER:
      return c == '@' ? Kind::kOther : Kind::kLetter;
    case U_WB_NUMERIC:
      return Kind::kDigit;
    case U_WB_EXTENDNUMLET:
      return Kind::kExtend;
    case U_WB_MIDLETTER:
      return c == ':' || c == 0xFE55 || c == 0xFF1A ? Kind::kOther : Kind::kBetweenLet;
    case U_WB_MIDNUM:
      return Kind::kBetweenNum;
    case U_WB_MIDNUMLET:
    case U_WB_SINGLE_QUOTE:
      return Kind::kBetweenAny;
    case U_WB_OTHER:
    case U_WB_CR:
    case U_WB_LF:
    case U_WB_NEWLINE:
    case U_WB_WSEGSPACE:
    case U_WB_DOUBLE_QUOTE:
      return Kind::kOther;
    default:
      return Kind::kComplex;
  }
}

// Scripts that ICU cuts by dictionary or by rules of its own (Hangul), and letters that compose
// with their neighbours.
bool needs_icu(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &status);
  const int line_break = u_getIntPropertyValue(c, UCHAR_LINE_BREAK);
  const int hangul = u_getIntPropertyValue(c, UCHAR_HANGUL_SYLLABLE_TYPE);
  return line_break == U_LB_COMPLEX_CONTEXT || script == USCRIPT_HAN ||
         script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA ||
         hangul != U_HST_NOT_APPLICABLE || u_getCombiningClass(c) != 0 ||
         u_getIntPropertyValue(c, UCHAR_NFC_QUICK_CHECK) != UNORM_YES;
}

Properties properties_of(UChar32 c, const icu::Normalizer2& nfc) {
  Properties properties;
  if (needs_icu(c)) return properties;
  icu::UnicodeString folded(c);
  folded.foldCase();
  UErrorCode status = U_ZERO_ERROR;
  if (folded.length() != 1 || nfc.isNormalized(folded, status) == 0) return properties;
  properties.kind = kind_of(c);
  properties.fold = folded[0];
  properties.word = makes_a_word(static_cast<char32_t>(c));
  return properties;
}

const std::vector<Properties>& table() {
  static const std::vector<Properties> made = [] {
    std::vector<Properties> all(0x10000);
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
    if (U_FAILURE(status) != 0) return all;  // ICU without its data: everything is complex
    for (UChar32 c = 0; c < 0x10000; ++c) {
      all[static_cast<std::size_t>(c)] = properties_of(c, *nfc);
    }
    return all;
  }();
  return made;
}

struct Character {
  Properties properties;
  std::uint32_t begin = 0;
};

// False if a character is not in the table.
bool read_characters(std::string_view text, std::vector<Character>& characters) {
  const std::vector<Properties>& known = table();
  characters.clear();
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const CodePoint c = lead < 0x80 ? CodePoint{lead, 1} : decode_utf8(text, at);
    if (c.value >= known.size() || known[c.value].kind == Kind::kComplex) return false;
    characters.push_back({known[c.value], static_cast<std::uint32_t>(at)});
    at += c.length;
  }
  return true;
}

void append_utf8(char16_t c, std::string& out) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out.push_back(static_cast<char>(0xC0 | (c >> 6)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else {
    out.push_back(static_cast<char>(0xE0 | (c >> 12)));
    out.push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  }
}

bool holds(Kind kind) {
  return kind == Kind::kLetter || kind == Kind::kDigit || kind == Kind::kExtend;
}

// Whether `middle` joins `before` and `after`: WB6, WB7, WB11, WB12.
bool joins(Kind before, Kind middle, Kind after) {
  if (before != after) return false;
  const bool any = middle == Kind::kBetweenAny;
  return (before == Kind::kLetter && (any || middle == Kind::kBetweenLet)) ||
         (before == Kind::kDigit && (any || middle == Kind::kBetweenNum));
}

// The end of the segment that begins at character i.
std::size_t segment_end(const std::vector<Character>& characters, std::size_t i) {
  const auto kind = [&](std::size_t j) {
    return j < characters.size() ? characters[j].properties.kind : Kind::kOther;
  };
  if (!holds(kind(i))) return i + 1;
  while (true) {
    if (holds(kind(i + 1))) {
      ++i;
    } else if (joins(kind(i), kind(i + 1), kind(i + 2))) {
      i += 2;
    } else {
      return i + 1;
    }
  }
}

}  // namespace

bool each_simple_word(std::string_view text, const UnicodeWord& word) {
  thread_local std::vector<Character> characters;
  thread_local std::string folded;
  if (!read_characters(text, characters)) return false;
  for (std::size_t i = 0; i < characters.size();) {
    const std::size_t end = segment_end(characters, i);
    bool is_word = false;
    folded.clear();
    for (std::size_t j = i; j < end; ++j) {
      is_word |= characters[j].properties.word;
      append_utf8(characters[j].properties.fold, folded);
    }
    const std::uint32_t begin = characters[i].begin;
    const std::uint32_t after =
        end < characters.size() ? characters[end].begin : static_cast<std::uint32_t>(text.size());
    if (is_word) word(begin, after - begin, folded);
    i = end;
  }
  return true;
}

}  // namespace twinsift
