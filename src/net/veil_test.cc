// SPDX-License-Identifier: Apache-2.0
#include "net/veil.h"

#include <gtest/gtest.h>

namespace twinsift::net {
namespace {

const Network kClosed({.secret = "rosebud"});

TEST(Veil, OnlyTheSecretLiftsIt) {
  const Veil veil(kClosed);
  for (const std::string& text : {std::string(), std::string("x"), std::string(100'000, 'y')}) {
    const auto covered = veil.cover(text);
    ASSERT_TRUE(covered);
    EXPECT_EQ(covered->size(), text.size() + Veil::kOverhead);
    const auto lifted = veil.uncover(*covered);
    ASSERT_TRUE(lifted);
    EXPECT_EQ(*lifted, text);
    EXPECT_FALSE(Veil(Network({.secret = "rosebux"})).uncover(*covered));
    EXPECT_FALSE(Veil(Network({.name = "other", .secret = "rosebud"})).uncover(*covered));
  }
}

TEST(Veil, EveryByteCounts) {
  const Veil veil(kClosed);
  const std::string covered = *veil.cover("what is shown");
  for (std::size_t i = 0; i < covered.size(); ++i) {
    std::string damaged = covered;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(veil.uncover(damaged)) << i;
    EXPECT_FALSE(veil.uncover(covered.substr(0, i))) << i;
  }
}

TEST(Veil, EqualTextsLookDifferent) {
  const Veil veil(kClosed);
  EXPECT_NE(*veil.cover("the same"), *veil.cover("the same"));
}

TEST(Veil, AnOpenNetworkHasNone) {
  const Veil veil(Network{NetworkOptions{}});
  EXPECT_EQ(*veil.cover("plain"), "plain");
  EXPECT_EQ(*veil.uncover("plain"), "plain");
}

}  // namespace
}  // namespace twinsift::net
