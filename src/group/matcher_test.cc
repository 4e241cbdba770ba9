// SPDX-License-Identifier: Apache-2.0
#include "group/matcher.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "feature/shingle.h"
#include "feature/tfidf.h"
#include "feature/token_set.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

// Texts of random words: families of near-duplicates, equal ones, tiny and empty ones.
std::vector<std::string> make_texts(std::uint32_t families, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::string> texts;
  const auto word = [&] { return "w" + std::to_string(rng.below(5000)) + " "; };
  for (std::uint32_t f = 0; f < families; ++f) {
    std::vector<std::string> base(20 + rng.below(150));
    for (auto& w : base) w = word();
    const std::uint32_t members = 1 + rng.below(4);
    for (std::uint32_t m = 0; m < members; ++m) {
      std::vector<std::string> words = base;
      for (std::uint32_t edits = rng.below(4); edits > 0; --edits) {
        words[rng.below(static_cast<std::uint32_t>(words.size()))] = word();
      }
      std::string text;
      for (const auto& w : words) text += w;
      texts.push_back(text);
    }
  }
  for (const char* tiny : {"", "", "two words", "two words", "Two words", "\n\n"}) {
    texts.emplace_back(tiny);
  }
  for (std::size_t i = texts.size(); i > 1; --i) {
    std::swap(texts[i - 1], texts[rng.below(static_cast<std::uint32_t>(i))]);
  }
  return texts;
}

TokenSet set_of(const std::string& text) {
  Shingles shingles;
  Shingler::make("words:5")->shingle(text, shingles);
  make_set(shingles.ids);
  return shingles.ids;
}

struct Configuration {
  MatcherOptions options;
  Matcher::Task task;
};

Matcher::Outcome run(const std::vector<std::string>& texts, const Configuration& config) {
  Matcher matcher = *Matcher::make(config.options);
  const Shingler shingler = *Shingler::make("words:5");
  Matcher::Batch batch(matcher);
  Shingles shingles;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    shingler.shingle(texts[i], shingles);
    batch.add(shingles, texts[i]);
    if (i % 7 != 0) continue;
    EXPECT_TRUE(matcher.append(batch));
  }
  EXPECT_TRUE(matcher.append(batch));
  Matcher::Task task = config.task;
  task.remake = [&](DocId d) -> Result<WeightedSet> { return WeightedSet{set_of(texts[d]), {}}; };
  task.same_text = config.task.same_text;
  if (!task.same_text) {
    task.same_text = [&](DocId a, DocId b) -> Result<bool> { return texts[a] == texts[b]; };
  }
  auto outcome = matcher.match(task);
  EXPECT_TRUE(outcome);
  return *std::move(outcome);
}

Configuration stored() {
  Configuration config;
  config.options.store_features = true;
  config.task.all_pairs = true;
  return config;
}

// What must hold for any outcome: keepers stay, members match them directly.
void expect_stars(const std::vector<std::string>& texts, const Matcher::Outcome& outcome) {
  for (DocId d = 0; d < texts.size(); ++d) {
    const DocId keeper = outcome.keeper[d];
    ASSERT_EQ(outcome.keeper[keeper], keeper);
    if (keeper == d || texts[d] == texts[keeper]) continue;
    ASSERT_DOUBLE_EQ(outcome.score[d], jaccard(set_of(texts[d]), set_of(texts[keeper])));
    ASSERT_GE(outcome.score[d], 0.8);
  }
}

// ORACLE: with stored features all pairs are exactly those of brute force.
TEST(Matcher, ExactPairsEqualBruteForce) {
  const auto texts = make_texts(60, 1);
  const Matcher::Outcome outcome = run(texts, stored());
  EXPECT_EQ(outcome.specs, (std::vector<std::string>{"prefix1"}));
  std::map<TokenSet, DocId> first;  // equal sets are paired with the first of them only
  std::vector<Match> expected;
  for (DocId b = 0; b < texts.size(); ++b) {
    const TokenSet set = set_of(texts[b]);
    Shingles shingles;
    Shingler::make("words:5")->shingle(texts[b], shingles);
    if (shingles.tiny) continue;
    const auto [place, inserted] = first.emplace(set, b);
    if (!inserted) {
      expected.push_back({place->second, b, 1});
      continue;
    }
    for (const auto& [other, a] : first) {
      const double j = jaccard(other, set);
      if (a != b && j >= 0.8) expected.push_back({a, b, j});
    }
  }
  const auto tiny = [&](const Match& m) { return texts[m.a].size() < 10; };
  std::vector<Match> pairs = outcome.pairs;
  std::erase_if(pairs, tiny);
  std::ranges::sort(expected, {}, [](const Match& m) { return std::pair(m.a, m.b); });
  EXPECT_EQ(pairs, expected);
  expect_stars(texts, outcome);
}

TEST(Matcher, TinyTextsAreDuplicatesOnlyByTheirBytesAndEmptyOnesNever) {
  const std::vector<std::string> texts = {"", "two words", "Two words", "two words", "", "..."};
  for (const bool store : {false, true}) {
    Configuration config;
    config.options.store_features = store;
    const Matcher::Outcome outcome = run(texts, config);
    EXPECT_EQ(outcome.keeper, (std::vector<DocId>{0, 1, 2, 1, 4, 5}));
  }
}

TEST(Matcher, EqualTextsCostNothingAndFollowTheFirst) {
  std::vector<std::string> texts(20'000, "a paragraph that occurs in very many documents indeed");
  texts[5] = "something quite different that nobody else in here has ever said";
  Configuration config;
  const Matcher::Outcome outcome = run(texts, config);
  EXPECT_EQ(outcome.collapsed, 19'998U);
  EXPECT_EQ(outcome.stats.candidates, 0U);
  EXPECT_EQ(std::ranges::count(outcome.keeper, 0U), 19'999);
  EXPECT_EQ(outcome.keeper[5], 5U);
}

// Equal hashes alone make no duplicates: here every document claims another text, as if all hashes
// had met, and the features decide; for tiny documents there are none.
TEST(Matcher, EqualHashesAreNotTrusted) {
  const std::vector<std::string> texts = {"two words", "two words",
                                          "one text that stands here for the first time",
                                          "one text that stands here for the first time"};
  Configuration config;
  std::vector<std::pair<DocId, DocId>> asked;
  config.task.same_text = [&](DocId a, DocId b) -> Result<bool> {
    asked.emplace_back(a, b);
    return false;
  };
  const Matcher::Outcome outcome = run(texts, config);
  std::ranges::sort(asked);
  EXPECT_EQ(asked, (std::vector<std::pair<DocId, DocId>>{{0, 1}, {2, 3}}));
  EXPECT_EQ(outcome.keeper, (std::vector<DocId>{0, 1, 2, 2}));
}

// The same words in another order of sentences: not the same sequence, but the same set, if the
// sentences are repeated so that every seam occurs in both.
TEST(Matcher, EqualSetsInAnotherOrderAreCollapsed) {
  const std::string a = "one two three four five six seven ";
  const std::string b = "red green blue white black grey pink ";
  const std::vector<std::string> texts = {a + b + a + b + a, b + a + b + a + b};
  Configuration config;
  const Matcher::Outcome outcome = run(texts, config);
  EXPECT_EQ(set_of(texts[0]), set_of(texts[1]));
  EXPECT_EQ(outcome.collapsed, 1U);
  EXPECT_EQ(outcome.keeper[1], 0U);
}

// Sketches find nearly all that the exact join finds and nothing else; memory that does not
// suffice changes nothing.
TEST(Matcher, SpilledSketchesGiveTheSameOutcome) {
  const auto texts = make_texts(300, 2);
  Configuration config;
  config.task.all_pairs = true;
  const Matcher::Outcome outcome = run(texts, config);
  expect_stars(texts, outcome);
  const auto exact = run(texts, stored()).pairs;
  const std::set<std::pair<DocId, DocId>> known = [&] {
    std::set<std::pair<DocId, DocId>> pairs;
    for (const Match& m : exact) pairs.emplace(m.a, m.b);
    return pairs;
  }();
  for (const Match& m : outcome.pairs) EXPECT_TRUE(known.contains({m.a, m.b}));
  EXPECT_GE(static_cast<double>(outcome.pairs.size()), 0.98 * static_cast<double>(exact.size()));

  for (const unsigned threads : {1U, 3U}) {
    Configuration small = config;
    small.options.memory = 4096;
    small.options.threads = threads;
    const Matcher::Outcome same = run(texts, small);
    EXPECT_EQ(same.pairs, outcome.pairs);
    EXPECT_EQ(same.keeper, outcome.keeper);
    EXPECT_EQ(same.score, outcome.score);
  }
}

TEST(Matcher, StarsDoNotDependOnWhetherAllPairsAreWanted) {
  const auto texts = make_texts(300, 3);
  for (const bool longest : {false, true}) {
    Configuration config;
    config.task.longest_first = longest;
    const Matcher::Outcome stars = run(texts, config);
    config.task.all_pairs = true;
    const Matcher::Outcome pairs = run(texts, config);
    EXPECT_EQ(stars.keeper, pairs.keeper);
    EXPECT_EQ(stars.score, pairs.score);
    if (!longest) continue;
    for (DocId d = 0; d < texts.size(); ++d) {
      EXPECT_GE(texts[stars.keeper[d]].size(), texts[d].size());
    }
  }
}

TEST(Matcher, ReferencesStayAndOnlyTheyCount) {
  const std::string text = "the very same text that stands in both of the corpora here";
  const std::string other = "another text which stands twice but only in the new corpus";
  const std::vector<std::string> texts = {text, text, text, other, other};
  Configuration config;
  config.task.references = 2;
  config.task.references_only = true;
  config.task.all_pairs = true;
  const Matcher::Outcome outcome = run(texts, config);
  EXPECT_EQ(outcome.keeper, (std::vector<DocId>{0, 1, 0, 3, 4}));
  EXPECT_EQ(outcome.pairs, (std::vector<Match>{{0, 2, 1}}));
}

TEST(Matcher, LabelsKeepTheirOwnApart) {
  const auto texts = make_texts(40, 4);
  Configuration config = stored();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    config.task.labels.push_back(static_cast<std::uint32_t>(i % 2));
  }
  const Matcher::Outcome outcome = run(texts, config);
  EXPECT_FALSE(outcome.pairs.empty());
  for (const Match& m : outcome.pairs) EXPECT_NE(m.a % 2, m.b % 2);
}

// ORACLE: weighted sets against brute force; what is found is exact, and hardly anything is missed.
TEST(Matcher, WeightedPairsEqualBruteForce) {
  const auto texts = make_texts(200, 6);
  const Shingler shingler = *Shingler::make("tfidf");
  std::vector<std::vector<TermCount>> counts;
  DocumentFrequencies frequencies;
  Shingles shingles;
  for (const std::string& text : texts) {
    shingler.shingle(text, shingles);
    counts.push_back(count_terms(shingles.ids));
    frequencies.add(counts.back());
  }
  const IdfTable idf = IdfTable::freeze(frequencies, IdfVariant::kSmooth);
  std::vector<WeightedSet> sets;
  for (const auto& terms : counts) sets.push_back(idf.weigh(terms));
  for (const bool store : {false, true}) {
    MatcherOptions options{.sketch = "dart1", .temp_dir = {}};
    options.store_features = store;
    options.weighted = true;
    Matcher matcher = *Matcher::make(options);
    Matcher::Batch batch(matcher);
    for (const std::string& text : texts) {
      shingler.shingle(text, shingles);
      batch.add(shingles, text, &idf);
    }
    ASSERT_TRUE(matcher.append(batch));
    Matcher::Task task;
    task.all_pairs = true;
    task.remake = [&](DocId d) -> Result<WeightedSet> { return sets[d]; };
    task.same_text = [&](DocId a, DocId b) -> Result<bool> { return texts[a] == texts[b]; };
    const auto outcome = matcher.match(task);
    ASSERT_TRUE(outcome);
    std::set<std::pair<DocId, DocId>> found;
    for (const Match& m : outcome->pairs) {
      found.emplace(m.a, m.b);
      EXPECT_NEAR(m.score, weighted_jaccard(sets[m.a], sets[m.b]), 1e-12);
      EXPECT_GE(m.score, 0.8);
    }
    std::vector<DocId> first(texts.size());
    for (DocId d = 0; d < texts.size(); ++d) {
      const auto same = [&](const WeightedSet& set) {
        return set.tokens == sets[d].tokens && set.weights == sets[d].weights;
      };
      first[d] = static_cast<DocId>(std::ranges::find_if(sets, same) - sets.begin());
    }
    double wanted = 0;
    double missed = 0;
    for (DocId b = 0; b < texts.size(); ++b) {
      for (DocId a = 0; a < b; ++a) {
        if (sets[a].tokens.empty() || weighted_jaccard(sets[a], sets[b]) < 0.8) continue;
        // Of equal documents only the first is compared with others.
        const auto pair = std::minmax(first[a], first[b]);
        ++wanted;
        missed += pair.first == pair.second || found.contains(pair) ? 0 : 1;
      }
    }
    EXPECT_GT(wanted, 100);
    EXPECT_LE(missed, 0.01 * wanted + 4 * std::sqrt(0.01 * wanted));
  }
}

TEST(Matcher, ImpossibleOptionsAreRefused) {
  EXPECT_FALSE(Matcher::make({.threshold = 0, .temp_dir = {}}));
  EXPECT_FALSE(Matcher::make({.recall = 1.5, .temp_dir = {}}));
  EXPECT_FALSE(Matcher::make({.sketch = "nonsense", .temp_dir = {}}));
  EXPECT_FALSE(Matcher::make({.sketch = "fss1:k=32", .temp_dir = {}}));
  EXPECT_TRUE(Matcher::make({.sketch = "minhash1", .temp_dir = {}}));
}

}  // namespace
}  // namespace twinsift
