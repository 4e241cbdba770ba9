// SPDX-License-Identifier: Apache-2.0
#include "index/balanced.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "index/test_vectors.h"

namespace twinsift {
namespace {

// GOLDEN: the values of eq. 25 for the settings of the paper's experiments.
TEST(Balanced, PaperCap) {
  EXPECT_EQ(paper_cap(10200, 320, 20), 85U);
  EXPECT_EQ(paper_cap(10200, 320, 30), 57U);
  EXPECT_EQ(paper_cap(10200, 400, 15), 140U);
  EXPECT_EQ(paper_cap(10200, 400, 20), 105U);
  EXPECT_EQ(paper_cap(3297, 320, 20), 28U);
  EXPECT_EQ(paper_cap(3297, 400, 30), 23U);
  EXPECT_EQ(paper_cap(10200, 3000, 30), 512U);
}

VectorStore store_of(const TestVectors& vectors) {
  VectorStore store(vectors.dimension);
  for (std::size_t i = 0; i < vectors.rows().size(); ++i) {
    EXPECT_TRUE(store.insert(static_cast<ItemId>(i), vectors.rows()[i]));
  }
  return store;
}

// Keys of very uneven frequency.
std::vector<std::uint64_t> uneven_keys(std::size_t count, std::uint32_t kinds, Rng& rng) {
  std::vector<std::uint64_t> keys(count);
  for (auto& key : keys) key = 3 * std::min(rng.below(kinds), rng.below(kinds));
  return keys;
}

TEST(Balanced, EveryIdIsThereOnceAndNoBucketIsTooLarge) {
  Rng rng(1);
  for (int trial = 0; trial < 60; ++trial) {
    const TestVectors vectors = make_test_vectors(300, 3, rng.next());
    const VectorStore store = store_of(vectors);
    const auto keys = uneven_keys(300, 1 + rng.below(60), rng);
    const BalancedTable table(keys, store, 1 + rng.below(30));
    std::vector<ItemId> all;
    for (const auto& bucket : table.buckets()) {
      EXPECT_LE(bucket.size(), table.cap());
      all.insert(all.end(), bucket.begin(), bucket.end());
    }
    std::ranges::sort(all);
    ASSERT_EQ(all.size(), 300U);
    for (ItemId id = 0; id < 300; ++id) EXPECT_EQ(all[id], id);
    const BalancedTable again(keys, store, table.cap());
    EXPECT_EQ(table.buckets(), again.buckets());
  }
}

TEST(Balanced, WithoutCapNothingMoves) {
  Rng rng(2);
  const TestVectors vectors = make_test_vectors(300, 3, 1);
  const auto keys = uneven_keys(300, 40, rng);
  const BalancedTable table(keys, store_of(vectors), BalancedTable::kNoCap);
  std::map<std::uint64_t, std::vector<ItemId>> expected;
  for (ItemId id = 0; id < 300; ++id) expected[keys[id]].push_back(id);
  ASSERT_EQ(table.buckets().size(), expected.size());
  std::size_t t = 0;
  for (const auto& [key, ids] : expected) {
    EXPECT_EQ(table.buckets()[t++], ids);
    EXPECT_EQ(table.recorded_probe(key).count, 1U);
    EXPECT_EQ(table.paper_probe(key).count, 2U);  // phi = 1
  }
}

TEST(Balanced, TheSmallestCapFillsAllBucketsButTheSlack) {
  Rng rng(3);
  const TestVectors vectors = make_test_vectors(301, 3, 1);
  const auto keys = uneven_keys(301, 20, rng);
  const BalancedTable table(keys, store_of(vectors), 1);
  const std::size_t buckets = table.buckets().size();
  EXPECT_EQ(table.cap(), (301 + buckets - 1) / buckets);
  std::size_t free = 0;
  for (const auto& bucket : table.buckets()) free += table.cap() - bucket.size();
  EXPECT_EQ(free, table.cap() * buckets - 301);
  EXPECT_LT(free, buckets);
}

// GOLDEN: by hand.  Keys 5, 9, 9, 9, 9 of numbers 0, 1, 2, 3, 10: the centre of 9 is 4; with a cap
// of 3 the farthest, 10, moves from the last bucket to the first.
TEST(Balanced, TheFarthestFromTheCentreMoves) {
  const TestVectors vectors{.values = {0, 1, 2, 3, 10}, .dimension = 1};
  const std::vector<std::uint64_t> keys = {5, 9, 9, 9, 9};
  const BalancedTable table(keys, store_of(vectors), 3);
  EXPECT_EQ(table.buckets(), (std::vector<std::vector<ItemId>>{{0, 4}, {1, 2, 3}}));
  EXPECT_EQ(table.recorded_probe(9).first, 1U);
  EXPECT_EQ(table.recorded_probe(9).count, 2U);
  EXPECT_EQ(table.recorded_probe(5).count, 1U);
  EXPECT_EQ(table.recorded_probe(6).first, 1U);   // no such key: the next
  EXPECT_EQ(table.recorded_probe(10).first, 0U);  // cyclic
  EXPECT_EQ(table.paper_probe(9).count, 2U);      // floor(3 / (3 - 2.5)) = 6, but there are two
  // Ties go by id: all at the same place, the last move on.
  const TestVectors same{.values = {7, 7, 7, 7, 7}, .dimension = 1};
  EXPECT_EQ(BalancedTable(keys, store_of(same), 3).buckets(),
            (std::vector<std::vector<ItemId>>{{0, 4}, {1, 2, 3}}));
}

TEST(Balanced, EqualVectorsAreOneBucket) {
  const TestVectors vectors{.values = std::vector<float>(80, 1), .dimension = 2};
  const std::vector<std::uint64_t> keys(40, 8);
  const BalancedTable table(keys, store_of(vectors), 5);
  EXPECT_EQ(table.cap(), 40U);
  EXPECT_EQ(table.paper_probe(8).count, 1U);  // phi = 0
  EXPECT_EQ(table.recorded_probe(8).count, 1U);
  const auto index = make_vector_index("balanced1:v=2,cap=paper", vectors.rows(), vectors.rows());
  ASSERT_TRUE(index);
  EXPECT_EQ(candidates(**index, vectors.rows()[0]).size(), 40U);
  const auto empty = make_vector_index("balanced1:v=2", vectors.rows(), {{}, 2});
  ASSERT_TRUE(empty);
  EXPECT_TRUE(candidates(**empty, vectors.rows()[0]).empty());
}

// PROPERTY: with recorded displacement nothing that basic LSH finds is lost, for every seed;
// without it, some is.
TEST(Balanced, RecordedAnswersContainThoseOfBasicLsh) {
  std::size_t lost = 0;
  for (const std::string family : {"hamming,v=8,l=4", "pstable,v=3,l=4,r=3"}) {
    for (int seed = 0; seed < 8; ++seed) {
      const TestVectors vectors = make_test_vectors(900, 12, static_cast<std::uint64_t>(seed));
      const auto make = [&](const std::string& rest) {
        const std::string spec =
            "balanced1:" + rest + ",family=" + family + ",seed=" + std::to_string(seed);
        return std::move(*make_vector_index(spec, vectors.rows(), vectors.rows()));
      };
      const std::string basic_spec = (family[0] == 'h' ? "hamming1:" : "pstable1:") +
                                     family.substr(8) + ",seed=" + std::to_string(seed);
      const auto basic = *make_vector_index(basic_spec, vectors.rows(), vectors.rows());
      const auto recorded = make("cap=8,probe=recorded");
      const auto paper = make("cap=8,probe=paper");
      Rng rng(static_cast<std::uint64_t>(seed));
      for (int q = 0; q < 40; ++q) {
        const auto question = near_vector(vectors, rng);
        const auto a = candidates(*basic, question);
        EXPECT_TRUE(std::ranges::includes(candidates(*recorded, question), a));
        lost += std::ranges::includes(candidates(*paper, question), a) ? 0U : 1U;
      }
    }
  }
  EXPECT_GT(lost, 0U);
}

TEST(Balanced, SpecsAreCanonicalAndBadOnesRefused) {
  EXPECT_EQ(canonical("balanced1"),
            "balanced1:family=hamming,cap=auto,probe=paper,v=16,l=10,theta=median,seed=0");
  EXPECT_EQ(canonical("balanced1:family=pstable,probe=recorded,cap=paper"),
            "balanced1:family=pstable,cap=paper,probe=recorded,v=8,l=20,r=4,seed=0");
  EXPECT_EQ(canonical("balanced1:cap=12"),
            "balanced1:family=hamming,cap=12,probe=paper,v=16,l=10,theta=median,seed=0");
  expect_bad_specs({"balanced1:", "balanced1:cap=0", "balanced1:cap=some", "balanced1:probe=all",
                    "balanced1:gamma=4", "balanced1:family=", "balanced1:r=3"});
  expect_refusals("balanced1:v=8");
}

TEST(Balanced, CannotChange) {
  const TestVectors vectors = make_test_vectors(20, 4, 1);
  const auto index = make_vector_index("balanced1:v=4", vectors.rows(), vectors.rows());
  ASSERT_TRUE(index);
  EXPECT_EQ((*index)->insert(20, vectors.rows()[0]).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ((*index)->erase(3).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace twinsift
