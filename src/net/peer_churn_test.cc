// SPDX-License-Identifier: Apache-2.0
// Peers come, go, lose datagrams and have wrong clocks, and what the living have is found.
#include <algorithm>
#include <cstdio>

#include <gtest/gtest.h>

#include "net/test_world.h"

namespace twinsift::net {
namespace {

constexpr std::int64_t kPeriod = 900;

VirtualPeersOptions options_with(double loss) {
  VirtualPeersOptions options;
  options.network.goal = {.similarity = 0.8, .recall = 0.95};
  options.network.period = std::chrono::seconds(kPeriod);
  options.network.lifetime = std::chrono::seconds(3 * kPeriod);
  options.virtual_network.loss = loss;
  options.peer.tunes = false;
  return options;
}

double share_found(World& world, bool expect_kept = true) {
  std::size_t of = 0;
  const auto found = static_cast<double>(world.found(of, expect_kept));
  return found / static_cast<double>(of);
}

TEST(PeerChurn, AThirdIsKilledAndTheRestIsFoundAtOnceAndLater) {
  // Pairs so similar that labels find nearly all: what is missing is missing for another reason.
  World world(options_with(0), 30, 80, 96);
  ASSERT_TRUE(world.all.run_until_published(600));
  world.all.hosts().run(kPeriod);
  const double before = share_found(world);
  for (VirtualPeers::HostId host = 0; host < 30; host += 3) world.all.hosts().kill(host);
  const double at_once = share_found(world, false);
  world.all.hosts().run(kPeriod);
  const double later = share_found(world, false);
  std::printf("found before %.3f, at once %.3f, a period later %.3f\n", before, at_once, later);
  EXPECT_GE(before, 0.99);
  EXPECT_GE(at_once, 0.97);
  EXPECT_GE(later, 0.99);
}

TEST(PeerChurn, WhatTheDeadHavePublishedExpires) {
  World world(options_with(0), 20, 40, 96);
  ASSERT_TRUE(world.all.run_until_published(600));
  world.all.hosts().run(kPeriod);
  for (VirtualPeers::HostId host = 0; host < 20; host += 3) world.all.hosts().kill(host);
  const auto entries_of_the_dead = [&] {
    std::size_t count = 0;
    for (const Pair& pair : world.questions) {
      if (world.all.hosts().is_alive(pair.owner)) continue;
      const Asked asked = world.all.ask(1, {.detector = kTestDetector, .set = pair.question});
      EXPECT_TRUE(asked.answers.empty());  // nobody shows it
      count += asked.report.candidates;
    }
    return count;
  };
  EXPECT_GT(entries_of_the_dead(), 5U);
  world.all.hosts().run(3 * kPeriod);
  EXPECT_EQ(entries_of_the_dead(), 0U);
}

TEST(PeerChurn, FivePercentOfDatagramsAreLostAndLittleIsMissing) {
  double all = 0;
  {
    World world(options_with(0), 24, 60, 88);
    ASSERT_TRUE(world.all.run_until_published(600));
    all = share_found(world);
  }
  World world(options_with(0.05), 24, 60, 88);
  ASSERT_TRUE(world.all.run_until_published(900));
  const double lossy = share_found(world, false);
  std::printf("found without loss %.3f, with 5 %% loss %.3f\n", all, lossy);
  EXPECT_GE(lossy, 0.95 * all);
}

TEST(PeerChurn, ClocksThatAreWrongByAnHourDoNotMatter) {
  VirtualPeersOptions options = options_with(0);
  options.network.period = std::chrono::seconds(3600);
  options.network.lifetime = std::chrono::seconds(3 * 3600);
  VirtualPeers all(options);
  Rng rng(5);
  std::vector<TokenSet> questions;
  for (VirtualPeers::HostId i = 0; i < 24; ++i) {
    auto [shown, asked] = test_pair(rng, 96);
    MemoryShelf shelf;
    shelf.put(test_representation(std::move(shown)));
    questions.push_back(std::move(asked));
    all.add(std::move(shelf), static_cast<std::int64_t>(i % 2) * 3600);
    all.hosts().run(0.2);
  }
  ASSERT_TRUE(all.run_until_published(600));
  // What was published by the first ones, when hardly anybody was there, is published again.
  all.hosts().run(3600);
  std::size_t found = 0;
  for (VirtualPeers::HostId i = 0; i < 24; ++i) {
    found += all.ask((i + 1) % 24, {.detector = kTestDetector, .set = questions[i]}).answers.size();
  }
  EXPECT_GE(found, 23U);
}

TEST(PeerChurn, WhatIsTakenFromTheShelfIsGoneAfterALifetime) {
  World world(options_with(0), 16, 8, 96);
  ASSERT_TRUE(world.all.run_until_published(600));
  const Pair& pair = world.questions.front();
  world.all.shelf(pair.owner).remove(pair.wanted);
  world.all.peer(pair.owner).shelf_changed();
  world.all.hosts().stir(pair.owner);
  const VirtualPeers::HostId asker = pair.owner == 1 ? 2 : 1;
  const Question question{.detector = kTestDetector, .set = pair.question};
  EXPECT_TRUE(world.all.ask(asker, question).answers.empty());
  world.all.hosts().run(3 * kPeriod + 10);
  EXPECT_EQ(world.all.ask(asker, question).report.candidates, 0U);
  EXPECT_EQ(world.all.peer(pair.owner).status().resources, world.all.shelf(pair.owner).size());
}

TEST(PeerChurn, APeerThatComesBackPublishesAtItsPace) {
  World world(options_with(0), 16, 0, 96);
  Rng rng(9);
  MemoryShelf shelf;
  for (int i = 0; i < 200; ++i) shelf.put(test_representation(test_set(rng, 50)));
  const VirtualPeers::HostId late = world.all.add(std::move(shelf));
  std::uint64_t before = 0;
  for (int second = 0; second < 25; ++second) {
    world.all.hosts().run(1);
    const std::uint64_t published = world.all.peer(late).status().labels_published;
    EXPECT_LE(published - before, 45U);  // a burst of 20, and 20 in a second
    before = published;
  }
  EXPECT_GT(before, 300U);
}

}  // namespace
}  // namespace twinsift::net
