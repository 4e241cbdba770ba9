// SPDX-License-Identifier: Apache-2.0
#include "index/pair_list.h"

#include <algorithm>
#include <set>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift {
namespace {

using Pairs = std::set<std::pair<ItemId, ItemId>>;  // (later, earlier)

PairList listed(const Pairs& pairs, std::uint32_t items, std::uint64_t memory) {
  PairList list(items, memory, "");
  for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair) {
    EXPECT_TRUE(list.add(pair->first, pair->second));
  }
  list.finish();
  return list;
}

// Ascending, from `from` on.
std::vector<ItemId> expected(const Pairs& pairs, ItemId item, ItemId from) {
  std::vector<ItemId> ids;
  for (const auto& [later, earlier] : pairs) {
    if (later == item && earlier >= from) ids.push_back(earlier);
  }
  return ids;
}

// ORACLE: a set of pairs, in memory and on the disk.
RC_GTEST_PROP(PairList, AnswersAsASetOfPairsDoes, ()) {
  const auto items = *rc::gen::inRange<std::uint32_t>(1, 12);
  Pairs pairs;
  const auto drawn = *rc::gen::container<std::vector<std::pair<ItemId, ItemId>>>(
      rc::gen::pair(rc::gen::inRange<ItemId>(0, items), rc::gen::inRange<ItemId>(0, items)));
  for (const auto& [a, b] : drawn) {
    if (a != b) pairs.emplace(std::max(a, b), std::min(a, b));
  }
  for (const std::uint64_t memory : {0U, 1U << 20U}) {
    PairList list = listed(pairs, items, memory);
    RC_ASSERT(list.pairs() == pairs.size());
    RC_ASSERT(list.spilled() == (memory == 0 && !pairs.empty()));
    std::vector<ItemId> out;
    for (ItemId item = 0; item < items; ++item) {
      RC_ASSERT(list.earlier(item, out));
      RC_ASSERT(out == expected(pairs, item, 0));
    }
    const auto kept_all = *rc::gen::container<std::vector<bool>>(items, rc::gen::arbitrary<bool>());
    for (ItemId item = 0; item < items; ++item) {
      const auto from = *rc::gen::inRange<ItemId>(0, item + 1);
      auto all = expected(pairs, item, from);
      const auto limit = *rc::gen::inRange<std::size_t>(0, 4);
      const bool fits = all.size() <= limit;
      RC_ASSERT(list.between(from, item, limit, out) == fits);
      RC_ASSERT(out == (fits ? all : std::vector<ItemId>()));
      std::erase_if(all, [&](ItemId other) { return !kept_all[other]; });
      RC_ASSERT(list.kept(item, from, out));
      RC_ASSERT(out == all);
      if (kept_all[item]) list.keep(item);
    }
  }
}

TEST(PairList, SaysWhoseCandidatesMayBeMissing) {
  PairList list(3, 0, "");
  list.mark_incomplete(1);
  ASSERT_TRUE(list.add(1, 0));
  list.finish();
  std::vector<ItemId> out;
  EXPECT_FALSE(list.earlier(1, out));
  EXPECT_EQ(out, std::vector<ItemId>{0});
  EXPECT_FALSE(list.kept(1, 0, out));
  EXPECT_TRUE(out.empty());
  EXPECT_TRUE(list.earlier(2, out));
  EXPECT_TRUE(out.empty());
}

TEST(PairList, ADirectoryThatIsMissingIsAnError) {
  PairList list(2, 0, "/no/such/directory");
  const Status added = list.add(1, 0);
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().message.find("/no/such/directory"), std::string::npos);
}

}  // namespace
}  // namespace twinsift
