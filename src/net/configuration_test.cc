// SPDX-License-Identifier: Apache-2.0
#include "net/configuration.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "net/test_identity.h"

namespace twinsift::net {
namespace {

const Network kNetwork(NetworkOptions{.goal = {.similarity = .8, .recall = .9}});
constexpr std::uint64_t kVersion = 500'000;

Configuration some_configuration(const Identity& signer) {
  Configuration made = *first_configuration(kNetwork.options().goal, false);
  made.version = kVersion;
  made.signer = signer.public_key();
  return made;
}

Result<Configuration> opened(const Configuration& made, const Identity& signer,
                             std::uint64_t version = kVersion) {
  return open_configuration(seal(made, kNetwork.configuration_key(made.version), signer), kNetwork,
                            version, configuration_id(made));
}

TEST(Configuration, IsReadAsItWasWritten) {
  const Identity signer = test_identity(1);
  const Configuration made = some_configuration(signer);
  const auto read = opened(made, signer);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, made);
  EXPECT_EQ(read->id(), made.id());
}

TEST(Configuration, TheFirstOneKeepsThePromise) {
  for (const bool one_bit : {false, true}) {
    for (const PondGoal goal : {PondGoal{.8, .9}, PondGoal{.9, .95}, PondGoal{.9, .5}}) {
      const auto first = first_configuration(goal, one_bit);
      ASSERT_TRUE(first);
      EXPECT_GE(label_found(first->shape, first->least_agreeing, goal.similarity), goal.recall);
      if (one_bit) {
        EXPECT_EQ(first->shape.width, 1U);
      }
      EXPECT_EQ(first->least_agreeing == 0, one_bit);
    }
  }
  EXPECT_FALSE(first_configuration({.2, .99}, true));
}

TEST(Configuration, EveryByteCounts) {
  const Identity signer = test_identity(1);
  const Configuration made = some_configuration(signer);
  const std::string bytes = seal(made, kNetwork.configuration_key(kVersion), signer);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(open_configuration(damaged, kNetwork, kVersion, configuration_id(made))) << i;
    EXPECT_FALSE(
        open_configuration(bytes.substr(0, i), kNetwork, kVersion, configuration_id(made)));
  }
}

// A liar may sign what he likes: what breaks the promise, or costs too much, is not taken.
TEST(Configuration, LiesAreNotTaken) {
  const Identity liar = test_identity(2);
  Configuration made = some_configuration(liar);
  made.shape = {.width = 64, .hashes = 200, .labels = 1};
  EXPECT_FALSE(opened(made, liar));
  made = some_configuration(liar);
  made.least_agreeing = kSketchBits;
  EXPECT_FALSE(opened(made, liar));
  made = some_configuration(liar);
  made.shape.labels = kMostLabels + 1;
  EXPECT_FALSE(opened(made, liar));
  made = some_configuration(liar);
  made.load.peers = std::nan("");
  EXPECT_FALSE(opened(made, liar));
  made = some_configuration(liar);
  EXPECT_FALSE(opened(made, liar, kVersion + 1));
  made.shape.labels = kMostLabels;  // costs much, and keeps the promise
  EXPECT_TRUE(opened(made, liar));
}

TEST(Configuration, TheNewestWinsAndThenTheNearest) {
  const Configuration a = some_configuration(test_identity(1));
  const Configuration b = some_configuration(test_identity(2));
  Configuration newer = b;
  ++newer.version;
  EXPECT_TRUE(wins(kNetwork, newer, a));
  EXPECT_FALSE(wins(kNetwork, a, newer));
  EXPECT_NE(wins(kNetwork, a, b), wins(kNetwork, b, a));
  EXPECT_FALSE(wins(kNetwork, a, a));
  const DhtKey place = kNetwork.election_key(kVersion);
  EXPECT_EQ(wins(kNetwork, a, b), is_nearer(place, place_of(a.signer), place_of(b.signer)));
}

// STATISTICAL: with the paper's 1 / N nobody runs in 37 % of the periods; here exactly one peer is
// the nearest in each, and each is so about equally often.
TEST(Configuration, EveryPeriodElectsExactlyOne) {
  constexpr int kPeers = 10;
  constexpr int kPeriods = 2000;
  std::array<int, kPeers> elected{};
  std::vector<DhtKey> places;
  for (std::uint64_t peer = 0; peer < kPeers; ++peer) {
    places.push_back(place_of(test_identity(peer).public_key()));
  }
  for (std::uint64_t version = 0; version < kPeriods; ++version) {
    const DhtKey place = kNetwork.election_key(version);
    std::size_t nearest = 0;
    for (std::size_t peer = 1; peer < places.size(); ++peer) {
      if (is_nearer(place, places[peer], places[nearest])) nearest = peer;
    }
    ++elected[nearest];
  }
  // Kademlia's places are not equally large; with ten peers none is far off.
  for (const int count : elected) EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace twinsift::net
