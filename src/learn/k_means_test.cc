// SPDX-License-Identifier: Apache-2.0
#include "learn/k_means.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"
#include "learn/test_mixture.h"

namespace twinsift {
namespace {

TEST(KMeans, FindsTheMiddlesOfAMixture) {
  const Mixture mixture = make_mixture(30, 40, 1);
  const KMeans found = k_means(mixture.points, {.clusters = 30, .seed = 5});
  ASSERT_EQ(found.middles.size(), 30U);
  std::set<std::uint32_t> met;
  for (const SiftDescriptor& middle : found.middles) {
    const auto nearest = nearest_descriptor(middle, mixture.middles);
    if (nearest.squared_distance < 128 * 4) met.insert(nearest.index);
  }
  // k-means++ may put two into one blob, but rarely.
  EXPECT_GE(met.size(), 27U);
}

TEST(KMeans, DependsOnTheSeedButNotOnThreads) {
  const Mixture mixture = make_mixture(20, 40, 2);
  const auto one = k_means(mixture.points, {.clusters = 15, .seed = 1, .threads = 1}).middles;
  EXPECT_EQ(k_means(mixture.points, {.clusters = 15, .seed = 1, .threads = 4}).middles, one);
  EXPECT_NE(k_means(mixture.points, {.clusters = 15, .seed = 2, .threads = 1}).middles, one);
}

TEST(KMeans, GetsNoWorseFromRoundToRound) {
  const Mixture mixture = make_mixture(50, 20, 3);
  double before = 1e12;
  for (unsigned rounds = 1; rounds < 8; ++rounds) {
    const auto found = k_means(mixture.points, {.clusters = 25, .rounds = rounds, .seed = 1});
    EXPECT_LE(found.mean_squared_distance, before * 1.0001 + 64);  // middles are rounded
    before = found.mean_squared_distance;
  }
}

TEST(KMeans, GivesNoMoreMiddlesThanThereArePoints) {
  const SiftDescriptor one{1, 2, 3};
  const SiftDescriptor other{200, 2, 3};
  const std::vector<SiftDescriptor> points = {one, other, one, one};
  const auto found = k_means(points, {.clusters = 10, .seed = 1});
  ASSERT_EQ(found.middles.size(), 2U);
  EXPECT_EQ(found.mean_squared_distance, 0);
}

// ORACLE: looking at all words.
TEST(WordTree, FindsNearlyAlwaysTheNearestWord) {
  const Mixture mixture = make_mixture(1000, 2, 4);
  const WordTree tree = make_word_tree(mixture.middles, {.seed = 1});
  ASSERT_EQ(tree.words.size(), 1000U);
  EXPECT_GT(tree.middles.size(), 20U);
  int right = 0;
  for (const SiftDescriptor& point : mixture.points) {
    const auto exact = nearest_descriptor(point, tree.words);
    right += tree.nearest(point).squared_distance == exact.squared_distance ? 1 : 0;
  }
  EXPECT_GE(right, 1960);
}

TEST(WordTree, KeepsEveryWord) {
  const Mixture mixture = make_mixture(200, 1, 5);
  WordTree tree = make_word_tree(mixture.middles, {.seed = 1});
  auto words = mixture.middles;
  std::ranges::sort(words);
  std::ranges::sort(tree.words);
  EXPECT_EQ(tree.words, words);
}

}  // namespace
}  // namespace twinsift
