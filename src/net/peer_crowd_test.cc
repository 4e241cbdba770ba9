// SPDX-License-Identifier: Apache-2.0
// A label with more entries than one datagram can hold: all of them are found, or the question says
// that they were not.
#include <algorithm>
#include <cstdio>
#include <set>

#include <gtest/gtest.h>

#include "net/crowd.h"
#include "net/test_sets.h"
#include "net/virtual_peers.h"

namespace twinsift::net {
namespace {

constexpr std::uint32_t kPeers = 15;
constexpr std::size_t kEach = 20;  // near-duplicates on one shelf

class PeerCrowd : public testing::Test {
 protected:
  static VirtualPeersOptions options() {
    VirtualPeersOptions options;
    options.network.goal = {.similarity = 0.8, .recall = 0.5};
    options.network.period = std::chrono::seconds(1800);
    options.network.lifetime = std::chrono::seconds(3 * 1800);
    options.peer.tunes = false;
    return options;
  }

  PeerCrowd() : all_(options()) {
    Rng rng(3);
    common_ = test_set(rng, 400);
    for (std::uint32_t i = 0; i < kPeers; ++i) {
      MemoryShelf shelf;
      for (std::size_t j = 0; j < kEach; ++j) {
        TokenSet set = common_;  // one id more: nearly all have the same labels
        set.push_back(rng.next());
        std::ranges::sort(set);
        shelf.put(test_representation(std::move(set)));
      }
      all_.add(std::move(shelf));
      all_.hosts().run(0.2);
    }
  }

  VirtualPeers all_;
  TokenSet common_;
};

TEST_F(PeerCrowd, IsFoundToItsLastMemberInDatagramsThatFit) {
  ASSERT_TRUE(all_.run_until_published(600));
  all_.hosts().run(600);
  Question question{.detector = kTestDetector, .set = common_, .own = true};
  question.most_asked = 2 * kPeers * kEach;
  const Asked asked = all_.ask(0, question);
  EXPECT_TRUE(asked.report.kept) << asked.report.why;
  std::printf("%zu of %zu found with %zu lookups; largest datagram %zu bytes\n",
              asked.answers.size(), kPeers * kEach, asked.report.lookups,
              static_cast<std::size_t>(all_.hosts().traffic().largest));
  EXPECT_GT(kPeers * kEach, kMostEntries);
  EXPECT_GT(asked.report.lookups, asked.report.labels);
  // P(a label is another one) = 1 - (400 / 401)^3 = 0.7 %, for each of 300.
  EXPECT_GE(asked.answers.size(), kPeers * kEach * 97 / 100);
  EXPECT_LE(all_.hosts().traffic().largest, 65'507U);
  // Whoever may not look everywhere, or not ask everybody, says so.
  question.most_buckets = 1;
  const Asked narrow = all_.ask(1, question);
  EXPECT_FALSE(narrow.report.kept);
  EXPECT_NE(narrow.report.why.find("crowded"), std::string::npos);
  question.most_buckets = 64;
  question.most_asked = 10;
  const Asked few = all_.ask(2, question);
  EXPECT_FALSE(few.report.kept);
  EXPECT_EQ(few.report.asked, 10U);
}

}  // namespace
}  // namespace twinsift::net
