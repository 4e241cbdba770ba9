// SPDX-License-Identifier: Apache-2.0
// Sort and merge as the source of candidates, against brute force and the exact prefix join.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/test_dir.h"
#include "feature/weights.h"
#include "group/matcher.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

using Sets = std::vector<WeightedSet>;

constexpr double kThresholds[] = {0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};

// Families of sets that differ in a few tokens, all with some tokens that many have; some are
// equal.
Sets make_sets(std::uint32_t families, std::uint64_t seed, bool weighted = false) {
  Rng rng(seed);
  Sets sets;
  for (std::uint32_t f = 0; f < families; ++f) {
    TokenSet base(3 + rng.below(60));
    for (auto& token : base) token = rng.below(4) == 0 ? rng.below(40) : rng.next();
    for (std::uint32_t m = 1 + rng.below(5); m > 0; --m) {
      WeightedSet set;
      set.tokens = base;
      for (std::uint32_t edits = rng.below(6); edits > 0; --edits) {
        set.tokens[rng.below(static_cast<std::uint32_t>(base.size()))] = rng.next();
      }
      std::ranges::sort(set.tokens);
      set.tokens.erase(std::unique(set.tokens.begin(), set.tokens.end()), set.tokens.end());
      for (std::size_t i = 0; weighted && i < set.tokens.size(); ++i) {
        set.weights.push_back(0.5 + static_cast<double>(set.tokens[i] % 7));
      }
      sets.push_back(std::move(set));
    }
  }
  for (std::size_t i = sets.size(); i > 1; --i) {
    std::swap(sets[i - 1], sets[rng.below(static_cast<std::uint32_t>(i))]);
  }
  return sets;
}

MatcherOptions by(GeneratorKind kind, double threshold) {
  MatcherOptions options;
  options.threshold = threshold;
  options.store_features = true;
  options.generator.kind = kind;
  return options;
}

// With stored features, or with sketches of sets that are made again.
Result<Matcher::Outcome> try_run(const Sets& sets, const MatcherOptions& options,
                                 Matcher::Task task) {
  TWINSIFT_TRY(Matcher matcher, Matcher::make(options));
  Matcher::Batch batch(matcher);
  for (DocId d = 0; d < sets.size(); ++d) {
    if (options.store_features) {
      batch.add_set(sets[d], sets[d].tokens.size());
    } else {
      Shingles shingles{.ids = sets[d].tokens, .tokens = 0, .order_hash = d, .tiny = false};
      batch.add(shingles, "");
    }
    if (d % 5 != 0) continue;
    TWINSIFT_TRY([[maybe_unused]] auto done, matcher.append(batch));
  }
  TWINSIFT_TRY([[maybe_unused]] auto done, matcher.append(batch));
  task.remake = [&](DocId d) -> Result<WeightedSet> { return sets[d]; };
  task.same_text = [](DocId, DocId) -> Result<bool> { return false; };
  return matcher.match(task);
}

Matcher::Outcome run(const Sets& sets, const MatcherOptions& options, const Matcher::Task& task) {
  auto outcome = try_run(sets, options, task);
  EXPECT_TRUE(outcome);
  return *std::move(outcome);
}

Matcher::Task all_pairs() {
  Matcher::Task task;
  task.all_pairs = true;
  return task;
}

double similarity(const WeightedSet& a, const WeightedSet& b) {
  return a.weights.empty() ? jaccard(a.tokens, b.tokens) : weighted_jaccard(a, b);
}

// All pairs, of equal documents only those with the first of them.
std::vector<Match> brute_force(const Sets& sets, double threshold) {
  const auto same = [](const WeightedSet& a, const WeightedSet& b) {
    return a.tokens == b.tokens && a.weights == b.weights;
  };
  std::vector<DocId> first(sets.size());
  std::vector<Match> pairs;
  for (DocId b = 0; b < sets.size(); ++b) {
    first[b] = b;
    for (DocId a = 0; a < b && first[b] == b; ++a) {
      if (same(sets[a], sets[b])) first[b] = a;
    }
    if (first[b] != b) {
      pairs.push_back({first[b], b, 1});
      continue;
    }
    for (DocId a = 0; a < b; ++a) {
      const double score = similarity(sets[a], sets[b]);
      if (first[a] == a && score >= threshold) pairs.push_back({a, b, score});
    }
  }
  std::ranges::sort(pairs, {}, [](const Match& m) { return std::pair(m.a, m.b); });
  return pairs;
}

void expect_same(const Matcher::Outcome& a, const Matcher::Outcome& b) {
  EXPECT_EQ(a.pairs, b.pairs);
  EXPECT_EQ(a.keeper, b.keeper);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.collapsed, b.collapsed);
}

std::uint64_t count_of(const Matcher::Outcome& outcome, std::string_view name) {
  for (const auto& [known, count] : outcome.index_counts) {
    if (known == name) return count;
  }
  ADD_FAILURE() << "no count " << name;
  return 0;
}

// ORACLE: brute force and the exact join, at any threshold.
TEST(MatcherSortMerge, PairsEqualBruteForceAndTheExactJoin) {
  for (const double threshold : kThresholds) {
    const Sets sets = make_sets(60, static_cast<std::uint64_t>(threshold * 100));
    const auto exact = run(sets, by(GeneratorKind::kPrefix, threshold), all_pairs());
    const auto merged = run(sets, by(GeneratorKind::kSortMerge, threshold), all_pairs());
    EXPECT_EQ(merged.pairs, brute_force(sets, threshold)) << threshold;
    EXPECT_GT(merged.pairs.size(), 10U);
    expect_same(merged, exact);
    EXPECT_EQ(merged.specs, std::vector<std::string>{"sortmerge1:max=1000"});
    EXPECT_EQ(exact.specs, std::vector<std::string>{"prefix1"});
    EXPECT_EQ(count_of(merged, "values_left_out"), 0U);
    // Counts decide: all that is looked at is found.
    EXPECT_EQ(merged.stats.candidates, merged.stats.matches);
  }
}

TEST(MatcherSortMerge, NothingDependsOnMemoryOrThreads) {
  const Sets sets = make_sets(80, 7);
  for (const bool store : {true, false}) {
    MatcherOptions options = by(GeneratorKind::kSortMerge, 0.6);
    options.store_features = store;
    for (const bool pairs : {true, false}) {
      Matcher::Task task;
      task.all_pairs = pairs;
      const auto expected = run(sets, options, task);
      for (const unsigned threads : {1U, 2U}) {
        const TestDir directory;
        MatcherOptions small = options;
        small.threads = threads;
        small.memory = 1 << 17;  // buffers of a few hundred records
        small.temp_dir = directory.path().string();
        const auto outcome = run(sets, small, task);
        expect_same(outcome, expected);
        EXPECT_EQ(outcome.guarantee, expected.guarantee);
        EXPECT_EQ(outcome.index_counts, expected.index_counts);
        EXPECT_EQ(outcome.stats.candidates, expected.stats.candidates);
        EXPECT_TRUE(directory.names().empty());
      }
    }
  }
}

// References, labels and the order of keeping, each against the exact join.
TEST(MatcherSortMerge, EveryTaskHasTheOutcomeOfTheExactJoin) {
  const Sets sets = make_sets(70, 8);
  for (int mask = 0; mask < 32; ++mask) {
    Matcher::Task task;
    task.longest_first = (mask & 1) != 0;
    task.references = (mask & 2) != 0 ? 50 : 0;
    task.references_only = (mask & 4) != 0;
    task.all_pairs = (mask & 8) != 0;
    for (DocId d = 0; (mask & 16) != 0 && d < sets.size(); ++d) task.labels.push_back(d % 3);
    expect_same(run(sets, by(GeneratorKind::kSortMerge, 0.5), task),
                run(sets, by(GeneratorKind::kPrefix, 0.5), task));
  }
}

// With values left out, all that is missing lies between documents that are named.
TEST(MatcherSortMerge, WhatIsMissedIsBetweenDocumentsThatAreNamed) {
  std::size_t missed = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Sets sets = make_sets(40, seed);
    for (const double threshold : {0.4, 0.6, 0.8}) {
      MatcherOptions options = by(GeneratorKind::kSortMerge, threshold);
      options.generator.max_items = 3;
      const auto outcome = run(sets, options, all_pairs());
      const std::set<DocId> named(outcome.stats.capped.begin(), outcome.stats.capped.end());
      EXPECT_GT(count_of(outcome, "values_left_out"), 0U);
      std::set<std::pair<DocId, DocId>> found;
      for (const Match& m : outcome.pairs) found.emplace(m.a, m.b);
      std::size_t known = 0;
      for (const Match& m : brute_force(sets, threshold)) {
        known += found.count({m.a, m.b});
        if (found.contains({m.a, m.b})) continue;
        EXPECT_TRUE(named.contains(m.b) && named.contains(m.a)) << m.a << " " << m.b;
        ++missed;
      }
      EXPECT_EQ(known, found.size());  // nothing is invented
    }
  }
  EXPECT_GT(missed, 20U);
}

TEST(MatcherSortMerge, TheGuaranteeTellsOfValuesLeftOut) {
  // Each has a token of its own and shares nine with all others.
  Sets sets(30);
  for (DocId d = 0; d < sets.size(); ++d) {
    for (std::uint64_t token = 0; token < 9; ++token) sets[d].tokens.push_back(token);
    sets[d].tokens.push_back(100 + d);
  }
  MatcherOptions options = by(GeneratorKind::kSortMerge, 0.8);
  const auto all = run(sets, options, all_pairs());
  EXPECT_EQ(all.guarantee, "exact sort-merge join, P(found at 0.80) = 1");
  EXPECT_EQ(all.pairs.size(), 30U * 29 / 2);
  options.generator.max_items = 29;
  const auto none = run(sets, options, all_pairs());
  EXPECT_EQ(none.guarantee,
            "exact sort-merge join, P(found at 0.80) = 1 but for 30 documents: 9 of 39 values were "
            "left out, for more than 29 documents share each");
  EXPECT_TRUE(none.pairs.empty());
  EXPECT_EQ(none.stats.capped.size(), 30U);
}

// ORACLE: weights need an exact comparison of every pair that shares a token.
TEST(MatcherSortMerge, WeightedPairsEqualBruteForce) {
  for (const double threshold : {0.4, 0.8, 0.95}) {
    const Sets sets = make_sets(60, 11, true);
    MatcherOptions options = by(GeneratorKind::kSortMerge, threshold);
    options.weighted = true;
    options.sketch = "dart1";
    options.filter = "none";
    const auto exact = run(sets, options, all_pairs());
    std::vector<Match> expected = brute_force(sets, threshold);
    ASSERT_EQ(exact.pairs.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(exact.pairs[i].a, expected[i].a);
      EXPECT_EQ(exact.pairs[i].b, expected[i].b);
      EXPECT_NEAR(exact.pairs[i].score, expected[i].score, 1e-12);
    }
    EXPECT_TRUE(exact.guarantee.starts_with("sort-merge of features, P(found at "));
    EXPECT_TRUE(exact.guarantee.ends_with(" = 1"));
    // The early stop may lose one pair in ten thousand; here are a few hundred.
    options.filter = "gs1";
    const auto filtered = run(sets, options, all_pairs());
    EXPECT_TRUE(filtered.guarantee.ends_with(" >= 0.9999")) << filtered.guarantee;
    EXPECT_EQ(filtered.pairs, exact.pairs);
    EXPECT_LT(filtered.stats.survivors, exact.stats.survivors);
    EXPECT_EQ(filtered.specs, (std::vector<std::string>{"dart1:k=128,seed=0", "sortmerge1:max=1000",
                                                        filtered.specs.back()}));
  }
}

// Sketches of 128 components miss a pair at 0.4 with probability 0.6^128; what the early stop may
// lose is one in ten thousand.
TEST(MatcherSortMerge, ComponentsFindWhatFeaturesFind) {
  for (const double threshold : kThresholds) {
    const Sets sets = make_sets(100, 12);
    MatcherOptions options = by(GeneratorKind::kSortMerge, threshold);
    options.store_features = false;
    const auto found = run(sets, options, all_pairs());
    EXPECT_EQ(found.pairs, brute_force(sets, threshold)) << threshold;
    EXPECT_TRUE(found.guarantee.starts_with("k=128, sort-merge of components, P(found at "));
    EXPECT_TRUE(found.guarantee.ends_with(" >= 0.9999")) << found.guarantee;
    EXPECT_EQ(found.specs[1], "sortmerge1:max=1000");
    // As many pairs share a component as agree in one place.
    EXPECT_GE(count_of(found, "sharing_pairs"), found.stats.matches);
  }
}

// A crowd that shares one large part has its components left out, and is named; another pair is
// found all the same.
TEST(MatcherSortMerge, ComponentsThatAreTooCommonAreLeftOutAndTheirDocumentsNamed) {
  Rng rng(3);
  TokenSet crowd(200);
  TokenSet pair(200);
  for (auto& token : crowd) token = rng.next();
  for (auto& token : pair) token = rng.next();
  Sets sets(40);
  for (DocId d = 0; d < sets.size(); ++d) {
    sets[d].tokens = d < 38 ? crowd : pair;
    sets[d].tokens.push_back(rng.next());
    std::ranges::sort(sets[d].tokens);
  }
  MatcherOptions options = by(GeneratorKind::kSortMerge, 0.8);
  options.store_features = false;
  options.generator.max_items = 20;
  const auto found = run(sets, options, all_pairs());
  ASSERT_EQ(found.stats.capped.size(), 38U);
  EXPECT_EQ(found.stats.capped.back(), 37U);
  EXPECT_EQ(found.keeper[39], 38U);
  EXPECT_NE(found.guarantee.find("P(found at 0.80) >= 0.99 but for 38 documents: "),
            std::string::npos)
      << found.guarantee;
}

TEST(MatcherSortMerge, EqualDocumentsDoNotMakeTheirValuesCommon) {
  Sets sets = make_sets(20, 13);
  const std::size_t distinct = sets.size();
  for (int copies = 0; copies < 500; ++copies) sets.push_back(sets[0]);
  MatcherOptions options = by(GeneratorKind::kSortMerge, 0.5);
  options.generator.max_items = 100;
  const auto outcome = run(sets, options, {});
  EXPECT_EQ(count_of(outcome, "values_left_out"), 0U);
  for (std::size_t d = distinct; d < sets.size(); ++d) {
    EXPECT_EQ(outcome.keeper[d], outcome.keeper[0]);
  }
}

TEST(MatcherSortMerge, AStopEndsTheSortsAndProgressMoves) {
  const Sets sets = make_sets(2000, 14);
  std::map<std::string, std::uint64_t> told;
  Matcher::Task task;
  task.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    EXPECT_LE(done, total);
    ++told[std::string(stage)];
  };
  MatcherOptions options = by(GeneratorKind::kSortMerge, 0.8);
  options.generator.max_items = 100;
  run(sets, options, task);
  options.memory = 1 << 20;
  for (const char* stage : {"sorting", "pairing", "counting", "comparing"}) {
    EXPECT_GT(told[stage], 0U) << stage;
    std::stop_source source;
    Matcher::Task stopped;
    stopped.stop = source.get_token();
    std::uint64_t later = 0;
    stopped.progress = [&](std::string_view now, std::uint64_t, std::uint64_t) {
      if (now == stage) source.request_stop();
      later += source.stop_requested() && now != stage ? 1U : 0U;
    };
    const auto outcome = try_run(sets, options, stopped);
    ASSERT_FALSE(outcome) << stage;
    EXPECT_EQ(outcome.error().code, ErrorCode::kCancelled);
    EXPECT_EQ(later, 0U) << stage;
  }
}

TEST(MatcherSortMerge, ForcedGeneratorsAreUsedWhateverWouldBeCheaper) {
  const Sets sets = make_sets(30, 15);
  const auto spec = [&](GeneratorKind kind) { return run(sets, by(kind, 0.8), all_pairs()).specs; };
  EXPECT_EQ(spec(GeneratorKind::kAuto), std::vector<std::string>{"prefix1"});
  const auto banding = spec(GeneratorKind::kBanding);
  ASSERT_EQ(banding.size(), 3U);
  EXPECT_TRUE(banding[1].starts_with("banding1:b="));
}

TEST(MatcherSortMerge, ImpossibleCombinationsAreRefused) {
  MatcherOptions weighted = by(GeneratorKind::kPrefix, 0.8);
  weighted.weighted = true;
  weighted.sketch = "dart1";
  auto refused = Matcher::make(weighted);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "prefix1 compares sets without weights: find candidates by banding1 or sortmerge1, or "
            "compare other features than tfidf");
  MatcherOptions low = by(GeneratorKind::kSortMerge, 0.01);
  low.sketch = "fss1:k=64";
  refused = Matcher::make(low);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("sortmerge1 with 64 components finds pairs at threshold "
                                         "0.01 with probability 0.4"),
            std::string::npos)
      << refused.error().message;
  EXPECT_TRUE(Matcher::make(by(GeneratorKind::kSortMerge, 0.01)));
}

}  // namespace
}  // namespace twinsift
