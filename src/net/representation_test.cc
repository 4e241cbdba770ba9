// SPDX-License-Identifier: Apache-2.0
#include "net/representation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift::net {
namespace {

Representation some_representation() {
  return {.detector = "text1:words:5",
          .set = {1, 5, UINT64_MAX},
          .title = "a letter.txt",
          .begin_seconds = 1.5,
          .end_seconds = 9};
}

TEST(Representation, IsReadAsItWasWritten) {
  const Representation made = some_representation();
  const ResourceId id = resource_id(made.detector, made.set);
  const auto read = decode_representation(encode(made), id);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, made);
}

// Whoever is asked can show only what was published.
TEST(Representation, AnotherSetIsNotThatOfTheResource) {
  const Representation made = some_representation();
  const ResourceId id = resource_id(made.detector, made.set);
  Representation other = made;
  other.set.push_back(UINT64_MAX);
  EXPECT_FALSE(decode_representation(encode(other), id));
  other.set = {1, 6, UINT64_MAX};
  EXPECT_FALSE(decode_representation(encode(other), id));
  other = made;
  other.detector = "text1:words:6";
  EXPECT_FALSE(decode_representation(encode(other), id));
}

TEST(Representation, DamageIsSeen) {
  const Representation made = some_representation();
  const ResourceId id = resource_id(made.detector, made.set);
  const std::string bytes = encode(made);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_representation(bytes.substr(0, size), id)) << size;
  }
  for (std::size_t i = bytes.size() - 28; i < bytes.size(); ++i) {  // the count and the set
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(decode_representation(damaged, id)) << i;
  }
  Representation unsorted = made;
  unsorted.set = {5, 1};
  EXPECT_FALSE(decode_representation(encode(unsorted), resource_id("text1:words:5", unsorted.set)));
  Representation empty = made;
  empty.set.clear();
  EXPECT_FALSE(decode_representation(encode(empty), resource_id("text1:words:5", empty.set)));
}

RC_GTEST_PROP(Representation, AnyBytesAreRefused, (const std::string& bytes)) {
  RC_ASSERT(!decode_representation("TWR1" + bytes, ResourceId{}));
}

}  // namespace
}  // namespace twinsift::net
