// SPDX-License-Identifier: Apache-2.0
#include "index/union_candidates.h"

#include <gtest/gtest.h>

namespace twinsift {
namespace {

// Names the items whose difference to the one asked for is a multiple of `step`.
class Multiples final : public CandidateSource {
 public:
  explicit Multiples(ItemId step, bool complete = true) : step_(step), complete_(complete) {}

  bool earlier(ItemId item, std::vector<ItemId>& out) const override {
    return between(0, item, SIZE_MAX, out) && complete_;
  }
  bool kept(ItemId item, ItemId from, std::vector<ItemId>& out) const override {
    out.clear();
    for (const ItemId k : kept_) {
      if (k >= from && (item - k) % step_ == 0) out.push_back(k);
    }
    return complete_;
  }
  bool between(ItemId from, ItemId item, std::size_t limit,
               std::vector<ItemId>& out) const override {
    out.clear();
    for (ItemId i = from; i < item; ++i) {
      if ((item - i) % step_ == 0) out.push_back(i);
    }
    if (out.size() <= limit) return true;
    out.clear();
    return false;
  }
  void keep(ItemId item) override { kept_.push_back(item); }

 private:
  ItemId step_;
  bool complete_;
  std::vector<ItemId> kept_;
};

using Ids = std::vector<ItemId>;

TEST(UnionCandidates, NamesEachCandidateOfEitherOnceInOrder) {
  Multiples twos(2);
  Multiples threes(3);
  UnionCandidates both(twos, threes);
  Ids out = {99};
  EXPECT_TRUE(both.earlier(12, out));
  EXPECT_EQ(out, (Ids{0, 2, 3, 4, 6, 8, 9, 10}));
  EXPECT_TRUE(both.between(5, 12, 4, out));
  EXPECT_EQ(out, (Ids{6, 8, 9, 10}));
}

TEST(UnionCandidates, MoreThanTheLimitAreNone) {
  Multiples twos(2);
  Multiples threes(3);
  const UnionCandidates both(twos, threes);
  Ids out = {99};
  EXPECT_FALSE(both.between(5, 12, 3, out));  // each has no more than three of its own
  EXPECT_TRUE(out.empty());
  EXPECT_FALSE(both.between(0, 12, 5, out));  // one alone has more
  EXPECT_TRUE(out.empty());
}

TEST(UnionCandidates, KeepsInBoth) {
  Multiples twos(2);
  Multiples threes(3);
  UnionCandidates both(twos, threes);
  for (const ItemId item : {0U, 1U, 2U, 3U}) both.keep(item);
  Ids out;
  EXPECT_TRUE(both.kept(6, 0, out));
  EXPECT_EQ(out, (Ids{0, 2, 3}));
  EXPECT_TRUE(both.kept(6, 1, out));
  EXPECT_EQ(out, (Ids{2, 3}));
}

TEST(UnionCandidates, SaysIfEitherMayHaveMissedSome) {
  Multiples twos(2);
  Multiples threes(3, false);
  const UnionCandidates both(twos, threes);
  const UnionCandidates other_way(threes, twos);
  Ids out;
  EXPECT_FALSE(both.earlier(12, out));
  EXPECT_FALSE(other_way.kept(12, 0, out));
}

}  // namespace
}  // namespace twinsift
