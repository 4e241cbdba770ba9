// SPDX-License-Identifier: Apache-2.0
#include "report/highlight.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/escape.h"

namespace twinsift {
namespace {

Passage passage(Span a, Span b) { return {.a = a, .b = b, .words = 1}; }

// The pieces as "text" or "1:text", for comparing by eye.
std::vector<std::string> pieces(std::string_view text, const std::vector<Passage>& passages,
                                Side side) {
  std::vector<std::string> out;
  for (const auto& [span, number] : cut_at_passages(text, passages, side)) {
    const std::string prefix = number == 0 ? "" : std::to_string(number) + ":";
    out.push_back(prefix + std::string(text.substr(span.begin, span.length)));
  }
  return out;
}

using Pieces = std::vector<std::string>;

TEST(Passages, CutsBetweenSharedAndUnshared) {
  const std::vector<Passage> passages = {passage({3, 3}, {0, 3}), passage({8, 2}, {5, 2})};
  EXPECT_EQ(pieces("ab cde fgh", passages, Side::kA), (Pieces{"ab ", "1:cde", " f", "2:gh"}));
  EXPECT_EQ(pieces("cde; gh!", passages, Side::kB), (Pieces{"1:cde", "; ", "2:gh", "!"}));
  EXPECT_EQ(pieces("none", {}, Side::kA), (Pieces{"none"}));
  EXPECT_TRUE(pieces("", passages, Side::kA).empty());
}

TEST(Passages, OneStretchOfBThatMatchesTwoOfAHasOneNumber) {
  const std::vector<Passage> passages = {passage({0, 2}, {4, 2}), passage({3, 2}, {0, 2}),
                                         passage({6, 2}, {4, 2})};
  EXPECT_EQ(pieces("xy zz xy", passages, Side::kA), (Pieces{"1:xy", " ", "2:zz", " ", "1:xy"}));
  EXPECT_EQ(pieces("zz  xy", passages, Side::kB), (Pieces{"2:zz", "  ", "1:xy"}));
}

TEST(Passages, OfOverlappingSpansTheFirstWins) {
  const std::vector<Passage> passages = {passage({0, 4}, {2, 4}), passage({4, 4}, {0, 4}),
                                         passage({8, 1}, {3, 1})};
  EXPECT_EQ(pieces("abcdefgh", passages, Side::kB), (Pieces{"2:abcd", "1:ef", "gh"}));
}

TEST(Passages, CharactersStayWholeInEveryScript) {
  const std::string text = "\U0001F600 \u65E5\u672C\u8A9E \u05E9\u05DC\u05D5\u05DD e\u0301t\u00E9";
  const std::size_t kanji = text.find("\u65E5");
  const std::vector<Passage> good = {passage({kanji, 9}, {0, 1})};
  EXPECT_EQ(pieces(text, good, Side::kA)[1], "1:\u65E5\u672C\u8A9E");
  const std::vector<Passage> split = {passage({2, kanji + 2}, {0, 1})};  // inside of characters
  EXPECT_EQ(pieces(text, split, Side::kA)[0], "1:\U0001F600 \u65E5");
}

TEST(Passages, SpansOutsideOfTheTextAreClipped) {
  const std::vector<Passage> passages = {passage({2, UINT64_MAX}, {0, 0}),
                                         passage({UINT64_MAX, 5}, {1, 0})};
  EXPECT_EQ(pieces("abcd", passages, Side::kA), (Pieces{"ab", "1:cd"}));
  EXPECT_EQ(pieces("abcd", passages, Side::kB), (Pieces{"abcd"}));
}

TEST(Passages, TerminalShowsNumbersAndLeavesLongStretchesOut) {
  const std::string text = std::string(2000, 'x') + "SHARED" + std::string(3000, 'y') + "AGAIN";
  const std::vector<Passage> passages = {passage({2000, 6}, {0, 6}), passage({5006, 5}, {6, 5})};
  EXPECT_EQ(highlight_terminal(text, passages, true, false),
            "[... 1,920 bytes ...]" + std::string(80, 'x') + "[1: SHARED]" + std::string(80, 'y') +
                "[... 2,840 bytes ...]" + std::string(80, 'y') + "[2: AGAIN]");
}

TEST(Passages, TerminalShowsShortTextsInFullWithColoursIfAsked) {
  const std::vector<Passage> passages = {passage({4, 3}, {0, 3})};
  EXPECT_EQ(highlight_terminal("one two\tthree\n", passages, true, false), "one [1: two]\tthree\n");
  EXPECT_EQ(highlight_terminal("one two", passages, true, true), "one \x1b[31m[1: two]\x1b[0m");
  EXPECT_EQ(highlight_terminal("a\x1b[2J two", passages, false, false), "[1: a\\x1b[]2J two");
}

std::vector<Passage> arbitrary_passages() {
  const auto span = rc::gen::construct<Span>(rc::gen::inRange<std::uint64_t>(0, 60),
                                             rc::gen::inRange<std::uint64_t>(0, 30));
  return *rc::gen::container<std::vector<Passage>>(
      rc::gen::construct<Passage>(span, span, rc::gen::just(std::uint32_t{1})));
}

RC_GTEST_PROP(Passages, SegmentsTileTheText, (const std::string& text)) {
  std::uint64_t at = 0;
  for (const TextPiece& segment : cut_at_passages(text, arbitrary_passages(), Side::kB)) {
    RC_ASSERT(segment.span.begin == at);
    RC_ASSERT(segment.span.length > 0U);
    at += segment.span.length;
  }
  RC_ASSERT(at == text.size());
}

RC_GTEST_PROP(Passages, TerminalViewHasNoControlsButNewlinesAndTabs, (const std::string& text)) {
  const std::string shown = highlight_terminal(text, arbitrary_passages(), true, false);
  RC_ASSERT(is_utf8(shown));
  RC_ASSERT(escape_for_terminal(shown, "\n\t") == shown);
}

}  // namespace
}  // namespace twinsift
