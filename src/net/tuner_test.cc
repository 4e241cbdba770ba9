// SPDX-License-Identifier: Apache-2.0
#include "net/tuner.h"

#include <cmath>

#include <gtest/gtest.h>

#include "net/virtual_peers.h"

namespace twinsift::net {
namespace {

constexpr std::int64_t kPeriod = 40;  // shorter than anybody waits for a sample

// Nobody ever tells a report.
class SilentAsker final : public Asker {
 public:
  void fetch(const std::vector<Entry>&, std::function<void(std::vector<Shown>)>) override {}
  void report(const Address&, std::uint64_t, std::function<void(Result<std::string>)>) override {}
};

class TunerHost final : public VirtualHost {
 public:
  TunerHost(const Network& network, Identity identity, Datagrams& datagrams, const Moment& now)
      : identity_(std::move(identity)),
        node_(network,
              {.place = place_of(identity_.public_key()),
               .most_requests = -1,
               .most_requests_of_one = -1},
              datagrams, now),
        configurations_(network, *first_configuration(network.options().goal, false)),
        tuner_({}, network, identity_, node_, asker_, configurations_,
               [] { return PeerReport{.resources = 10, .searches = 1, .duplicates = 1}; }) {}

  void receive(const Address& from, std::string_view bytes, const Moment& now) override {
    node_.receive(from, bytes, now);
  }
  double tick(const Moment& now) override {
    const double next = node_.tick(now);
    return node_.status().good_nodes == 0 ? next : std::min(next, tuner_.tick(now));
  }
  DhtNode& node() { return node_; }
  Tuner& tuner() { return tuner_; }

 private:
  Identity identity_;
  SilentAsker asker_;
  DhtNode node_;
  Configurations configurations_;
  Tuner tuner_;
};

struct TunerWorld {
  explicit TunerWorld(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto id = hosts.add([&](Datagrams& datagrams) {
        return std::make_unique<TunerHost>(
            network, virtual_identity(i), datagrams,
            Moment{1e6 + hosts.seconds(), VirtualNetworkOptions{}.unix_seconds});
      });
      if (i > 0) at(id).node().join(hosts.address(0));
      hosts.stir(id);
      hosts.run(0.2);
    }
  }
  TunerHost& at(VirtualNetwork::HostId id) { return dynamic_cast<TunerHost&>(*hosts.host(id)); }

  Network network{NetworkOptions{.period = std::chrono::seconds(kPeriod),
                                 .lifetime = std::chrono::seconds(3 * kPeriod)}};
  VirtualNetwork hosts{VirtualNetworkOptions{}};
};

// Whoever hears of a configuration too late would look for things where nobody puts them.
TEST(Tuner, NoConfigurationIsMadeWhenOthersMayHaveLookedAlready) {
  TunerWorld world(6);
  std::uint64_t made = 0;
  double latest = 0;
  while (world.hosts.seconds() < 10 * kPeriod) {
    world.hosts.run(0.5);
    std::uint64_t now = 0;
    for (VirtualNetwork::HostId id = 0; id < 6; ++id) now += world.at(id).tuner().made();
    const auto passed = world.hosts.now(0).unix_seconds % kPeriod;
    if (now > made) latest = std::max(latest, static_cast<double>(passed));
    made = now;
  }
  EXPECT_GE(made, 5U) << "without all reports it is made of those that came";
  EXPECT_LE(latest, std::ceil(0.45 * kPeriod) + 1);
}

// Everybody looks twice in a period, and nobody's question waits for that.
TEST(Tuner, WhatWasDiscoveredStaysSo) {
  TunerWorld world(4);
  ASSERT_TRUE(world.hosts.run_until([&] { return world.at(3).tuner().discovered(); }, 30));
  for (VirtualNetwork::HostId id = 0; id < 3; ++id) world.hosts.kill(id);
  for (int i = 0; i < 10 * kPeriod; ++i) {
    world.hosts.run(0.1);
    ASSERT_TRUE(world.at(3).tuner().discovered()) << i;
  }
}

}  // namespace
}  // namespace twinsift::net
