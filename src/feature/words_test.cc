// SPDX-License-Identifier: Apache-2.0
#include "feature/words.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

using Strings = std::vector<std::string>;

Strings folded(std::string_view text) {
  Strings words;
  fold_words(text, words);
  return words;
}

// Every way of finding words must agree with ICU over the whole text.
void expect_like_reference(std::string_view text) {
  std::vector<Word> expected;
  find_words_reference(text, expected);
  std::vector<Word> words;
  find_words(text, words);
  std::vector<std::uint64_t> hashes;
  hash_words(text, hashes);
  const Strings strings = folded(text);
  ASSERT_EQ(words.size(), expected.size()) << text;
  ASSERT_EQ(hashes.size(), expected.size()) << text;
  ASSERT_EQ(strings.size(), expected.size()) << text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    ASSERT_EQ(words[i].begin, expected[i].begin) << text;
    ASSERT_EQ(words[i].length, expected[i].length) << text;
    ASSERT_EQ(words[i].hash, expected[i].hash) << text;
    ASSERT_EQ(hashes[i], expected[i].hash) << text;
    ASSERT_EQ(hash_folded(strings[i]), expected[i].hash) << text;
  }
}

TEST(Words, EnglishKeepsWhatReadersCallWords) {
  EXPECT_EQ(folded("Don't PANIC: it's 3.14, e.g. snake_case_1!"),
            (Strings{"don't", "panic", "it's", "3.14", "e.g", "snake_case_1"}));
  EXPECT_EQ(folded("___ -- ... \t\n"), Strings{});
  EXPECT_EQ(folded("1,000;2 a,b x'"), (Strings{"1,000;2", "a", "b", "x"}));
}

// EXHAUSTIVE: all strings of up to 6 of the characters that the rules tell apart.
TEST(Words, AsciiPathEqualsIcuOnAllShortStrings) {
  const std::string_view alphabet = "aZ7_'.,@ ";
  for (std::size_t length = 0; length <= 5; ++length) {
    std::vector<std::size_t> digits(length, 0);
    while (true) {
      std::string text;
      for (const std::size_t d : digits) text.push_back(alphabet[d]);
      expect_like_reference(text);
      std::size_t i = 0;
      while (i < length && ++digits[i] == alphabet.size()) digits[i++] = 0;
      if (i == length) break;
    }
  }
}

// Joiners and word ends on every side of the 64-byte and 2048-byte borders.
TEST(Words, BlockBordersDoNotMatter) {
  for (const std::string_view middle : {"a'b", "1,2", "x y", "a.b.c", "word", "_'_", "9'9'"}) {
    for (std::size_t lead = 50; lead < 70; ++lead)
      expect_like_reference(std::string(lead, 'x') + std::string(middle));
    for (std::size_t lead = 2030; lead < 2060; ++lead) {
      std::string text;
      while (text.size() + 8 < lead) text += "Ab3 it's ";
      text.resize(lead, ' ');
      expect_like_reference(text + std::string(middle) + " end");
    }
  }
}

TEST(Words, RandomAsciiEqualsIcu) {
  Rng rng(1);
  for (int trial = 0; trial < 300; ++trial) {
    std::string text;
    const std::uint32_t length = rng.below(400);
    for (std::uint32_t i = 0; i < length; ++i) {
      text.push_back(static_cast<char>(1 + rng.below(127)));
    }
    expect_like_reference(text);
  }
}

// Scripts, marks and emoji between ASCII, cut into stretches or not: the same words.
TEST(Words, RandomMixedTextEqualsIcu) {
  const std::vector<std::string> pieces = {
      "a",
      "B9",
      " ",
      "\n",
      "'",
      ".",
      ",",
      "_",
      "-",
      "\u00e9",
      "e\u0301",
      "\u00c4",
      "\u0436",
      "\u0416",
      "\u6f22\u5b57",
      "\u3053\u3093\u306b\u3061\u306f",
      "\u30ab\u30bf\u30ab\u30ca",
      "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u0e0a\u0e32\u0e27\u0e42\u0e25\u0e01",
      "\u0645\u0631\u062d\u0628\u0627",
      "\U0001F600",
      "\U0001F468\u200D\U0001F469\u200D\U0001F467",
      "\U0001F1E9\U0001F1EA",
      "\u200d",
      "\u0301",
      "\u00a0",
      "\u00ad",
      "\u2019",
      "\u00df",
      "\u0130",
      "\uac00\uac01",
      "\u05d0\"\u05d1",
      "\xff",
      "\xe2\x82",
      "plain ascii words that go on for a good while to pass the gap of sixty-four bytes, easily "
      "so. "};
  Rng rng(2);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text;
    const std::uint32_t count = rng.below(30);
    for (std::uint32_t i = 0; i < count; ++i) {
      text += pieces[rng.below(static_cast<std::uint32_t>(pieces.size()))];
    }
    expect_like_reference(text);
  }
}

// EXHAUSTIVE: every character of the basic plane between letters, between digits and after a
// space, by the table and by ICU.
TEST(Words, EveryCharacterOfTheBasicPlaneEqualsIcu) {
  for (char32_t c = 0x80; c < 0x10000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string one;
    if (c < 0x800) {
      one = {static_cast<char>(0xC0U | (c >> 6U)), static_cast<char>(0x80U | (c & 0x3FU))};
    } else {
      one = {static_cast<char>(0xE0U | (c >> 12U)), static_cast<char>(0x80U | ((c >> 6U) & 0x3FU)),
             static_cast<char>(0x80U | (c & 0x3FU))};
    }
    std::string text = "A" + one + "b 1" + one + "2 " + one;
    expect_like_reference(text);
    if (::testing::Test::HasFatalFailure()) FAIL() << "U+" << std::hex << static_cast<unsigned>(c);
  }
}

TEST(Words, OtherScriptsAreSegmented) {
  EXPECT_EQ(folded("Gr\u00fc\u00dfe GR\u00dcSSE"), (Strings{"gr\u00fcsse", "gr\u00fcsse"}));
  EXPECT_EQ(folded("caf\u00e9 cafe\u0301"), (Strings{"caf\u00e9", "caf\u00e9"}));
  EXPECT_EQ(folded("\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440"),
            (Strings{"\u043f\u0440\u0438\u0432\u0435\u0442", "\u043c\u0438\u0440"}));
  EXPECT_EQ(
      folded("\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u0e0a\u0e32\u0e27\u0e42\u0e25\u0e01").size(),
      3U);
  EXPECT_EQ(folded("\u6771\u4eac\u90fd\u306b\u4f4f\u3080").size(), 4U);
  EXPECT_EQ(folded("\u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645").size(), 2U);
  EXPECT_EQ(folded("hi \U0001F600\U0001F600 \u00a9").size(), 3U);
  EXPECT_EQ(folded("\U0001F468\u200D\U0001F469\u200D\U0001F467").size(), 1U);
}

TEST(Words, LengthIsPartOfTheHash) {
  EXPECT_NE(hash_folded("a"), hash_folded(std::string_view("a\0", 2)));
  EXPECT_NE(hash_folded("abcdefgh"), hash_folded("abcdefghabcdefgh"));
}

}  // namespace
}  // namespace twinsift
