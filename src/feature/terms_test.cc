// SPDX-License-Identifier: Apache-2.0
#include "feature/terms.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "feature/stopwords.h"
#include "media/test_paragraphs.h"

namespace twinsift {
namespace {

using Words = std::vector<std::string_view>;

TokenSet ids_of(std::string_view language, const Words& words) {
  const auto terms = TermExtractor::make(language);
  EXPECT_TRUE(terms);
  TokenSet ids;
  terms->ids(words, ids);
  return ids;
}

// Lower case, cut at everything that is neither letter nor apostrophe: enough for these texts.
std::vector<std::string> words_of(std::string_view text) {
  icu::UnicodeString folded =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int>(text.size())));
  folded.foldCase();
  for (int i = 0; i < folded.length(); ++i) {
    if (!u_isalpha(folded[i]) && folded[i] != '\'') folded.setCharAt(i, ' ');
  }
  std::string utf8;
  std::istringstream stream(folded.toUTF8String(utf8));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

TEST(Terms, EnglishFormsOfOneWordShareAnId) {
  const TokenSet ids = ids_of("english", {"running", "runs", "run", "river", "rivers"});
  ASSERT_EQ(ids.size(), 5U);
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(ids[0], ids[2]);
  EXPECT_EQ(ids[3], ids[4]);
  EXPECT_NE(ids[0], ids[3]);
}

TEST(Terms, GermanFormsOfOneWordShareAnId) {
  const TokenSet ids = ids_of("german", {"bibliothek", "bibliotheken", "haus", "hauses"});
  ASSERT_EQ(ids.size(), 4U);
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(ids[2], ids[3]);
  EXPECT_NE(ids[0], ids[2]);
}

TEST(Terms, RussianFormsOfOneWordShareAnId) {
  const TokenSet ids = ids_of("russian", {"книга", "книги", "книгами", "река"});
  ASSERT_EQ(ids.size(), 4U);
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(ids[0], ids[2]);
  EXPECT_NE(ids[0], ids[3]);
}

TEST(Terms, StopwordsVanish) {
  EXPECT_TRUE(ids_of("english", {"the", "and", "of", "was"}).empty());
  EXPECT_TRUE(ids_of("german", {"der", "und", "nicht", "für"}).empty());
  EXPECT_TRUE(ids_of("russian", {"и", "не", "что", "ещё"}).empty());
  EXPECT_EQ(ids_of("english", {"der"}).size(), 1U);
}

TEST(Terms, OneTextInOtherWordsHasTheSameTerms) {
  const TokenSet a = ids_of("english", {"the", "rivers", "run"});
  TokenSet b = ids_of("english", {"running", "was", "a", "river"});
  std::ranges::reverse(b);
  EXPECT_EQ(a, b);
}

TEST(Terms, NumbersStayAndSingleLatinLettersGo) {
  EXPECT_EQ(ids_of("", {"7", "2026"}).size(), 2U);
  EXPECT_TRUE(ids_of("", {"x", "é", "ø", "ș"}).empty());
  EXPECT_EQ(ids_of("", {"本", "щ"}).size(), 2U);  // a word in Chinese; not Latin
}

TEST(Terms, NoWordsHaveNoIds) {
  EXPECT_TRUE(ids_of("", {}).empty());
  EXPECT_TRUE(ids_of("danish", {""}).empty());
}

TEST(Terms, VeryLongWordsAreKeptWhole) {
  const std::string a(100'000, 'a');
  const std::string b(100'001, 'a');
  const TokenSet ids = ids_of("english", {a, b, a});
  ASSERT_EQ(ids.size(), 3U);
  EXPECT_NE(ids[0], ids[1]);
  EXPECT_EQ(ids[0], ids[2]);
}

TEST(Terms, BrokenUtf8IsNoProblem) {
  for (const StopwordList& list : kStopwordLists) {
    EXPECT_EQ(ids_of(list.language, {"\xFF\xFE\x80", "caf\xC3", "\xE2\x82"}).size(), 3U);
  }
}

TEST(Terms, UnknownLanguageIsAnErrorThatNamesTheKnown) {
  const auto terms = TermExtractor::make("klingon");
  ASSERT_FALSE(terms);
  EXPECT_EQ(terms.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(terms.error().message.find("terms:klingon"), std::string::npos);
  EXPECT_NE(terms.error().message.find("danish, dutch, english"), std::string::npos);
}

TEST(Terms, SpecSaysTheLanguage) {
  EXPECT_EQ(TermExtractor::make("")->spec(), "terms");
  for (const StopwordList& list : kStopwordLists) {
    EXPECT_EQ(TermExtractor::make(list.language)->spec(), "terms:" + std::string(list.language));
  }
}

namespace p = paragraphs;
constexpr std::array<std::string_view, 15> kTexts = {
    p::kDanish,   p::kDutch,     p::kEnglish, p::kFinnish,   p::kFrench,
    p::kGerman,   p::kHungarian, p::kItalian, p::kNorwegian, p::kPortuguese,
    p::kRomanian, p::kRussian,   p::kSpanish, p::kSwedish,   p::kTurkish};

TEST(Terms, LanguageOfAParagraphIsFound) {
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    const auto storage = words_of(kTexts[i]);
    const Words words(storage.begin(), storage.end());
    EXPECT_EQ(guess_language(words), kStopwordLists[i].language);
    EXPECT_EQ(ids_of("", words), ids_of(kStopwordLists[i].language, words));
  }
}

TEST(Terms, LanguageOfTwentyWordsIsFoundNearlyAlways) {
  std::size_t right = 0;
  std::size_t all = 0;
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    const auto storage = words_of(kTexts[i]);
    const Words words(storage.begin(), storage.end());
    for (std::size_t begin = 0; begin + 20 <= words.size(); begin += 5, ++all) {
      right += guess_language(std::span(words).subspan(begin, 20)) == kStopwordLists[i].language;
    }
  }
  EXPECT_GE(right * 100, all * 95) << right << " of " << all;
}

TEST(Terms, OtherLanguagesAreLeftAlone) {
  for (const auto text : {p::kGreek, p::kKorean, p::kThai, p::kHebrew}) {
    const auto storage = words_of(text);
    const Words words(storage.begin(), storage.end());
    EXPECT_EQ(guess_language(words), "");
    EXPECT_EQ(ids_of("", words).size(), words.size());
  }
}

TEST(Terms, StopwordListsAreCleanAndOfUsefulLength) {
  for (const StopwordList& list : kStopwordLists) {
    std::istringstream stream{std::string(list.words)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) {
      const auto unicode = icu::UnicodeString::fromUTF8(word);
      EXPECT_TRUE(icu::UnicodeString(unicode).foldCase() == unicode) << word;
      words.push_back(word);
    }
    EXPECT_GE(words.size(), 60U) << list.language;
    EXPECT_LE(words.size(), 190U) << list.language;
    std::ranges::sort(words);
    EXPECT_EQ(std::ranges::adjacent_find(words), words.end()) << list.language;
  }
}

TEST(Terms, ThreadsGetTheSameIds) {
  const auto terms = TermExtractor::make("");
  const auto storage = words_of(p::kFrench);
  const Words words(storage.begin(), storage.end());
  const TokenSet expected = ids_of("french", words);
  std::vector<TokenSet> got(8);
  std::vector<std::jthread> threads;
  for (TokenSet& ids : got) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        ids.clear();
        terms->ids(words, ids);
      }
    });
  }
  threads.clear();
  for (const TokenSet& ids : got) EXPECT_EQ(ids, expected);
}

RC_GTEST_PROP(Terms, OrderOfWordsDoesNotMatterToTheSet, (const std::vector<std::uint8_t>& picks)) {
  static const auto storage = words_of(p::kSwedish);
  Words words;
  for (const std::uint8_t pick : picks) words.push_back(storage[pick % storage.size()]);
  Words sorted = words;
  std::ranges::sort(sorted);
  TokenSet a = ids_of("", words);
  TokenSet b = ids_of("", sorted);
  std::ranges::sort(a);
  std::ranges::sort(b);
  RC_ASSERT(a == b);
}

}  // namespace
}  // namespace twinsift
