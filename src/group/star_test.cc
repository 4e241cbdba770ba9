// SPDX-License-Identifier: Apache-2.0
// The way from sets to stars, against brute force: buckets, prefix filter, early stop, groups.
#include "group/star.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/random.h"
#include "index/banding.h"
#include "index/buckets.h"
#include "index/prefix.h"
#include "sketch/fss.h"
#include "sketch/set_sketch.h"
#include "tune/tune.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

// Families of related sets: each member is its family's set with some tokens changed.
std::vector<TokenSet> make_families(std::uint32_t families, std::uint32_t members,
                                    std::uint32_t size, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<TokenSet> sets;
  for (std::uint32_t f = 0; f < families; ++f) {
    TokenSet base(size);
    for (auto& token : base) token = rng.next();
    for (std::uint32_t m = 0; m < members; ++m) {
      TokenSet set = base;
      const std::uint32_t changes = rng.below(size / 4 + 1);
      for (std::uint32_t c = 0; c < changes; ++c) set[rng.below(size)] = rng.next();
      std::ranges::sort(set);
      set.erase(std::unique(set.begin(), set.end()), set.end());
      sets.push_back(set);
    }
  }
  for (std::size_t i = sets.size(); i > 1; --i) {
    std::swap(sets[i - 1], sets[rng.below(static_cast<std::uint32_t>(i))]);
  }
  return sets;
}

std::vector<Match> brute_force(const std::vector<TokenSet>& sets, double threshold) {
  std::vector<Match> matches;
  for (ItemId a = 0; a < sets.size(); ++a) {
    for (ItemId b = a + 1; b < sets.size(); ++b) {
      const double j = jaccard(sets[a], sets[b]);
      if (j >= threshold) matches.push_back({a, b, j});
    }
  }
  return matches;
}

RemadeSets::Maker maker_of(const std::vector<TokenSet>& sets) {
  return [&sets](ItemId item) -> Result<WeightedSet> { return WeightedSet{sets[item], {}}; };
}

std::vector<std::span<const std::uint64_t>> views(const std::vector<TokenSet>& sets) {
  return {sets.begin(), sets.end()};
}

struct Exact {
  Exact(const std::vector<TokenSet>& sets, double threshold)
      : buckets(BucketTable::build({.items = static_cast<std::uint32_t>(sets.size())},
                                   prefix_postings(views(sets), threshold))),
        features(maker_of(sets), 1U << 20U),
        verifier({.threshold = threshold}, features) {
    task = {.candidates = &buckets,
            .verifier = &verifier,
            .items = static_cast<std::uint32_t>(sets.size())};
  }
  BucketTable buckets;
  RemadeSets features;
  Verifier verifier;
  MatchTask task;
};

// ORACLE: the prefix filter misses nothing, at any threshold and any size of the sets.
TEST(Prefix, JoinEqualsBruteForce) {
  for (const std::uint32_t size : {1U, 2U, 5U, 20U, 100U}) {
    const auto sets = make_families(12, 12, size, size);
    for (const double threshold : {0.3, 0.5, 0.8, 0.9, 1.0}) {
      Exact exact(sets, threshold);
      ASSERT_EQ(find_all_pairs(exact.task)->matches, brute_force(sets, threshold))
          << size << " " << threshold;
    }
  }
}

TEST(Stars, EqualStarsOfAllPairsForAnyNumberOfThreads) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto sets = make_families(60, 50, 30, seed);
    const auto matches = brute_force(sets, 0.7);
    const Stars expected = stars_of(matches, static_cast<std::uint32_t>(sets.size()), 0);
    for (const unsigned threads : {1U, 2U, 5U}) {
      Exact exact(sets, 0.7);
      exact.task.threads = threads;
      const Stars stars = *find_stars(exact.task);
      ASSERT_EQ(stars.keeper, expected.keeper);
      ASSERT_EQ(stars.score, expected.score);
    }
  }
}

// The invariant that makes removal safe: a keeper stays, and members match it directly.
TEST(Stars, NeverChain) {
  // 0-1, 1-2, ... each match their neighbours only.
  std::vector<TokenSet> sets;
  for (std::uint64_t i = 0; i < 50; ++i) {
    TokenSet set(20);
    std::iota(set.begin(), set.end(), i * 2);
    sets.push_back(set);
  }
  Exact exact(sets, 0.8);
  const Stars stars = *find_stars(exact.task);
  std::size_t kept = 0;
  for (ItemId i = 0; i < sets.size(); ++i) {
    const ItemId keeper = stars.keeper[i];
    EXPECT_EQ(stars.keeper[keeper], keeper);
    EXPECT_GE(jaccard(sets[i], sets[keeper]), 0.8);
    kept += keeper == i ? 1U : 0U;
  }
  EXPECT_EQ(kept, 25U);  // 0, 2, 4, ...: one cluster of 50 if it chained
}

TEST(Stars, ReferencesStayAndCatchTheRest) {
  const auto sets = make_families(10, 20, 40, 9);
  Exact exact(sets, 0.7);
  exact.task.references = 100;
  exact.task.references_only = true;
  const Stars stars = *find_stars(exact.task);
  const auto matches = brute_force(sets, 0.7);
  for (ItemId i = 0; i < 100; ++i) EXPECT_EQ(stars.keeper[i], i);
  for (ItemId i = 100; i < sets.size(); ++i) {
    const bool matched =
        std::ranges::any_of(matches, [&](const Match& m) { return m.b == i && m.a < 100; });
    EXPECT_EQ(stars.keeper[i] != i, matched);
    EXPECT_TRUE(stars.keeper[i] == i || stars.keeper[i] < 100);
  }
}

TEST(Stars, ForbiddenPairsDoNotMatch) {
  const auto sets = make_families(5, 10, 40, 4);
  Exact exact(sets, 0.5);
  exact.task.allowed = [](ItemId a, ItemId b) { return a % 2 != b % 2; };
  const auto all = find_all_pairs(exact.task);
  EXPECT_FALSE(all->matches.empty());
  for (const Match& m : all->matches) EXPECT_NE(m.a % 2, m.b % 2);
}

// A full bucket is cut at the cap, and those who could not see all of it are named.
TEST(Stars, CappedItemsAreNamed) {
  std::vector<TokenSet> sets;
  Rng rng(8);
  for (int i = 0; i < 100; ++i) {  // all share half of their tokens: no match at 0.9
    TokenSet set(20);
    std::iota(set.begin(), set.begin() + 10, 0);
    for (std::size_t j = 10; j < 20; ++j) set[j] = 1000 + rng.next() / 2;
    std::ranges::sort(set);
    sets.push_back(set);
  }
  std::vector<BucketTable::Posting> postings;
  for (ItemId i = 0; i < 100; ++i) postings.push_back({7, i});
  RemadeSets features(maker_of(sets), 1U << 20U);
  const Verifier verifier({.threshold = 0.9}, features);
  BucketTable buckets = BucketTable::build({.items = 100, .cap = 30}, postings);
  const MatchTask task{.candidates = &buckets, .verifier = &verifier, .items = 100};
  const auto all = find_all_pairs(task);
  EXPECT_EQ(all->stats.capped.size(), 69U);
  EXPECT_EQ(all->stats.capped.front(), 31U);
  // In one block up to 32 others are compared whether they stay or not.
  EXPECT_EQ(find_stars(task)->stats.capped.size(), 67U);
}

// STATISTICAL: with sketches and banding, pairs at the threshold are found with the promised
// probability, early stop included; what is reported is exact.
TEST(Stars, BandingKeepsItsPromise) {
  const double threshold = 0.8;
  const double recall = 0.95;
  const SketchPlan plan = *choose_sketch_size(threshold, recall, 256);
  const FssSketcher sketcher(plan.k, 1);
  const BandingIndex index(plan.banding.bands, plan.banding.rows);
  std::vector<TokenSet> sets;
  Rng rng(77);
  const std::uint32_t pairs = 3000;
  for (std::uint32_t p = 0; p < pairs; ++p) {  // J = 80 / 100 exactly
    TokenSet a(90);
    for (auto& t : a) t = rng.next();
    TokenSet b = a;
    for (std::size_t i = 0; i < 10; ++i) b[i] = rng.next();
    std::ranges::sort(a);
    std::ranges::sort(b);
    sets.push_back(a);
    sets.push_back(b);
  }
  SketchTable table({64, plan.k});
  std::vector<std::vector<std::uint32_t>> keys(plan.banding.bands);
  std::vector<std::uint32_t> rows(sets.size());
  std::iota(rows.begin(), rows.end(), 0);
  for (const TokenSet& set : sets) {
    Sketch sketch(plan.k);
    sketcher.sketch_ids(set, sketch);
    std::vector<std::uint8_t> codes(plan.k);
    make_codes(sketch, codes);
    ASSERT_TRUE(table.append(codes));
    std::vector<std::uint32_t> of_item(plan.banding.bands);
    index.keys(sketch, of_item);
    for (std::size_t t = 0; t < of_item.size(); ++t) keys[t].push_back(of_item[t]);
  }
  BucketTable buckets = BucketTable::build(
      {.tables = plan.banding.bands, .items = static_cast<std::uint32_t>(sets.size())},
      [&](std::uint32_t t, std::span<std::uint32_t> out) {
        std::ranges::copy(keys[t], out.begin());
      });
  RemadeSets features(maker_of(sets), 10'000);
  const Verifier verifier({.threshold = threshold,
                           .sketches = &table,
                           .early_stop = group_sequential_true({.k = plan.k,
                                                                .threshold_permille = 800,
                                                                .looks = {64},
                                                                .code_bits = 8,
                                                                .bound_last = true}),
                           .rows = rows},
                          features);
  const auto all = find_all_pairs({.candidates = &buckets,
                                   .verifier = &verifier,
                                   .items = static_cast<std::uint32_t>(sets.size()),
                                   .threads = 2});
  for (const Match& m : all->matches) ASSERT_DOUBLE_EQ(m.score, jaccard(sets[m.a], sets[m.b]));
  const double found = static_cast<double>(all->matches.size()) / pairs;
  EXPECT_GE(found, recall - 4 * std::sqrt(recall * (1 - recall) / pairs));
  EXPECT_LE(all->matches.size(), pairs);
}

TEST(Features, SmallCacheGivesTheSameSets) {
  const auto sets = make_families(10, 10, 50, 3);
  int made = 0;
  RemadeSets features(
      [&](ItemId item) -> Result<WeightedSet> {
        ++made;
        return WeightedSet{sets[item], {}};
      },
      2000);
  Rng rng(1);
  for (int i = 0; i < 20'000; ++i) {
    const ItemId item = rng.below(100);
    const SharedSet set = *features.get(item);
    ASSERT_TRUE(std::ranges::equal(set.set.ids, sets[item]));
  }
  EXPECT_GT(made, 1000);
}

TEST(Features, FailureOfAnInputIsPassedOn) {
  RemadeSets features(
      [](ItemId) -> Result<WeightedSet> {
        return Error{ErrorCode::kIo, "gone"};
      },
      1000);
  EXPECT_FALSE(features.get(1));
}

// GOLDEN: three small sets of the papers.
TEST(Similarity, GoldenJaccards) {
  const TokenSet d1{1, 2, 5, 10, 12, 15};
  const TokenSet d2{1, 2, 6, 10, 12, 14};
  const TokenSet d3{2, 9, 10, 12, 14};
  EXPECT_DOUBLE_EQ(jaccard(d1, d2), 1.0 / 2);
  EXPECT_DOUBLE_EQ(jaccard(d1, d3), 3.0 / 8);
  EXPECT_DOUBLE_EQ(jaccard(d2, d3), 4.0 / 7);
  EXPECT_DOUBLE_EQ(jaccard({}, {}), 1);
  EXPECT_DOUBLE_EQ(jaccard({}, d1), 0);
  EXPECT_DOUBLE_EQ(set_evidence(d1, d3).containment_b, 3.0 / 5);
  EXPECT_EQ(jaccard_at_least(d1, d2, 0.51), -1);
  EXPECT_EQ(jaccard_at_least(d1, d2, 0.5), 0.5);
}

}  // namespace
}  // namespace twinsift
