// SPDX-License-Identifier: Apache-2.0
#include "net/simulation.h"

#include <fstream>

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "net/simulate_main.h"
#include "net/test_sets.h"

namespace twinsift::net {
namespace {

TEST(Simulation, CountsWhatIsFoundAndWhatItCosts) {
  Rng rng(2);
  std::vector<SimulatedItem> items;
  for (int i = 0; i < 40; ++i) {
    auto [a, b] = test_pair(rng, 94);
    items.push_back({"a", std::move(a)});
    items.push_back({"b", std::move(b)});
  }
  SimulationOptions options{.peers = 20, .questions = 30};
  options.goal = {.similarity = 0.9, .recall = 0.9};
  const Result<SimulationResult> result = simulate(options, items);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->resources, 80U);
  EXPECT_EQ(result->questions, 30U);
  EXPECT_EQ(result->wanted, 30U);
  EXPECT_EQ(result->wrong, 0U);
  EXPECT_GE(result->recall(), 0.8);  // 0.9 and more, less 2 standard errors of 30
  EXPECT_GT(result->resource.messages, 20);
  EXPECT_GT(result->question.messages, 10);
  EXPECT_NE(to_json(options, *result).find("\"recall\""), std::string::npos);
}

TEST(Simulation, AWrongFileIsASentenceThatNamesTheLine) {
  const TestDir dir;
  const std::string path = dir.path().string() + "/items";
  std::ofstream(path) << "one\t1f 2 2 abc\ntwo\t0 xyz\n";
  const Result<std::vector<SimulatedItem>> items = read_items(path);
  ASSERT_FALSE(items);
  EXPECT_EQ(items.error().message, path + ": line 2 has what is no number");
  std::ofstream(path) << "one\t1f 2 2 abc\n";
  EXPECT_EQ(read_items(path)->front().set, (TokenSet{0x2, 0x1f, 0xabc}));
  EXPECT_FALSE(simulate({.peers = 1}, *read_items(path)));
  EXPECT_FALSE(simulate({}, {}));
}

}  // namespace
}  // namespace twinsift::net
