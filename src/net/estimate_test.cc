// SPDX-License-Identifier: Apache-2.0
#include "net/estimate.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift::net {
namespace {

DhtKey random_key(Rng& rng) {
  DhtKey key{};
  for (std::uint8_t& byte : key) byte = static_cast<std::uint8_t>(rng.next());
  return key;
}

std::vector<Neighbourhood> look(const std::vector<DhtKey>& peers, std::size_t places,
                                std::size_t nearest, Rng& rng) {
  std::vector<Neighbourhood> seen(places);
  for (Neighbourhood& neighbourhood : seen) {
    neighbourhood.place = random_key(rng);
    std::vector<DhtKey> sorted = peers;
    const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(nearest, peers.size()));
    std::ranges::partial_sort(sorted, end, [&](const DhtKey& a, const DhtKey& b) {
      return is_nearer(neighbourhood.place, a, b);
    });
    neighbourhood.nearest.assign(sorted.begin(), end);
  }
  return seen;
}

// STATISTICAL: within four standard errors, and without bias over many networks.
TEST(Estimate, CountsPeersWithoutSeeingThem) {
  Rng rng(1);
  for (const std::size_t size : {64U, 1000U}) {
    double sum = 0;
    constexpr int kNetworks = 30;
    for (int i = 0; i < kNetworks; ++i) {
      std::vector<DhtKey> peers(size);
      for (DhtKey& peer : peers) peer = random_key(rng);
      sum += estimate_peers(look(peers, 16, 8, rng)) / static_cast<double>(size);
    }
    EXPECT_NEAR(sum / kNetworks, 1, 4 / std::sqrt(16. * 8 * kNetworks)) << size;
  }
}

TEST(Estimate, OfALonelyPeerIsOne) {
  EXPECT_EQ(estimate_peers({}), 1);
  Rng rng(2);
  EXPECT_EQ(estimate_peers(std::vector<Neighbourhood>{{random_key(rng), {random_key(rng)}}}), 1);
  const std::vector<DhtKey> three = {random_key(rng), random_key(rng), random_key(rng)};
  EXPECT_GE(estimate_peers(look(three, 4, 8, rng)), 3);
}

TEST(Estimate, LoadIsTheMeanOfTheSample) {
  const std::vector<PeerReport> sample = {{.resources = 10, .searches = 4, .duplicates = 3},
                                          {.resources = 20, .searches = 0, .duplicates = 0}};
  const PondLoad load = estimate_load(1000, sample);
  EXPECT_EQ(load.peers, 1000);
  EXPECT_EQ(load.resources_per_peer, 15);
  EXPECT_EQ(load.searches, 2000);
  EXPECT_EQ(load.duplicates_per_search, 3);
}

TEST(Estimate, SimilaritiesAreThoseOfTheSets) {
  Rng rng(3);
  TokenSet all(150);
  for (std::uint64_t& id : all) id = rng.next();
  const TokenSet a(all.begin(), all.begin() + 100);
  const TokenSet b(all.begin() + 50, all.end());  // J = 1/3
  TokenSet c(100);
  for (std::uint64_t& id : c) id = rng.next();
  double alike = 0;
  constexpr int kSeeds = 40;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::vector<PeerReport> sample = {{.shown = {show_set(a, seed)}},
                                            {.shown = {show_set(b, seed), show_set(c, seed)}}};
    const auto law = estimate_similarities(sample);
    double weight = 0;
    for (const auto& [s, share] : law) {
      weight += share;
      alike += s * share / kSeeds;
    }
    EXPECT_EQ(weight, 3);
    EXPECT_EQ(law.front().s, 0);
    EXPECT_EQ(law.front().weight, 2);
  }
  EXPECT_NEAR(alike, 1. / 3, 4 * std::sqrt(2. / 9 / 64 / kSeeds));
  EXPECT_TRUE(estimate_similarities({}).empty());
}

}  // namespace
}  // namespace twinsift::net
