// SPDX-License-Identifier: Apache-2.0
#include "feature/tfidf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "feature/shingle.h"
#include "feature/weights.h"

namespace twinsift {
namespace {

DocumentFrequencies count(const std::vector<TokenSet>& corpus) {
  DocumentFrequencies frequencies;
  for (const TokenSet& ids : corpus) frequencies.add(count_terms(ids));
  return frequencies;
}

// Four documents; term i is in i of them.
const std::vector<TokenSet> kCorpus = {{1, 2, 3, 4, 4}, {2, 3, 4}, {3, 4, 3}, {4}};

Result<IdfTable> load(const std::string& bytes) {
  return IdfTable::load(std::as_bytes(std::span(bytes)));
}

TEST(CountTerms, KeepsMultiplicity) {
  EXPECT_EQ(count_terms({7, 3, 7, 7}), (std::vector<TermCount>{{3, 1}, {7, 3}}));
  EXPECT_TRUE(count_terms({}).empty());
  Shingles shingles;
  Shingler::make("terms:english")
      ->shingle("The river, a river: many rivers and one boat", shingles);
  std::vector<std::uint64_t> counts;
  for (const TermCount& term : count_terms(shingles.ids)) counts.push_back(term.count);
  EXPECT_EQ(std::ranges::max(counts), 3U);
}

// GOLDEN: D = 4, df = 1..4
TEST(Idf, GoldenValues) {
  const IdfTable smooth = IdfTable::freeze(count(kCorpus), IdfVariant::kSmooth);
  const IdfTable paper = IdfTable::freeze(count(kCorpus), IdfVariant::kPaper);
  constexpr std::array kSmooth = {1.916291, 1.510826, 1.223144, 1.0};
  constexpr std::array kPaper = {.693147, .287682, 0.0, -.223144};
  for (std::size_t df = 1; df <= 4; ++df) {
    EXPECT_NEAR(smooth.idf(df), kSmooth[df - 1], 1e-6);
    EXPECT_NEAR(paper.idf(df), kPaper[df - 1], 1e-6);
  }
  EXPECT_NEAR(smooth.idf(99), std::log(5.0) + 1, 1e-12);
  EXPECT_NEAR(paper.idf(99), std::log(4.0), 1e-12);
}

TEST(Idf, WeighsFrequencyTimesRarity) {
  const IdfTable table = IdfTable::freeze(count(kCorpus), IdfVariant::kSmooth);
  const WeightedSet set = table.weigh(count_terms({4, 1, 4, 99}));
  ASSERT_EQ(set.tokens, (TokenSet{1, 4, 99}));
  EXPECT_DOUBLE_EQ(set.weights[0], 0.25 * table.idf(1));
  EXPECT_DOUBLE_EQ(set.weights[1], 0.5 * table.idf(4));
  EXPECT_TRUE(is_canonical(set));
  EXPECT_TRUE(table.weigh({}).tokens.empty());
}

TEST(Idf, PaperVariantDropsTermsWithoutPositiveWeight) {
  const IdfTable table = IdfTable::freeze(count(kCorpus), IdfVariant::kPaper);
  EXPECT_EQ(table.weigh(count_terms({1, 2, 3, 4})).tokens, (TokenSet{1, 2}));
  const IdfTable one = IdfTable::freeze(count({{1, 2}}), IdfVariant::kPaper);
  EXPECT_TRUE(one.weigh(count_terms({1, 2})).tokens.empty());
  const IdfTable none = IdfTable::freeze({}, IdfVariant::kPaper);
  EXPECT_TRUE(none.weigh(count_terms({1})).tokens.empty());
}

// PROPERTY: tf sums to 1, and a term of all documents keeps a positive weight.
RC_GTEST_PROP(Idf, FrequenciesSumToOne, (TokenSet ids)) {
  RC_PRE(!ids.empty());
  for (std::uint64_t& id : ids) id %= 5;
  const std::vector<TermCount> document = count_terms(ids);
  DocumentFrequencies frequencies;
  frequencies.add(document);
  const IdfTable table = IdfTable::freeze(frequencies, IdfVariant::kSmooth);
  const WeightedSet set = table.weigh(document);
  RC_ASSERT(set.tokens.size() == document.size());
  double sum = 0;
  for (std::size_t i = 0; i < set.tokens.size(); ++i)
    sum += set.weights[i] / table.idf(set.tokens[i]);
  RC_ASSERT(std::fabs(sum - 1) < 1e-12);
}

TEST(Idf, AnotherDocumentLowersTheIdfOfItsTerms) {
  auto corpus = kCorpus;
  const IdfTable before = IdfTable::freeze(count(corpus), IdfVariant::kSmooth);
  corpus.push_back({1, 2});
  const IdfTable after = IdfTable::freeze(count(corpus), IdfVariant::kSmooth);
  EXPECT_LT(after.idf(1), before.idf(1));
  EXPECT_LT(after.idf(2), before.idf(2));
  EXPECT_GT(after.idf(3), before.idf(3));
}

TEST(DocumentFrequencies, MergedCountsAreThoseOfAllDocuments) {
  DocumentFrequencies left = count({kCorpus[0], kCorpus[3]});
  left.merge(count({kCorpus[1], kCorpus[2]}));
  EXPECT_EQ(left.documents(), 4U);
  EXPECT_EQ(IdfTable::freeze(left, IdfVariant::kSmooth).version(),
            IdfTable::freeze(count(kCorpus), IdfVariant::kSmooth).version());
}

TEST(Idf, VersionTellsTablesApart) {
  const std::uint64_t version = IdfTable::freeze(count(kCorpus), IdfVariant::kSmooth).version();
  EXPECT_NE(IdfTable::freeze(count(kCorpus), IdfVariant::kPaper).version(), version);
  auto corpus = kCorpus;
  corpus.push_back({});
  EXPECT_NE(IdfTable::freeze(count(corpus), IdfVariant::kSmooth).version(), version);
}

TEST(Idf, LoadedTableIsTheSavedOne) {
  for (const IdfVariant variant : {IdfVariant::kSmooth, IdfVariant::kPaper}) {
    const IdfTable table = IdfTable::freeze(count(kCorpus), variant);
    const auto loaded = load(table.save());
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->version(), table.version());
    EXPECT_EQ(loaded->save(), table.save());
    EXPECT_EQ(loaded->idf(2), table.idf(2));
  }
  EXPECT_TRUE(load(IdfTable::freeze({}, IdfVariant::kSmooth).save()));
}

TEST(Idf, EveryFlippedByteAndEveryLengthIsFound) {
  const std::string good = IdfTable::freeze(count(kCorpus), IdfVariant::kSmooth).save();
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    const auto flipped = load(bad);
    ASSERT_FALSE(flipped) << i;
    EXPECT_EQ(flipped.error().code, ErrorCode::kCorrupt);
    EXPECT_FALSE(load(good.substr(0, i))) << i;
  }
  EXPECT_FALSE(load(good + std::string(16, '\0')));
}

}  // namespace
}  // namespace twinsift
