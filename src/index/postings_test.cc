// SPDX-License-Identifier: Apache-2.0
#include "index/postings.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

std::vector<ItemId> sorted(const Postings& postings, std::uint32_t key) {
  const auto bucket = postings.bucket(key);
  std::vector<ItemId> ids(bucket.size());
  EXPECT_EQ(bucket.copy(ids.data()), ids.data() + ids.size());
  for (std::uint32_t i = 0; i < bucket.size(); ++i) EXPECT_EQ(bucket[i], ids[i]);
  std::ranges::sort(ids);
  return ids;
}

using Model = std::map<std::uint32_t, std::set<ItemId>>;

void expect_equal(const Postings& postings, Model& model, std::uint32_t keys) {
  std::size_t size = 0;
  for (std::uint32_t key = 0; key < keys; ++key) {
    const std::vector<ItemId> expected(model[key].begin(), model[key].end());
    ASSERT_EQ(sorted(postings, key), expected) << key;
    size += expected.size();
  }
  EXPECT_EQ(postings.size(), size);
}

// ORACLE: whatever happens, the buckets are those of an ordered map; one key is far more frequent
// than the others, and some ids need four bytes in half of the rounds.
TEST(Postings, AgreeWithAMapAfterAnySeriesOfChanges) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Rng rng(seed);
    Postings postings(5);
    Model model;
    const std::uint32_t ids = seed % 2 == 0 ? 4000 : Postings::kMaxId;
    for (int step = 0; step < 20'000; ++step) {
      const std::uint32_t key = rng.below(3) == 0 ? 7 : rng.below(32);
      const bool grows = step / 4000 % 2 == 0;
      if (rng.below(10) < (grows ? 8U : 2U)) {
        const ItemId id = rng.below(ids) + (ids > 4000 ? 1 : 0);
        if (model[key].insert(id).second) postings.insert(key, id);
      } else if (!model[key].empty()) {
        const auto at = model[key].lower_bound(rng.below(ids));
        const ItemId id = at == model[key].end() ? *model[key].begin() : *at;
        model[key].erase(id);
        ASSERT_TRUE(postings.erase(key, id));
        ASSERT_FALSE(postings.erase(key, id));
      }
    }
    expect_equal(postings, model, 32);
  }
}

TEST(Postings, BuiltAtOnceOrOneByOneAreTheSame) {
  Rng rng(9);
  std::vector<std::uint32_t> keys(5000);
  for (auto& key : keys) key = rng.below(64);
  for (const ItemId first : {0U, 100U, 1U << 24U}) {
    Postings built(6);
    Postings grown(6);
    built.insert(1, 5);  // is replaced
    built.build(keys, first);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      grown.insert(keys[i], first + static_cast<ItemId>(i));
    }
    for (std::uint32_t key = 0; key < 64; ++key) {
      ASSERT_EQ(sorted(built, key), sorted(grown, key));
    }
    EXPECT_EQ(built.size(), grown.size());
  }
}

// Memory stays near what a fresh table takes, also after everything has been replaced many times.
TEST(Postings, MemoryDoesNotGrowWithHistory) {
  Rng rng(4);
  constexpr std::uint32_t kIds = 60'000;
  std::vector<std::uint32_t> keys(kIds);
  Postings postings(12);
  for (ItemId id = 0; id < kIds; ++id) postings.insert(id % 4096, id);
  for (ItemId id = 0; id < kIds; ++id) keys[id] = id % 4096;
  for (int step = 0; step < 300'000; ++step) {
    const ItemId id = rng.below(kIds);
    ASSERT_TRUE(postings.erase(keys[id], id));
    keys[id] = rng.below(4096);
    postings.insert(keys[id], id);
  }
  Postings fresh(12);
  fresh.build(keys, 0);
  EXPECT_LT(static_cast<double>(postings.bytes()), 1.12 * static_cast<double>(fresh.bytes()));
  for (ItemId id = 0; id < kIds; ++id) ASSERT_TRUE(postings.erase(keys[id], id));
  EXPECT_EQ(postings.size(), 0U);
  EXPECT_LT(postings.bytes(), 4096 * 8 + 10'000U);
}

}  // namespace
}  // namespace twinsift
