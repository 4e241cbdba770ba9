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

}  // namespace
}  // namespace twinsift::net
