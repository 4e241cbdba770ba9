// SPDX-License-Identifier: Apache-2.0
#include "feature/word_bag.h"

#include <gtest/gtest.h>

namespace twinsift {
namespace {

LocalWords words_of(std::initializer_list<std::uint32_t> numbers) {
  LocalWords words{.width = 100, .height = 100, .words = {}};
  for (const std::uint32_t number : numbers) {
    LocalWord word;
    word.word = number;
    words.words.push_back(word);
  }
  return words;
}

TEST(WordBagTest, EverySpecIsReadBackAsItself) {
  for (const std::string spec : {"words", "words:tfidf", "words:tfidf:paper"}) {
    const auto kind = parse_word_bag(spec);
    ASSERT_TRUE(kind) << spec;
    EXPECT_EQ(spec_of(*kind), spec);
  }
  EXPECT_EQ(parse_word_bag("words:tfidf:smooth")->weights, IdfVariant::kSmooth);
  EXPECT_FALSE(parse_word_bag("words")->weights);
}

TEST(WordBagTest, WhatIsNoBagOfWordsIsNotTakenForOne) {
  for (const std::string spec :
       {"", "gist", "word", "words:", "words:5", "words:tfidf:", "words1"}) {
    EXPECT_FALSE(parse_word_bag(spec)) << spec;
  }
}

TEST(WordBagTest, CountsHaveTheIdsOfTheSetAndAddUpToTheKeyPoints) {
  const LocalWords words = words_of({7, 3, 7, 7, 8191, 0});
  const std::vector<TermCount> counts = word_counts(words);
  TokenSet ids;
  std::uint64_t all = 0;
  std::uint64_t most = 0;
  for (const TermCount& term : counts) {
    ids.push_back(term.id);
    all += term.count;
    most = std::max(most, term.count);
  }
  EXPECT_EQ(ids, word_set(words));
  EXPECT_EQ(all, 6U);
  EXPECT_EQ(most, 3U);
  EXPECT_TRUE(word_counts(words_of({})).empty());
}

// Collections keep words under "image1:words", and those of another vocabulary must not meet them:
// whoever ships another one gives the pictures another version.
TEST(WordBagTest, TheWordsOfImage1AreThoseOfThisVocabulary) {
  EXPECT_EQ(shipped_vocabulary().spec(), "words1:n=8192,id=007fc7c0931487fb");
}

}  // namespace
}  // namespace twinsift
