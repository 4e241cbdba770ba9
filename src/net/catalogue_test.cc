// SPDX-License-Identifier: Apache-2.0
#include "net/catalogue.h"

#include <map>

#include <gtest/gtest.h>

#include "net/test_sets.h"

namespace twinsift::net {
namespace {

// Counts how often a set is read.
class CountingShelf final : public Shelf {
 public:
  ResourceId put(TokenSet set) {
    const ResourceId id = resource_id(kTestDetector, set);
    shown_[id] = test_representation(std::move(set));
    return id;
  }
  void remove(const ResourceId& id) { shown_.erase(id); }
  [[nodiscard]] Result<std::vector<Resource>> resources() const override {
    std::vector<Resource> all;
    for (const auto& [id, shown] : shown_) all.push_back({id, shown.detector});
    return all;
  }
  [[nodiscard]] Result<Representation> representation(const ResourceId& id) const override {
    ++reads;
    const auto found = shown_.find(id);
    if (found == shown_.end()) return Error{ErrorCode::kNotFound, "gone"};
    return found->second;
  }
  mutable int reads = 0;

 private:
  std::map<ResourceId, Representation> shown_;
};

class CatalogueTest : public testing::Test {
 protected:
  Rng rng_{4};
  CountingShelf shelf_;
  Catalogue catalogue_{shelf_, 99};
};

TEST_F(CatalogueTest, ReadsASetOnlyForMinimaThatWereNeverComputed) {
  shelf_.put(test_set(rng_, 50));
  ASSERT_EQ(catalogue_.read()->added.size(), 1U);
  const std::uint32_t item = catalogue_.items().front();
  EXPECT_TRUE(catalogue_.prepare(item, {64, 3, 2}, true));
  EXPECT_EQ(shelf_.reads, 1);
  EXPECT_TRUE(catalogue_.prepare(item, {64, 2, 2}, true));
  EXPECT_TRUE(catalogue_.prepare(item, {1, 3, 1}, false));
  EXPECT_EQ(shelf_.reads, 1);
  const std::string before = catalogue_.label(item, {64, 3, 2}, 1);
  EXPECT_TRUE(catalogue_.prepare(item, {64, 2, 5}, true));
  EXPECT_EQ(shelf_.reads, 2);
  EXPECT_TRUE(catalogue_.prepare(item, {64, 3, 5}, true));  // not had by the two before, either
  EXPECT_EQ(shelf_.reads, 3);
  EXPECT_EQ(catalogue_.label(item, {64, 3, 5}, 1), before);
}

TEST_F(CatalogueTest, HasTheSketchesOfItsTables) {
  const TokenSet set = test_set(rng_, 50);
  shelf_.put(set);
  ASSERT_EQ(catalogue_.read()->added.size(), 1U);
  const std::uint32_t item = catalogue_.items().front();
  EXPECT_TRUE(catalogue_.prepare(item, {64, 3, 6}, false));
  EXPECT_TRUE(catalogue_.prepare(item, {64, 3, 2}, true));  // labels are there, sketches are not
  EXPECT_EQ(shelf_.reads, 2);
  EXPECT_EQ(catalogue_.sketch(item, 1), label_sketch(set, 99, 1));
  EXPECT_TRUE(catalogue_.prepare(item, {64, 3, 6}, true));
  EXPECT_EQ(shelf_.reads, 3);
  EXPECT_TRUE(catalogue_.prepare(item, {64, 3, 4}, true));
  EXPECT_EQ(shelf_.reads, 3);
  for (std::uint32_t table = 0; table < 6; ++table) {
    EXPECT_EQ(catalogue_.sketch(item, table), label_sketch(set, 99, table % 4)) << table;
  }
}

TEST_F(CatalogueTest, FollowsTheShelf) {
  const ResourceId a = shelf_.put(test_set(rng_, 50));
  shelf_.put(test_set(rng_, 50));
  EXPECT_EQ(catalogue_.read()->added.size(), 2U);
  EXPECT_TRUE(catalogue_.read()->added.empty());
  shelf_.remove(a);
  const ResourceId c = shelf_.put(test_set(rng_, 50));
  const Result<Catalogue::Change> change = catalogue_.read();
  ASSERT_EQ(change->gone.size(), 1U);
  ASSERT_EQ(change->added.size(), 1U);
  EXPECT_NE(change->added, change->gone);
  EXPECT_EQ(catalogue_.resource(change->added.front()).id, c);
  EXPECT_EQ(catalogue_.size(), 2U);
}

TEST_F(CatalogueTest, WhatIsGoneFromTheShelfMeanwhileIsAnError) {
  const ResourceId a = shelf_.put(test_set(rng_, 50));
  ASSERT_TRUE(catalogue_.read());
  shelf_.remove(a);
  EXPECT_FALSE(catalogue_.prepare(0, {64, 3, 2}, true));
}

}  // namespace
}  // namespace twinsift::net
