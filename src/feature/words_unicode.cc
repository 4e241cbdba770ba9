// SPDX-License-Identifier: Apache-2.0
#include "feature/words_unicode.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include "feature/words_table.h"

namespace twinsift {
namespace {

using BreakIteratorPtr = std::unique_ptr<icu::BreakIterator>;

// A break iterator has a state, so each thread has its own copy; making one takes milliseconds.
icu::BreakIterator* word_breaks() {
  thread_local const BreakIteratorPtr breaks = [] {
    UErrorCode status = U_ZERO_ERROR;
    BreakIteratorPtr made(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    return U_SUCCESS(status) != 0 ? std::move(made) : nullptr;
  }();
  return breaks.get();
}

icu::UnicodeString from_utf8(std::string_view text) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

bool has_word_character(const icu::UnicodeString& text) {
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    if (makes_a_word(static_cast<char32_t>(text.char32At(i)))) return true;
  }
  return false;
}

void fold_into(icu::UnicodeString text, std::string& folded) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
  text = nfc->normalize(text, status);
  text.foldCase();
  text = nfc->normalize(text, status);
  folded.clear();
  text.toUTF8String(folded);
}

// The words of text, whose first byte is byte `base` of the whole.
void each_segment(std::string_view text, std::size_t base, const UnicodeWord& word) {
  icu::BreakIterator* breaks = word_breaks();
  UErrorCode status = U_ZERO_ERROR;
  UText bytes = UTEXT_INITIALIZER;
  utext_openUTF8(&bytes, text.data(), static_cast<std::int64_t>(text.size()), &status);
  if (breaks == nullptr || U_FAILURE(status) != 0) return;  // ICU without its data
  breaks->setText(&bytes, status);
  std::string folded;
  auto begin = static_cast<std::size_t>(breaks->first());
  for (std::int32_t next = breaks->next(); next != icu::BreakIterator::DONE;
       next = breaks->next()) {
    const auto end = static_cast<std::size_t>(next);
    // A zero width joiner after a space ties it to the emoji that follows (WB3c, WB4).
    while (text[begin] == ' ' && begin + 1 < end) ++begin;
    const std::size_t at = std::exchange(begin, end);
    icu::UnicodeString segment = from_utf8(text.substr(at, end - at));
    if (!has_word_character(segment)) continue;
    fold_into(std::move(segment), folded);
    word(static_cast<std::uint32_t>(base + at), static_cast<std::uint32_t>(end - at), folded);
  }
  utext_close(&bytes);
}

}  // namespace

bool makes_a_word(char32_t c) {
  constexpr std::uint32_t kLettersAndNumbers = U_GC_L_MASK | U_GC_N_MASK;
  const auto code = static_cast<UChar32>(c);
  return (U_GET_GC_MASK(code) & kLettersAndNumbers) != 0 ||
         u_hasBinaryProperty(code, UCHAR_EMOJI_PRESENTATION) != 0;
}

void each_unicode_word(std::string_view text, const UnicodeWord& word) {
  if (!each_simple_word(text, word)) each_icu_word(text, word);
}

void each_icu_word(std::string_view text, const UnicodeWord& word) {
  // ICU 72 makes @ a letter, other versions do not: UAX #29 does not.
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('@', begin), text.size());
    if (end > begin) each_segment(text.substr(begin, end - begin), begin, word);
    begin = end + 1;
  }
}

std::string fold_unicode(std::string_view text) {
  std::string folded;
  fold_into(from_utf8(text), folded);
  return folded;
}

bool is_white_space(char32_t c) { return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0; }

}  // namespace twinsift
