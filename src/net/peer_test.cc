// SPDX-License-Identifier: Apache-2.0
// Peers on a virtual network keep the promise, and say nothing wrong.
#include "net/peer.h"

#include <cmath>
#include <cstdio>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "net/test_sets.h"
#include "net/virtual_peers.h"

namespace twinsift::net {
namespace {

struct Pair {
  VirtualPeers::HostId asker = 0;
  VirtualPeers::HostId owner = 0;
  TokenSet question;
  ResourceId wanted{};
};

// Peers with strangers on their shelves, and pairs of exactly a similarity, one half of which
// stands on a shelf, and the other is asked for by somebody else.
struct World {
  World(const VirtualPeersOptions& options, std::uint32_t peers, std::size_t pairs,
        std::size_t percent)
      : all(options), rng(options.virtual_network.seed + 17) {
    std::vector<MemoryShelf> shelves(peers);
    for (MemoryShelf& shelf : shelves) shelf.put(test_representation(test_set(rng, 100)));
    for (std::size_t i = 0; i < pairs; ++i) {
      auto [shown, asked] = test_pair(rng, percent);
      const std::uint32_t owner = rng.below(peers);
      const std::uint32_t asker = (owner + 1 + rng.below(peers - 1)) % peers;
      const ResourceId id = shelves[owner].put(test_representation(std::move(shown)));
      questions.push_back({asker, owner, std::move(asked), id});
    }
    for (MemoryShelf& shelf : shelves) {
      all.add(std::move(shelf));
      all.hosts().run(0.2);
    }
  }

  // How many of the pairs with a living owner are found, each by somebody who is alive.
  std::size_t found(std::size_t& of, bool expect_kept = true) {
    std::vector<std::shared_ptr<Asked>> asked;
    std::vector<const Pair*> whose;
    const std::vector<VirtualPeers::HostId> living = all.living();
    for (const Pair& pair : questions) {
      if (!all.hosts().is_alive(pair.owner)) continue;
      VirtualPeers::HostId asker = pair.asker;
      while (!all.hosts().is_alive(asker) || asker == pair.owner) {
        asker = living[rng.below(static_cast<std::uint32_t>(living.size()))];
      }
      asked.push_back(all.start(asker, {.detector = kTestDetector, .set = pair.question}));
      whose.push_back(&pair);
      all.hosts().run(0.5);
    }
    all.hosts().run(65);
    std::size_t count = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      EXPECT_TRUE(asked[i]->done);
      if (expect_kept) {
        EXPECT_TRUE(asked[i]->report.kept) << asked[i]->report.why;
      }
      for (const Answer& answer : asked[i]->answers) {
        // Precision is 1: nothing else is similar to a question.
        EXPECT_EQ(answer.entry.resource, whose[i]->wanted);
        if (answer.entry.resource == whose[i]->wanted) ++count;
      }
    }
    of = asked.size();
    return count;
  }

  VirtualPeers all;
  Rng rng;
  std::vector<Pair> questions;
};

struct PromiseCase {
  double recall;
  std::size_t percent;
  bool one_bit;
};

class PeerPromise : public testing::TestWithParam<PromiseCase> {};

TEST_P(PeerPromise, IsKeptForPairsThatAreJustSimilarEnough) {
  const PromiseCase& param = GetParam();
  VirtualPeersOptions options;
  options.network.goal = {.similarity = static_cast<double>(param.percent) / 100,
                          .recall = param.recall};
  options.peer.one_bit = param.one_bit;
  options.peer.tunes = false;
  World world(options, 24, 240, param.percent);
  ASSERT_TRUE(world.all.run_until_published(600));
  std::size_t of = 0;
  const auto found = static_cast<double>(world.found(of));
  ASSERT_EQ(of, 240U);
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
                                         PromiseCase{.8, 90, true}, PromiseCase{.9, 80, true}));

}  // namespace
}  // namespace twinsift::net
