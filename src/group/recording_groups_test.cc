// SPDX-License-Identifier: Apache-2.0
#include "group/recording_groups.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift {
namespace {

using Keepers = std::vector<ItemId>;

TEST(RecordingGroups, TheSharpestOfCopiesStaysThoughAnotherIsALittleLonger) {
  const std::vector<RecordingItem> items = {
      {.seconds = 60.4, .pixels = 100}, {.seconds = 60, .pixels = 400}, {.seconds = 60.2}};
  const auto groups =
      group_recordings(items, std::vector<RecordingPair>{{0, 1, .9}, {0, 2, .9}, {1, 2, .9}});
  EXPECT_EQ(groups.keeper, (Keepers{1, 1, 1}));
  EXPECT_TRUE(groups.links.empty());
}

// A large lossy file is not better than a smaller one that lost nothing; what is not known to be
// lossy may be either.
TEST(RecordingGroups, OfSoundsALosslessOneStays) {
  const std::vector<RecordingItem> items = {{.seconds = 60, .lossless = false, .bytes = 900},
                                            {.seconds = 60, .lossless = true, .bytes = 500},
                                            {.seconds = 60, .bytes = 700}};
  const std::vector<RecordingPair> pairs = {{0, 1, .9}, {0, 2, .9}, {1, 2, .9}};
  EXPECT_EQ(group_recordings(items, pairs).keeper, (Keepers{1, 1, 1}));
  const std::vector<RecordingItem> lossy(2, {.seconds = 60, .lossless = false, .bytes = 7});
  EXPECT_EQ(group_recordings(lossy, std::vector<RecordingPair>{{0, 1, .9}}).keeper,
            (Keepers{0, 0}));
}

// What a telephone leaves is worse than any codec; whether it is 44,100 or 48,000 Hz does not
// count.
TEST(RecordingGroups, OfSoundsOneWithHighTonesStays) {
  const std::vector<RecordingItem> items = {
      {.seconds = 60, .sample_rate = 8000, .lossless = true, .bytes = 900},
      {.seconds = 60, .sample_rate = 44100, .lossless = false, .bytes = 500},
      {.seconds = 60, .sample_rate = 48000, .lossless = false, .bytes = 400}};
  const std::vector<RecordingPair> pairs = {{0, 1, .9}, {0, 2, .9}, {1, 2, .9}};
  EXPECT_EQ(group_recordings(items, pairs).keeper, (Keepers{1, 1, 1}));
}

TEST(RecordingGroups, PartsGoWithTheWholeHoweverSharpTheyAre) {
  const std::vector<RecordingItem> items = {{.seconds = 30, .pixels = 900},
                                            {.seconds = 60, .pixels = 100},
                                            {.seconds = 30, .pixels = 900}};
  const auto groups =
      group_recordings(items, std::vector<RecordingPair>{{0, 1, .7, Relation::kContained},
                                                         {1, 2, .7, Relation::kContains}});
  EXPECT_EQ(groups.keeper, (Keepers{1, 1, 1}));
}

TEST(RecordingGroups, CopiesOfAPartFollowItIfTheyMatchTheWhole) {
  const std::vector<RecordingItem> items = {{.seconds = 100}, {.seconds = 40}, {.seconds = 39}};
  std::vector<RecordingPair> pairs = {{0, 1, .7, Relation::kContains}, {1, 2, .9}};
  // The copy of the part does not match the whole: it would be a chain.
  EXPECT_EQ(group_recordings(items, pairs).keeper, (Keepers{0, 0, 2}));
  pairs.push_back({0, 2, .7, Relation::kContains});
  EXPECT_EQ(group_recordings(items, pairs).keeper, (Keepers{0, 0, 0}));
}

TEST(RecordingGroups, OverlapsLinkAndNothingMore) {
  const std::vector<RecordingItem> items(3, {.seconds = 60});
  const std::vector<RecordingPair> pairs = {
      {0, 1, .7, Relation::kLinked}, {0, 2, .9}, {1, 2, .7, Relation::kLinked}};
  const auto groups = group_recordings(items, pairs);
  EXPECT_EQ(groups.keeper, (Keepers{0, 1, 0}));
  EXPECT_EQ(groups.links, (std::vector<std::uint32_t>{0}));  // 2 goes with 0
}

TEST(RecordingGroups, APartOfTwoFilmsIsLinkedToTheOther) {
  const std::vector<RecordingItem> items = {{.seconds = 100}, {.seconds = 90}, {.seconds = 20}};
  const std::vector<RecordingPair> pairs = {{0, 1, .62, Relation::kLinked},
                                            {0, 2, .79, Relation::kContains},
                                            {1, 2, .79, Relation::kContains}};
  const auto groups = group_recordings(items, pairs);
  EXPECT_EQ(groups.keeper, (Keepers{0, 1, 0}));
  EXPECT_EQ(groups.links, (std::vector<std::uint32_t>{0}));
}

TEST(RecordingGroups, ReferencesStay) {
  const std::vector<RecordingItem> items = {
      {.seconds = 60, .pixels = 900}, {.reference = true, .seconds = 30}, {.reference = true}};
  const std::vector<RecordingPair> pairs = {
      {0, 1, .7, Relation::kContains}, {1, 2, .9}, {0, 2, .9}};
  const auto groups = group_recordings(items, pairs);
  EXPECT_EQ(groups.keeper, (Keepers{2, 1, 2}));
}

RC_GTEST_PROP(RecordingGroups, NothingStandsForWhatItDoesNotMatchOrIsAPartOf, ()) {
  const auto n = *rc::gen::inRange<ItemId>(1, 9);
  std::vector<RecordingItem> items(n);
  for (RecordingItem& item : items) {
    item = {.reference = *rc::gen::inRange(0, 5) == 0,
            .seconds = static_cast<double>(*rc::gen::inRange(1, 5)),
            .pixels = static_cast<std::uint64_t>(*rc::gen::inRange(0, 3))};
  }
  std::vector<RecordingPair> pairs;
  for (ItemId a = 0; a < n; ++a) {
    for (ItemId b = a + 1; b < n; ++b) {
      const int kind = *rc::gen::inRange(0, 8);
      if (kind < 4) pairs.push_back({a, b, .7, static_cast<Relation>(kind)});
    }
  }
  const auto groups = group_recordings(items, pairs);
  for (ItemId i = 0; i < n; ++i) {
    const ItemId keeper = groups.keeper[i];
    RC_ASSERT(groups.keeper[keeper] == keeper);
    if (keeper == i) continue;
    RC_ASSERT(!items[i].reference);
    const auto pair = std::ranges::find_if(pairs, [&](const RecordingPair& p) {
      return std::minmax(p.a, p.b) == std::minmax(i, keeper);
    });
    RC_ASSERT(pair != pairs.end());
    RC_ASSERT(pair->relation == Relation::kSame ||
              pair->relation == (pair->a == keeper ? Relation::kContains : Relation::kContained));
  }
}

}  // namespace
}  // namespace twinsift
