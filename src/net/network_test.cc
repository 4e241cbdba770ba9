// SPDX-License-Identifier: Apache-2.0
#include "net/network.h"

#include <set>

#include <gtest/gtest.h>

#include "net/crowd.h"
#include "net/test_identity.h"

namespace twinsift::net {
namespace {

TEST(Network, OthersHaveOtherKeys) {
  const Network open(NetworkOptions{});
  const Network named(NetworkOptions{.name = "other"});
  const Network closed(NetworkOptions{.secret = "s"});
  const Network promised(NetworkOptions{.goal = {.similarity = .9, .recall = .9}});
  std::set<DhtKey> keys;
  for (const Network* network : {&open, &named, &closed, &promised}) {
    keys.insert(network->label_key(1, "d", 0, "label", {}));
    keys.insert(network->configuration_key(7));
    keys.insert(network->election_key(7));
  }
  EXPECT_EQ(keys.size(), 12U);
  EXPECT_NE(open.dht_id(), named.dht_id());
  EXPECT_NE(open.seed(), closed.seed());
  EXPECT_EQ(open.seed(), promised.seed());
  EXPECT_EQ(open.dht_id(), promised.dht_id());
}

TEST(Network, EveryFieldOfALabelCounts) {
  const Network network(NetworkOptions{});
  const std::set<DhtKey> keys = {
      network.label_key(1, "d", 0, "l", {}),     network.label_key(2, "d", 0, "l", {}),
      network.label_key(1, "dl", 0, "", {}),     network.label_key(1, "d", 1, "l", {}),
      network.label_key(1, "d", 0, "m", {}),     network.label_key(1, "d", 0, "l", {1, 0}),
      network.label_key(1, "d", 0, "l", {1, 1}),
  };
  EXPECT_EQ(keys.size(), 7U);
}

TEST(Network, DistanceIsThatOfKademlia) {
  DhtKey zero{};
  DhtKey half{};
  half[0] = 0x80;
  DhtKey last{};
  last[19] = 1;
  EXPECT_EQ(distance(zero, half), .5);
  EXPECT_EQ(distance(half, half), 0);
  EXPECT_TRUE(is_nearer(zero, last, half));
  EXPECT_FALSE(is_nearer(zero, half, last));
  EXPECT_FALSE(is_nearer(zero, half, half));
}

TEST(Network, PeriodsAreCountedFromOneClock) {
  const Network network(NetworkOptions{.period = std::chrono::seconds(60)});
  EXPECT_EQ(network.version_at(0), 0U);
  EXPECT_EQ(network.version_at(59), 0U);
  EXPECT_EQ(network.version_at(60), 1U);
}

// PROPERTY: the way of an entry through the tree never meets another's bucket by accident, and
// both children take their share.
TEST(Crowd, EveryEntryHasOneWayThroughTheTree) {
  std::array<int, 2> taken{};
  for (std::uint8_t i = 0; i < 200; ++i) {
    const PublicKey owner = test_identity(i % 10).public_key();
    ResourceId resource{};
    resource.fill(i);
    Shard shard{};
    std::set<Shard> way;
    for (std::uint8_t depth = 0; depth < kDeepest; ++depth) {
      const Shard child = child_for(shard, owner, resource);
      const auto children = children_of(shard);
      EXPECT_TRUE(child == children[0] || child == children[1]);
      EXPECT_NE(children[0], children[1]);
      EXPECT_EQ(child.depth, depth + 1);
      if (depth == 0) ++taken[child == children[0] ? 0 : 1];
      shard = child;
      way.insert(child);
    }
    EXPECT_EQ(way.size(), std::size_t{kDeepest});
  }
  EXPECT_GT(taken[0], 60);
  EXPECT_GT(taken[1], 60);
}

}  // namespace
}  // namespace twinsift::net
