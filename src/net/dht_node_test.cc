// SPDX-License-Identifier: Apache-2.0
// Nodes of OpenDHT on real sockets, in real time.
#include "net/dht_node.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "net/entry.h"
#include "net/test_identity.h"
#include "net/udp_port.h"

namespace twinsift::net {
namespace {

Moment present() {
  return {steady_seconds(std::chrono::steady_clock::now()),
          std::chrono::duration_cast<std::chrono::seconds>(
              std::chrono::system_clock::now().time_since_epoch())
              .count()};
}

struct RealNode {
  RealNode(const Network& network, std::uint64_t number)
      : identity(test_identity(number)),
        port(*UdpPort::open(*parse_address("127.0.0.1:0"))),
        node(network,
             {.place = place_of(identity.public_key()),
              .most_requests = -1,
              .most_requests_of_one = -1},
             port, present()) {}
  void run() {
    while (const auto datagram = port.receive()) {
      node.receive(datagram->from, datagram->bytes, present());
    }
    node.tick(present());
  }
  Identity identity;
  UdpPort port;
  DhtNode node;
};

bool run_until(const std::vector<std::unique_ptr<RealNode>>& nodes,
               const std::function<bool()>& condition, double seconds) {
  const double end = present().seconds + seconds;
  while (!condition()) {
    if (present().seconds > end) return false;
    for (const auto& node : nodes) node->run();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::vector<std::unique_ptr<RealNode>> joined(const Network& network, std::uint64_t count) {
  std::vector<std::unique_ptr<RealNode>> nodes;
  for (std::uint64_t i = 0; i < count; ++i) {
    nodes.push_back(std::make_unique<RealNode>(network, i));
    if (i > 0) nodes.back()->node.join(nodes.front()->port.bound());
  }
  return nodes;
}

TEST(DhtNode, FindsOnRealSocketsWhatAnotherHasPut) {
  const Network network{NetworkOptions{}};
  const auto nodes = joined(network, 6);
  ASSERT_TRUE(run_until(
      nodes,
      [&] {
        return std::ranges::all_of(
            nodes, [](const auto& node) { return node->node.status().good_nodes > 0; });
      },
      20));
  DhtKey key{};
  key[0] = 77;
  std::vector<std::string> wanted;
  for (std::size_t i = 1; i <= 2; ++i) {
    const Entry entry{.expires = present().unix_seconds + 3600,
                      .owner = nodes[i]->identity.public_key()};
    wanted.push_back(seal(entry, key, nodes[i]->identity));
    bool done = false;
    nodes[i]->node.put(key, {entry_id(entry), wanted.back()}, [&](bool) { done = true; });
    ASSERT_TRUE(run_until(
        nodes, [&] { return done; }, 20));
  }
  // Also whoever has put something itself sees what others have put.
  for (const std::size_t asker : {std::size_t{5}, std::size_t{1}}) {
    std::vector<std::string> found;
    bool done = false;
    nodes[asker]->node.query(
        key, [&](const DhtValue& value) { found.push_back(value.bytes); },
        [&](const LookupEnd& end) {
          EXPECT_TRUE(end.reached);
          EXPECT_FALSE(end.nearest.empty());
          done = true;
        });
    ASSERT_TRUE(run_until(
        nodes, [&] { return done; }, 20));
    std::ranges::sort(found);
    std::vector<std::string> sorted = wanted;
    std::ranges::sort(sorted);
    EXPECT_EQ(found, sorted);
  }
}

TEST(DhtNode, PeersOfAnotherNetworkDoNotMeet) {
  const Network one{NetworkOptions{.name = "one"}};
  const Network other{NetworkOptions{.name = "other"}};
  std::vector<std::unique_ptr<RealNode>> nodes;
  nodes.push_back(std::make_unique<RealNode>(one, 1));
  nodes.push_back(std::make_unique<RealNode>(other, 2));
  nodes.back()->node.join(nodes.front()->port.bound());
  EXPECT_FALSE(run_until(
      nodes, [&] { return nodes.back()->node.status().good_nodes > 0; }, 3));
}

TEST(UdpPort, SaysThatAPortIsInUseOrAnAddressIsNotHere) {
  const Result<UdpPort> first = UdpPort::open(*parse_address("127.0.0.1:0"));
  ASSERT_TRUE(first);
  EXPECT_NE(first->bound().port, 0);
  const Result<UdpPort> second = UdpPort::open(first->bound());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message,
            to_text(first->bound()) +
                " is in use by another program: choose another port, or port 0 for one that is "
                "free");
  const Result<UdpPort> elsewhere = UdpPort::open(*parse_address("192.0.2.1:0"));
  ASSERT_FALSE(elsewhere);
  EXPECT_EQ(elsewhere.error().message, "192.0.2.1:0 is no address of this machine");
}

}  // namespace
}  // namespace twinsift::net
