// SPDX-License-Identifier: Apache-2.0
// The network tunes itself: one peer in each period, and nothing is missed meanwhile.
#include <cstdio>
#include <set>

#include <gtest/gtest.h>

#include "net/test_world.h"

namespace twinsift::net {
namespace {

constexpr std::int64_t kPeriod = 600;

TEST(PeerTuning, TheNetworkMovesToNewLabelsWithoutAGap) {
  VirtualPeersOptions options;
  options.network.goal = {.similarity = 0.8, .recall = 0.95};
  options.network.period = std::chrono::seconds(kPeriod);
  options.network.lifetime = std::chrono::seconds(3 * kPeriod);
  World world(options, 16, 40, 96);
  VirtualPeers& all = world.all;
  ASSERT_TRUE(all.run_until_published(kPeriod));
  all.hosts().run(kPeriod);
  const Configuration before = all.peer(0).status().configuration;
  std::size_t most_held = 0;
  double worst = 1;
  for (int part = 0; part < 12; ++part) {
    all.hosts().run(kPeriod / 2.0);
    std::size_t of = 0;
    const auto found = static_cast<double>(world.found(of, false));
    worst = std::min(worst, found / static_cast<double>(of));
    for (const auto host : all.living()) {
      most_held = std::max(most_held, all.peer(host).status().configurations);
    }
  }
  std::set<std::uint64_t> ids;
  std::set<std::uint64_t> versions;
  std::uint64_t made = 0;
  for (const auto host : all.living()) {
    const PeerStatus status = all.peer(host).status();
    ids.insert(status.configuration.id());
    versions.insert(status.configuration.version);
    made += status.configurations_made;
    EXPECT_NEAR(status.peers, 16, 8);
  }
  const Configuration after = all.peer(0).status().configuration;
  std::printf("labels %u x %u, then %u x %u; %llu configurations made; worst recall %.3f\n",
              before.shape.labels, before.shape.hashes, after.shape.labels, after.shape.hashes,
              static_cast<unsigned long long>(made), worst);
  EXPECT_EQ(ids.size(), 1U);  // all ask with the same
  EXPECT_EQ(versions.size(), 1U);
  EXPECT_GT(after.version, 0U);
  EXPECT_NE(after.id(), before.id());  // 16 peers need other labels than 1,000
  EXPECT_EQ(most_held, 2U);
  EXPECT_GE(worst, 0.95);
  // One in each period, and seldom two.
  EXPECT_GE(made, 5U);
  EXPECT_LE(made, 14U);
  // A newcomer learns what the others use.
  const VirtualPeers::HostId late = all.add({});
  all.hosts().run(60);
  EXPECT_EQ(all.peer(late).status().configuration.id(), after.id());
}

}  // namespace
}  // namespace twinsift::net
