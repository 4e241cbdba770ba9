// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <simdjson.h>

namespace twinsift {
namespace {

TEST(Utf8, OverlongFormsSurrogatesAndLargeValuesAreNotUtf8) {
  EXPECT_TRUE(is_utf8("\u007F\u0080\u07FF\u0800\uFFFF\U00010000\U0010FFFF"));
  for (const char* bad : {"\x80", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80",
                          "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

// The table of the WHATWG Encoding Standard's practice: one mark per maximal subpart.
TEST(Utf8, EachMaximalSubpartIsReplacedOnce) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a\xF1\x80\x80\xE1\x80\xC2"
       "b\x80"
       "c\x80\xBF"
       "d",
       "a\uFFFD\uFFFD\uFFFD"
       "b\uFFFD"
       "c\uFFFD\uFFFD"
       "d"},
      {"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82"
       "A",
       "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"
       "A"},
      {"\xED\xA0\x80\xED\xBF\xBF\xED\xAF"
       "A",
       "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"
       "A"},
      {"\xF4\x91\x92\x93\xFF"
       "A\x80\xBF"
       "B",
       "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"
       "A\uFFFD\uFFFD"
       "B"},
      {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF"
       "A",
       "\uFFFD\uFFFD\uFFFD\uFFFD"
       "A"},
      {"\xE2\x82", "\uFFFD"}};
  for (const auto& [broken, expected] : cases) {
    std::string repaired;
    const std::uint64_t replaced = append_repaired_utf8(broken, repaired);
    EXPECT_EQ(repaired, expected);
    std::uint64_t marks = 0;
    for (std::size_t i = expected.find("\uFFFD"); i != expected.npos;
         i = expected.find("\uFFFD", i + 1)) {
      ++marks;
    }
    EXPECT_EQ(replaced, marks);
  }
}

TEST(Utf8, ASequenceThatEndsWithTheBytesIsCutOffAndNotJustBroken) {
  EXPECT_TRUE(utf8_sequence("\xF0\x9F\x98").cut_off);
  EXPECT_EQ(utf8_sequence("\xF0\x9F\x98").length, 3U);
  EXPECT_FALSE(utf8_sequence("\xF0\x9F\x98x").cut_off);
  EXPECT_FALSE(utf8_sequence("\x80").cut_off);
}

TEST(Utf8, TheAsciiPrefixEndsAtTheFirstOtherByte) {
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string ascii(length, '\x7F');
    EXPECT_EQ(ascii_prefix(ascii), length);
    EXPECT_EQ(ascii_prefix(ascii + "\x80zzzzzzzzzzzz"), length);
  }
}

// Random bytes are nearly never UTF-8; pieces of it often are.
std::string patchwork() {
  static const std::vector<std::string> kPieces = {"a",          "plain text", "\u00E9",   "\u20AC",
                                                   "\U0001F600", "\xC3",       "\xE2\x82", "\x80"};
  std::string text;
  for (const auto& piece :
       *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces))) {
    text += piece;
  }
  return text;
}

RC_GTEST_PROP(Utf8, TheCheckAgreesWithSimdjson, ()) {
  const std::string text = patchwork();
  RC_ASSERT(is_utf8(text) == simdjson::validate_utf8(text));
}

RC_GTEST_PROP(Utf8, RepairIsValidAndIdempotent, ()) {
  const std::string text = patchwork();
  std::string once;
  const std::uint64_t replaced = append_repaired_utf8(text, once);
  RC_ASSERT(simdjson::validate_utf8(once));
  RC_ASSERT(is_utf8(text) == (replaced == 0));
  std::string twice;
  RC_ASSERT(append_repaired_utf8(once, twice) == 0U);
  RC_ASSERT(twice == once);
}

}  // namespace
}  // namespace twinsift
