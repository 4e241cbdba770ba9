// SPDX-License-Identifier: Apache-2.0
#include "group/sort_merge.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "base/test_dir.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

using Sets = std::vector<std::set<std::uint64_t>>;

constexpr std::uint64_t kTiny = 0;  // buffers of eight records: many runs, many rounds
constexpr std::uint64_t kPlenty = 1 << 20;

SortMerge fed(const Sets& sets, const SortMergeOptions& options) {
  SortMerge sorted(options);
  for (ItemId item = 0; item < sets.size(); ++item) {
    for (const std::uint64_t value : sets[item]) EXPECT_TRUE(sorted.add(value, item));
  }
  return sorted;
}

std::vector<Overlap> overlaps_of(const Sets& sets, std::uint64_t memory,
                                 std::uint32_t max_items = 1000) {
  SortMerge sorted = fed(sets, {.max_items = max_items, .memory = memory});
  std::vector<Overlap> all;
  EXPECT_TRUE(sorted.pair_up());
  EXPECT_TRUE(sorted.overlaps([&](const Overlap& overlap) {
    all.push_back(overlap);
    return ok();
  }));
  return all;
}

ClusterTask task_of(const Sets& sets, double threshold) {
  ClusterTask task{.threshold = threshold};
  for (const auto& set : sets) task.sizes.push_back(set.size());
  return task;
}

Clusters clusters_of(const Sets& sets, double threshold,
                     OverlapMeasure measure = OverlapMeasure::kResemblance,
                     std::uint64_t memory = kPlenty) {
  SortMerge sorted = fed(sets, {.memory = memory});
  ClusterTask task = task_of(sets, threshold);
  task.measure = measure;
  auto found = find_clusters(sorted, task);
  EXPECT_TRUE(found);
  return *std::move(found);
}

// Few values and many sets, so that most pairs share something.
Sets random_sets() {
  const auto count = *rc::gen::inRange<std::size_t>(0, 25);
  // Values may repeat: a set of more than twelve of them cannot be drawn.
  const auto values = *rc::gen::container<std::vector<std::vector<std::uint64_t>>>(
      count,
      rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 12)));
  Sets sets;
  for (const auto& some : values) sets.emplace_back(some.begin(), some.end());
  return sets;
}

std::vector<Overlap> brute_force(const Sets& sets, std::size_t max_items) {
  std::map<std::uint64_t, std::size_t> frequency;
  for (const auto& set : sets) {
    for (const std::uint64_t value : set) ++frequency[value];
  }
  std::vector<Overlap> all;
  for (ItemId a = 0; a < sets.size(); ++a) {
    for (ItemId b = a + 1; b < sets.size(); ++b) {
      std::uint64_t common = 0;
      for (const std::uint64_t value : sets[a]) {
        if (sets[b].contains(value) && frequency[value] <= max_items) ++common;
      }
      if (common > 0) all.push_back({a, b, common});
    }
  }
  return all;
}

double jaccard_of(const std::set<std::uint64_t>& a, const std::set<std::uint64_t>& b) {
  return jaccard(TokenSet(a.begin(), a.end()), TokenSet(b.begin(), b.end()));
}

// Components by repeated relabelling, scores by comparing sets.
Clusters slow_clusters(const Sets& sets, double threshold) {
  const auto alike = [&](ItemId a, ItemId b) {
    return !sets[a].empty() && jaccard_of(sets[a], sets[b]) >= threshold;
  };
  Clusters slow;
  slow.representative.resize(sets.size());
  std::iota(slow.representative.begin(), slow.representative.end(), 0);
  for (std::size_t round = 0; round < sets.size(); ++round) {
    for (ItemId a = 0; a < sets.size(); ++a) {
      for (ItemId b = 0; b < sets.size(); ++b) {
        if (a == b || !alike(a, b)) continue;
        slow.representative[a] = std::min(slow.representative[a], slow.representative[b]);
      }
    }
  }
  for (ItemId item = 0; item < sets.size(); ++item) {
    const ItemId first = slow.representative[item];
    const bool direct = first == item || alike(first, item);
    slow.score.push_back(first == item ? 1 : direct ? jaccard_of(sets[first], sets[item]) : 0);
    if (first == item) ++slow.clusters;
    if (!direct) ++slow.chained;
  }
  return slow;
}

// GOLDEN: A = {1,2,3}, B = {2,3,4}, C = {9}: one triple (A, B, 2) and R = 2/4.
TEST(SortMerge, SmallExample) {
  const Sets sets = {{1, 2, 3}, {2, 3, 4}, {9}};
  EXPECT_EQ(overlaps_of(sets, kPlenty), (std::vector<Overlap>{{0, 1, 2}}));
  const Clusters together = clusters_of(sets, .5);
  EXPECT_EQ(together.representative, (std::vector<ItemId>{0, 0, 2}));
  EXPECT_EQ(together.score, (std::vector<double>{1, .5, 1}));
  EXPECT_EQ(together.clusters, 2U);
  const Clusters apart = clusters_of(sets, .51);
  EXPECT_EQ(apart.representative, (std::vector<ItemId>{0, 1, 2}));
  EXPECT_EQ(apart.clusters, 3U);
}

// ORACLE: all pairs of sets, compared one by one.
RC_GTEST_PROP(SortMerge, OverlapsAreThoseOfBruteForceForAnyMemory, ()) {
  const Sets sets = random_sets();
  const auto max_items = *rc::gen::element<std::uint32_t>(0, 1, 3, 1000);
  const auto expected = brute_force(sets, max_items);
  RC_ASSERT(overlaps_of(sets, kPlenty, max_items) == expected);
  RC_ASSERT(overlaps_of(sets, kTiny, max_items) == expected);
}

// ORACLE
RC_GTEST_PROP(SortMerge, ClustersAreThoseOfBruteForceForAnyMemory, ()) {
  const Sets sets = random_sets();
  const double threshold = *rc::gen::inRange(1, 21) / 20.0;
  const Clusters slow = slow_clusters(sets, threshold);
  for (const std::uint64_t memory : {kTiny, kPlenty}) {
    const Clusters found = clusters_of(sets, threshold, OverlapMeasure::kResemblance, memory);
    RC_ASSERT(found.representative == slow.representative);
    RC_ASSERT(found.score == slow.score);
    RC_ASSERT(found.clusters == slow.clusters);
    RC_ASSERT(found.chained == slow.chained);
  }
}

// PROPERTY
RC_GTEST_PROP(SortMerge, NumberingItemsAnewGivesTheSamePartition, ()) {
  const Sets sets = random_sets();
  std::vector<ItemId> order(sets.size());
  std::iota(order.begin(), order.end(), 0);
  Rng random(*rc::gen::arbitrary<std::uint64_t>());
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
  }
  Sets shuffled;
  for (const ItemId item : order) shuffled.push_back(sets[item]);
  const Clusters one = clusters_of(sets, .4);
  const Clusters other = clusters_of(shuffled, .4);
  RC_ASSERT(one.clusters == other.clusters);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      RC_ASSERT((other.representative[i] == other.representative[j]) ==
                (one.representative[order[i]] == one.representative[order[j]]));
    }
  }
}

// PROPERTY
RC_GTEST_PROP(SortMerge, ClustersGrowInNumberWithTheThreshold, ()) {
  const Sets sets = random_sets();
  std::uint32_t before = 0;
  for (const double threshold : {.01, .1, .25, .4, .5, .75, .9, 1.0}) {
    const std::uint32_t clusters = clusters_of(sets, threshold).clusters;
    RC_ASSERT(clusters >= before);
    before = clusters;
  }
}

// PROPERTY
RC_GTEST_PROP(SortMerge, PairsAscendAndAreNeverOfOneItem, ()) {
  const Sets sets = random_sets();
  SortMerge sorted({.memory = kTiny});
  for (int times = 0; times < 2; ++times) {  // whatever is said twice counts once
    for (ItemId item = 0; item < sets.size(); ++item) {
      for (const std::uint64_t value : sets[item]) RC_ASSERT(sorted.add(value, item));
    }
  }
  std::vector<Overlap> all;
  RC_ASSERT(sorted.pair_up());
  RC_ASSERT(sorted.overlaps([&](const Overlap& pair) {
    all.push_back(pair);
    return ok();
  }));
  for (const Overlap& pair : all) RC_ASSERT(pair.a < pair.b);
  const auto key = [](const Overlap& pair) { return std::pair(pair.a, pair.b); };
  RC_ASSERT(std::ranges::adjacent_find(all, std::greater_equal{}, key) == all.end());
  RC_ASSERT(all == brute_force(sets, 1000));
}

TEST(SortMerge, ContainmentLooksAtTheSmallerSet) {
  const Sets sets = {{1, 2, 3, 4, 5, 6, 7, 8}, {1, 2}, {1, 20}};
  EXPECT_EQ(clusters_of(sets, .3).clusters, 2U);  // R: 2/8, 1/9, 1/3
  const Clusters found = clusters_of(sets, 1, OverlapMeasure::kContainment);
  EXPECT_EQ(found.representative, (std::vector<ItemId>{0, 0, 2}));
  EXPECT_EQ(found.score[1], 1);
  EXPECT_EQ(overlap_score(1, 9, 2, OverlapMeasure::kContainment), .5);
}

// 0 - 1 - 2 is a chain: its ends share one value of seven.
TEST(SortMerge, TheStarCheckFindsChains) {
  const Sets sets = {{1, 2, 3, 4}, {2, 3, 4, 5, 6}, {4, 5, 6, 7}, {100}};
  const Clusters found = clusters_of(sets, .5);
  EXPECT_EQ(found.representative, (std::vector<ItemId>{0, 0, 0, 3}));
  EXPECT_EQ(found.score, (std::vector<double>{1, .5, 0, 1}));
  EXPECT_EQ(found.chained, 1U);
}

TEST(SortMerge, EmptySetsAreAlone) {
  const Clusters found = clusters_of({{}, {}, {1}}, .1);
  EXPECT_EQ(found.clusters, 3U);
  EXPECT_EQ(clusters_of({}, .1).clusters, 0U);
}

TEST(SortMerge, ValuesThatAreTooCommonAreLeftOutAndCounted) {
  const Sets sets = {{1, 7}, {1, 7}, {1, 8}, {1, 9}};
  SortMerge sorted = fed(sets, {.max_items = 3, .memory = kPlenty});
  const auto found = find_clusters(sorted, task_of(sets, .3));
  ASSERT_TRUE(found);
  EXPECT_EQ(sorted.common_values().size(), 1U);
  EXPECT_EQ(found->representative, (std::vector<ItemId>{0, 0, 2, 3}));
  EXPECT_EQ(found->score[1], 1.0 / 3);  // a lower bound: the sets are equal
}

TEST(SortMerge, AValueInAllItemsCostsNothing) {
  SortMerge sorted({.memory = kTiny});
  for (ItemId item = 0; item < 20'000; ++item) {
    ASSERT_TRUE(sorted.add(UINT64_MAX, item));
    ASSERT_TRUE(sorted.add(item / 2, item));
  }
  std::uint64_t pairs = 0;
  ASSERT_TRUE(sorted.pair_up());
  ASSERT_TRUE(sorted.overlaps([&](const Overlap& pair) {
    EXPECT_EQ(pair.common, 1U);
    ++pairs;
    return ok();
  }));
  EXPECT_EQ(pairs, 10'000U);
  EXPECT_EQ(sorted.common_values().size(), 1U);
}

TEST(SortMerge, EqualItemsAreOneClusterUpToTheLimitAndApartBeyond) {
  const Sets sets(200, {1, 2, 3});
  const Clusters found = clusters_of(sets, 1, OverlapMeasure::kResemblance, kTiny);
  EXPECT_EQ(found.clusters, 1U);
  EXPECT_EQ(found.chained, 0U);
  SortMerge sorted = fed(sets, {.max_items = 199, .memory = kTiny});
  const auto apart = find_clusters(sorted, task_of(sets, 1));
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->clusters, 200U);
  EXPECT_EQ(sorted.common_values().size(), 3U);
}

TEST(SortMerge, SizesThatCannotBeAreAnError) {
  const Sets sets = {{1, 2, 3}, {1, 2, 3}};
  for (const std::vector<std::uint64_t>& sizes :
       {std::vector<std::uint64_t>{3}, {}, {3, 2}, {0, 0}}) {
    SortMerge sorted = fed(sets, {});
    const auto found = find_clusters(sorted, {.sizes = sizes, .threshold = .5});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(SortMerge, AFullDiskIsAnErrorAndLeavesNothing) {
  const TestDir directory;
  const int result = in_child([&] {
    limit_disk(directory.path().string());
    SortMerge sorted({.memory = 16 << 10, .temp_dir = directory.path().string()});
    Status status = ok();
    for (ItemId item = 0; status && item < 1'000'000; ++item) status = sorted.add(item, item);
    if (status) return 1;
    return is_disk_full(status.error().message) && directory.names().empty() ? 0 : 2;
  });
  EXPECT_EQ(result, 0);
}

}  // namespace
}  // namespace twinsift
