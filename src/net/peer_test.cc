// SPDX-License-Identifier: Apache-2.0
// Peers on a virtual network keep the promise, and say nothing wrong.
#include "net/peer.h"

#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "net/test_world.h"

namespace twinsift::net {
namespace {

struct PromiseCase {
  double recall;
  std::size_t percent;
  bool one_bit;
};

constexpr std::size_t kPairs = 160;

class PeerPromise : public testing::TestWithParam<PromiseCase> {};

TEST_P(PeerPromise, IsKeptForPairsThatAreJustSimilarEnough) {
  const PromiseCase& param = GetParam();
  VirtualPeersOptions options;
  options.network.goal = {.similarity = static_cast<double>(param.percent) / 100,
                          .recall = param.recall};
  options.peer.one_bit = param.one_bit;
  options.peer.tunes = false;
  World world(options, 24, kPairs, param.percent);
  ASSERT_TRUE(world.all.run_until_published(600));
  std::size_t of = 0;
  const auto found = static_cast<double>(world.found(of));
  ASSERT_EQ(of, kPairs);
  const double n = static_cast<double>(of);
  const double error = std::sqrt(param.recall * (1 - param.recall) / n);
  std::printf("recall %.3f, promised %.2f at %zu %%\n", found / n, param.recall, param.percent);
  EXPECT_GE(found / n, param.recall - 4 * error);
}

INSTANTIATE_TEST_SUITE_P(All, PeerPromise,
                         testing::Values(PromiseCase{.5, 80, false}, PromiseCase{.8, 80, false},
                                         PromiseCase{.9, 80, false}, PromiseCase{.95, 80, false},
                                         PromiseCase{.5, 90, false}, PromiseCase{.8, 90, false},
                                         PromiseCase{.9, 90, false}, PromiseCase{.95, 90, false},
                                         PromiseCase{.8, 90, true}));

// Sixteen peers, of which one has many versions of one text.
class PeerTogether : public testing::Test {
 protected:
  PeerTogether() : all_(options()) {
    Rng rng(5);
    const TokenSet text = test_set(rng, 100);
    for (std::uint32_t i = 0; i < 16; ++i) {
      MemoryShelf shelf;
      for (std::size_t version = 0; i == kOwner && version < kVersions; ++version) {
        TokenSet set = text;
        set.erase(set.begin() + static_cast<std::ptrdiff_t>(version));
        shelf.put(test_representation(std::move(set)));
      }
      all_.add(std::move(shelf));
      all_.hosts().run(0.2);
    }
    EXPECT_TRUE(all_.run_until_published(600));
    question_ = {.detector = kTestDetector, .set = text};
  }
  static VirtualPeersOptions options() {
    VirtualPeersOptions options;
    options.network.goal = {.similarity = 0.8, .recall = 0.95};
    options.peer.tunes = false;
    return options;
  }

  static constexpr VirtualPeers::HostId kOwner = 3;
  static constexpr VirtualPeers::HostId kAsker = 9;
  static constexpr std::size_t kVersions = 40;
  VirtualPeers all_;
  Question question_;
};

TEST_F(PeerTogether, AnOwnerIsAskedForAllThatWasFoundOfIt) {
  const Asked asked = all_.ask(kAsker, question_);
  EXPECT_TRUE(asked.report.kept) << asked.report.why;
  EXPECT_GE(asked.answers.size(), kVersions - 2);
  EXPECT_EQ(asked.report.asked, asked.answers.size());
  // Three lists of sixteen, and one more if a label came late.
  EXPECT_LE(asked.report.exchanges, 4U);
  EXPECT_EQ(all_.fetches(), asked.report.exchanges);
}

// An answer has room for so much: what is left is asked for again, until all has come.
TEST_F(PeerTogether, WhatHadNoRoomIsAskedForAgain) {
  std::size_t turn = 0;
  std::size_t room = 0;
  all_.show = [&](VirtualPeers::HostId shower, const Entry& entry) -> Shown {
    // As if two fitted: the first of a list is always one of them.
    if (all_.fetches() != turn) {
      turn = all_.fetches();
      room = 2;
    }
    if (room == 0) return std::nullopt;
    --room;
    return all_.shelf(shower).representation(entry.resource);
  };
  const Asked asked = all_.ask(kAsker, question_);
  EXPECT_TRUE(asked.report.kept) << asked.report.why;
  EXPECT_GE(asked.answers.size(), kVersions - 2);
  EXPECT_EQ(asked.report.asked, asked.answers.size());
  EXPECT_EQ(asked.report.unshown, 0U);
  EXPECT_GE(asked.report.exchanges, asked.answers.size() / 2);
}

// Caps hold for resources, not for lists.
TEST_F(PeerTogether, NoMoreIsAskedForThanMayBe) {
  question_.most_asked_of_owner = 5;
  const Asked asked = all_.ask(kAsker, question_);
  EXPECT_FALSE(asked.report.kept);
  EXPECT_EQ(asked.report.asked, 5U);
  EXPECT_EQ(asked.answers.size(), 5U);
}

}  // namespace
}  // namespace twinsift::net
