// SPDX-License-Identifier: Apache-2.0
#include "feature/shingle.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/hash.h"
#include "base/random.h"
#include "feature/token_set.h"

namespace twinsift {
namespace {

Shingles shingles(std::string_view spec, std::string_view text) {
  Shingles out;
  Shingler::make(spec)->shingle(text, out);
  return out;
}

TokenSet set_of(std::string_view spec, std::string_view text) {
  TokenSet ids = shingles(spec, text).ids;
  make_set(ids);
  return ids;
}

TEST(Shingle, CountsFollowFromTheLength) {
  EXPECT_EQ(shingles("words:3", "one two three four five").ids.size(), 3U);
  EXPECT_EQ(shingles("words:5", "one two three four five").ids.size(), 1U);
  EXPECT_EQ(shingles("chars:9", "0123456789").ids.size(), 2U);
  EXPECT_EQ(set_of("chars:4", std::string(100, 'a')).size(), 1U);
}

TEST(Shingle, TinyAndEmptyTextsAreMarked) {
  const Shingles empty = shingles("words:5", " ...\n");
  EXPECT_TRUE(empty.ids.empty());
  EXPECT_TRUE(empty.tiny);
  const Shingles tiny = shingles("words:5", "only four words here");
  EXPECT_EQ(tiny.ids.size(), 1U);
  EXPECT_TRUE(tiny.tiny);
  EXPECT_FALSE(shingles("words:5", "these are just five words").tiny);
}

TEST(Shingle, CaseSpaceAndPunctuationDoNotMatterToWords) {
  EXPECT_EQ(set_of("words:3", "The Quick,  brown\tFOX jumps"),
            set_of("words:3", "the quick brown fox (jumps)."));
  EXPECT_EQ(shingles("words:3", "The quick-brown FOX").order_hash,
            shingles("words:3", "the quick brown fox").order_hash);
}

TEST(Shingle, CaseAndSpaceDoNotMatterToChars) {
  EXPECT_EQ(set_of("chars:5", "  The Quick\n\n brown "), set_of("chars:5", "the quick brown"));
  EXPECT_NE(set_of("chars:5", "the quick brown"), set_of("chars:5", "thequickbrown"));
  EXPECT_EQ(set_of("chars:3", "CAFE\u0301 \u00a0 bar"), set_of("chars:3", "caf\u00e9 bar"));
}

// An ASCII text gives the same characters as through ICU: here forced by one letter outside.
TEST(Shingle, AsciiCharsEqualUnicodeChars) {
  const std::string ascii = "Some ASCII text, with  spaces and CAPITALS; 1234567890.";
  TokenSet mixed = set_of("chars:6", ascii + "\u00e9");
  for (const std::uint64_t id : set_of("chars:6", ascii)) {
    EXPECT_TRUE(std::ranges::binary_search(mixed, id));
  }
}

TEST(Shingle, OrderOfWordsMatters) {
  EXPECT_NE(set_of("words:2", "alpha beta"), set_of("words:2", "beta alpha"));
  EXPECT_NE(shingles("words:2", "alpha beta gamma").order_hash,
            shingles("words:2", "gamma beta alpha").order_hash);
}

TEST(Shingle, BadSpecsAreRefusedByName) {
  for (const char* spec :
       {"words:0", "words:", "words:x", "words:5x", "lines:3", "", "chars:1001"}) {
    const auto made = Shingler::make(spec);
    ASSERT_FALSE(made) << spec;
    EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(made.error().message.find(spec), std::string::npos);
  }
  EXPECT_EQ(Shingler::make("words")->spec(), "words:5");
  EXPECT_EQ(Shingler::make("chars")->spec(), "chars:9");
}

// A million different runs of few tokens: by the birthday bound no two ids may meet, and swapped
// or shifted tokens must not either.
TEST(Shingle, RollingIdsDoNotCollide) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    std::vector<std::uint64_t> run;
    for (std::uint64_t rest = i, j = 0; j < 6; ++j, rest /= 10) run.push_back(mix64(rest % 10));
    roll_shingles(run, 6);
    ids.push_back(run.front());
  }
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
}

// PROPERTY: rolling gives what hashing each run by itself gives.
RC_GTEST_PROP(Shingle, RollingEqualsDirect, (std::vector<std::uint64_t> tokens)) {
  const auto k = *rc::gen::inRange<std::uint32_t>(1, 8);
  std::vector<std::uint64_t> expected;
  for (std::size_t i = 0; i + k <= tokens.size(); ++i) {
    std::vector<std::uint64_t> run(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                                   tokens.begin() + static_cast<std::ptrdiff_t>(i + k));
    roll_shingles(run, k);
    expected.push_back(run.front());
  }
  const bool runs = tokens.size() >= k;
  roll_shingles(tokens, k);
  RC_ASSERT(!runs || tokens == expected);
}

// PROPERTY: make_set is sort and unique, for even and for uneven ids of any number.
TEST(Shingle, MakeSetEqualsSortUnique) {
  Rng rng(5);
  for (const std::uint32_t n : {0U, 1U, 63U, 64U, 65U, 300U, 5000U}) {
    for (const unsigned shift : {0U, 40U, 58U}) {
      TokenSet ids(n);
      for (auto& id : ids) id = (rng.next() >> shift) * (shift == 40U ? 977 : 1);
      const std::set<std::uint64_t> expected(ids.begin(), ids.end());
      make_set(ids);
      ASSERT_EQ(ids, TokenSet(expected.begin(), expected.end()));
    }
  }
}

// Shingles of two texts are among those of their concatenation at a sentence border.
TEST(Shingle, ConcatenationHasBoth) {
  const std::string a = "first text with some words in it";
  const std::string b = "second text that follows after the first";
  const TokenSet both = set_of("words:4", a + "\n" + b);
  for (const auto& part : {a, b}) {
    for (const std::uint64_t id : set_of("words:4", part)) {
      EXPECT_TRUE(std::ranges::binary_search(both, id));
    }
  }
}

}  // namespace
}  // namespace twinsift
