// SPDX-License-Identifier: Apache-2.0
#include "net/shown_list.h"

#include <gtest/gtest.h>

#include "net/test_shelf.h"

namespace twinsift::net {
namespace {

ResourceId id_of(const Representation& shown) { return resource_id(shown.detector, shown.set); }

TEST(ShownList, IsReadAsItWasWritten) {
  const Representation a = test_representation(1);
  const Representation b = test_representation(2);
  const std::vector<ResourceId> wanted = {id_of(a), ResourceId{1}, id_of(b)};
  ShownWriter writer(3);
  writer.add(encode(a));
  writer.add({});
  writer.add(encode(b));
  EXPECT_FALSE(writer.full());
  EXPECT_EQ(writer.shown(), 2U);
  const auto read = read_shown(std::move(writer).finish(), wanted);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 3U);
  EXPECT_EQ(*(*read)[0].value(), a);
  EXPECT_EQ((*read)[1].value().error().code, ErrorCode::kNotFound);
  EXPECT_EQ(*(*read)[2].value(), b);
}

TEST(ShownList, WhatHasNoRoomIsLeft) {
  const std::string large(ShownWriter::kRoom / 2, 'x');
  ShownWriter writer(3);
  writer.add(large);
  writer.add(large);
  ASSERT_TRUE(writer.full()) << "the lengths take room, too";
  const std::string bytes = std::move(writer).finish();
  EXPECT_LE(bytes.size(), ShownWriter::kRoom);
  const auto read = read_shown(bytes, std::vector<ResourceId>(3));
  ASSERT_TRUE(read);
  EXPECT_TRUE((*read)[0]);
  EXPECT_FALSE((*read)[1]);
  EXPECT_FALSE((*read)[2]);
}

// Or somebody would ask for it again for ever.
TEST(ShownList, WhatNeverHasRoomIsNotHere) {
  ShownWriter writer(2);
  writer.add(std::string(ShownWriter::kRoom, 'x'));
  EXPECT_FALSE(writer.full());
  const auto read = read_shown(std::move(writer).finish(), std::vector<ResourceId>(2));
  ASSERT_TRUE(read);
  EXPECT_EQ((*read)[0].value().error().code, ErrorCode::kNotFound);
}

TEST(ShownList, NothingElseIsUnderstood) {
  const Representation a = test_representation(1);
  const std::vector<ResourceId> wanted = {id_of(a), id_of(a)};
  ShownWriter writer(2);
  writer.add(encode(a));
  const std::string good = std::move(writer).finish();
  ASSERT_TRUE(read_shown(good, wanted));
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(read_shown(good.substr(0, size), wanted)) << size;
  }
  EXPECT_FALSE(read_shown(good + '\0', wanted));
  const std::string none(4, '\xFF');
  EXPECT_FALSE(read_shown(none + none, wanted)) << "who leaves the first gets nobody further";
  EXPECT_FALSE(
      read_shown(std::string(4, '\0') + none + std::string(4, '\0'), std::vector<ResourceId>(3)))
      << "after the first that is left all are";
}

// What was asked for in one order is not taken in another one.
TEST(ShownList, TheOrderCounts) {
  const Representation a = test_representation(1);
  const Representation b = test_representation(2);
  ShownWriter writer(2);
  writer.add(encode(b));
  writer.add(encode(a));
  const auto read = read_shown(std::move(writer).finish(), std::vector{id_of(a), id_of(b)});
  ASSERT_TRUE(read);
  for (const Shown& shown : *read) EXPECT_EQ(shown.value().error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace twinsift::net
