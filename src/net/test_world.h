// SPDX-License-Identifier: Apache-2.0
// A virtual network with pairs of similar sets, for tests of peers.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "net/test_sets.h"
#include "net/virtual_peers.h"

namespace twinsift::net {

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

}  // namespace twinsift::net
