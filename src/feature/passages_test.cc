// SPDX-License-Identifier: Apache-2.0
#include "feature/passages.h"

#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "feature/words.h"

namespace twinsift {
namespace {

std::string cut(const std::string& text, Span span) { return text.substr(span.begin, span.length); }

TEST(Passages, AreFoundWithTheirPlaces) {
  const std::string a = "Intro here. The quick, brown fox jumps over the lazy dog! And an end.";
  const std::string b = "Other start; the QUICK brown fox  jumps over the lazy\ndog -- fin.";
  const auto passages = find_passages(a, b, 3);
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(passages[0].words, 9U);
  EXPECT_EQ(cut(a, passages[0].a), "The quick, brown fox jumps over the lazy dog");
  EXPECT_EQ(cut(b, passages[0].b), "the QUICK brown fox  jumps over the lazy\ndog");
}

TEST(Passages, OffsetsCountBytesInAnyScript) {
  const std::string a =
      "\u041f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440 \u0438 \u0434\u0440\u0443\u0433 "
      "\U0001F600 x";
  const std::string b =
      "y \u043f\u0440\u0438\u0432\u0435\u0442 \u041c\u0418\u0420 \u0438 \u0434\u0440\u0443\u0433 "
      "\U0001F600";
  const auto passages = find_passages(a, b, 3);
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(cut(a, passages[0].a), a.substr(0, a.size() - 2));
  EXPECT_EQ(cut(b, passages[0].b), b.substr(2));
}

TEST(Passages, NothingInCommonGivesNothing) {
  EXPECT_TRUE(find_passages("one two three four", "five six seven eight", 2).empty());
  EXPECT_TRUE(find_passages("", "five six seven eight", 2).empty());
  EXPECT_TRUE(find_passages("one two", "one two", 3).empty());
}

// PROPERTY: passages are in order, do not overlap in a, are long enough, and say the same words.
TEST(Passages, SayTheSameWordsInOrder) {
  Rng rng(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::string a;
    std::string b;
    for (std::uint32_t i = rng.below(60); i > 0; --i) a += std::to_string(rng.below(6)) + " ";
    for (std::uint32_t i = rng.below(60); i > 0; --i) b += std::to_string(rng.below(6)) + ", ";
    std::uint64_t end = 0;
    for (const Passage& passage : find_passages(a, b, 3)) {
      ASSERT_GE(passage.a.begin, end);
      end = passage.a.begin + passage.a.length;
      std::vector<std::uint64_t> words_a;
      std::vector<std::uint64_t> words_b;
      hash_words(cut(a, passage.a), words_a);
      hash_words(cut(b, passage.b), words_b);
      ASSERT_EQ(words_a, words_b);
      ASSERT_EQ(words_a.size(), passage.words);
      ASSERT_GE(passage.words, 3U);
    }
  }
}

// A text that repeats one word must not cost quadratic time.
TEST(Passages, RepetitiveTextIsLinear) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "again ";
  const auto passages = find_passages(text, text, 5);
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(passages[0].words, 200'000U);
}

}  // namespace
}  // namespace twinsift
