// SPDX-License-Identifier: Apache-2.0
#include "eval/picture_vectors.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "eval/picture_sets.h"
#include "feature/test_scene.h"
#include "feature/visual_words.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kSide = 72;

GreyImage scene(std::uint64_t seed) { return draw_grey(kSide, kSide, blob_scene(seed, kSide, 60)); }

double norm(std::span<const float> vector) {
  double square = 0;
  for (const float x : vector) square += double{x} * x;
  return std::sqrt(square);
}

LocalWords words(const std::vector<std::uint32_t>& numbers) {
  LocalWords all;
  for (const std::uint32_t number : numbers) all.words.push_back({.word = number});
  return all;
}

TEST(PictureVectors, ABagCountsWordsAndHasLengthOne) {
  const DenseVector bag = hashed_bag(words({5, 5, 5, 700}));
  ASSERT_EQ(bag.size(), kBagBins);
  EXPECT_NEAR(norm(bag), 1, 1e-6);
  std::vector<float> counts;
  for (const float x : bag) {
    if (x > 0) counts.push_back(x);
  }
  std::ranges::sort(counts);
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_NEAR(counts[1] / counts[0], 3, 1e-5);
  EXPECT_EQ(hashed_bag({}), DenseVector(kBagBins));
}

// All words of the vocabulary: no bin is empty, none is crowded.
TEST(PictureVectors, WordsAreSpreadOverTheBins) {
  std::vector<std::uint32_t> numbers(shipped_vocabulary().size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  const DenseVector bag = hashed_bag(words(numbers));
  const auto [least, most] = std::ranges::minmax(bag);
  EXPECT_GT(least, 0);
  EXPECT_LT(most, 5 * least);
}

TEST(PictureVectors, ScenesAndCopiesComeInGroupsUpToTheirNumber) {
  PictureVectors made;
  const GreyImage flat{
      .pixels = std::vector<std::uint8_t>(kSide * kSide, 90), .width = kSide, .height = kSide};
  EXPECT_FALSE(made.add(flat.view(), kCopyVersions, 1));
  EXPECT_EQ(made.pictures(), 0U);
  EXPECT_TRUE(made.add(scene(1).view(), kCopyVersions, 1));
  EXPECT_TRUE(made.add(scene(2).view(), kCopyVersions, 1));
  EXPECT_EQ(made.pictures(), 2U);
  for (const VectorSet* set : {&made.scenes.gist, &made.scenes.bags}) {
    EXPECT_EQ(set->size(), 2 * kSceneViews);
    EXPECT_EQ(set->groups, (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
    const VectorRows rows = set->rows();
    for (std::size_t view = 1; view < kSceneViews; ++view) {
      EXPECT_GT(squared_distance(rows[0], rows[view]), 0) << "it is altered";
      EXPECT_LT(squared_distance(rows[0], rows[view]), squared_distance(rows[0], rows[kSceneViews]))
          << set->name;
    }
  }
  EXPECT_EQ(made.copies.gist.size(), kCopyVersions) << "no room for those of the second";
  EXPECT_EQ(made.copies.bags.size(), kCopyVersions);
  EXPECT_EQ(made.copies.bags.dimension, kBagBins);
}

TEST(PictureVectors, AreTheSameAgain) {
  PictureVectors a;
  PictureVectors b;
  PictureVectors other;
  EXPECT_TRUE(a.add(scene(1).view(), 0, 1));
  EXPECT_TRUE(b.add(scene(1).view(), 0, 1));
  EXPECT_TRUE(other.add(scene(1).view(), 0, 2));
  EXPECT_EQ(a.scenes.gist.values, b.scenes.gist.values);
  EXPECT_EQ(a.scenes.bags.values, b.scenes.bags.values);
  EXPECT_NE(a.scenes.gist.values, other.scenes.gist.values);
}

}  // namespace
}  // namespace twinsift
