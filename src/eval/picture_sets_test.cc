// SPDX-License-Identifier: Apache-2.0
#include "eval/picture_sets.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "eval/pictures.h"
#include "feature/test_scene.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kSide = 56;

std::vector<GreyImage> scenes(std::size_t count) {
  std::vector<GreyImage> pictures;
  for (std::size_t i = 0; i < count; ++i) {
    pictures.push_back(draw_grey(kSide, kSide, blob_scene(i + 1, kSide, 60)));
  }
  return pictures;
}

GreyImage flat() {
  return {.pixels = std::vector<std::uint8_t>(kSide * kSide, 90), .width = kSide, .height = kSide};
}

TEST(PictureSets, VersionsAreLikeTheirQueryAndOthersAreNot) {
  std::vector<GreyImage> pictures = scenes(kFewestPictures);
  pictures.insert(pictures.begin() + 3, flat());
  const auto bags = bags_of_pictures(pictures, {});
  ASSERT_TRUE(bags) << bags.error().message;
  const Workload workload = workload_of(*bags);
  const std::size_t queries = workload.queries().size();
  EXPECT_EQ(queries, kFewestPictures / 2);
  EXPECT_GE(workload.documents(), queries * 10);
  EXPECT_LE(workload.documents(), queries * 10 + kFewestPictures - queries);
  EXPECT_NE(workload.description().find("of 20 pictures"), std::string::npos)
      << workload.description();
  const QueryIndex index(workload.queries());
  std::vector<std::size_t> found(queries);
  std::size_t close = 0;
  for (std::uint32_t d = 0; d < workload.documents(); ++d) {
    const TokenSet document = workload.document(d);
    EXPECT_FALSE(document.empty());
    EXPECT_TRUE(std::ranges::is_sorted(document));
    const auto similar = index.similar(document, 200);
    EXPECT_LE(similar.size(), 1U) << "one scene is not like another";
    for (const QueryOverlap& overlap : similar) {
      EXPECT_EQ(overlap.query, bags->query_of[d]) << "it is said which scene it shows";
      ++found[overlap.query];
      close += overlap.reaches(600) ? 1U : 0U;
    }
  }
  for (const std::size_t count : found) {
    EXPECT_GE(count, 4U);
    EXPECT_LE(count, 10U) << "a query is not among the documents";
  }
  EXPECT_GE(close, queries) << "the mildest versions at least";
}

TEST(PictureSets, AreFunctionsOfPicturesAndSeed) {
  const std::vector<GreyImage> pictures = scenes(kFewestPictures);
  const auto a = bags_of_pictures(pictures, {});
  const auto b = bags_of_pictures(pictures, {});
  EvalOptions other;
  other.seed = 2;
  const auto c = bags_of_pictures(pictures, other);
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->documents, b->documents);
  EXPECT_EQ(a->query_of, b->query_of);
  EXPECT_EQ(a->queries, c->queries);
  EXPECT_NE(a->documents, c->documents);
}

TEST(PictureSets, MadeUpOnesNeedNoPictures) {
  const PictureBags bags = make_picture_bags({}, 500);
  ASSERT_EQ(bags.documents.size(), 500U);
  ASSERT_EQ(bags.query_of.size(), 500U);
  EXPECT_EQ(std::ranges::count(bags.query_of, kNoQuery), 450);
  EXPECT_EQ(bags.documents, make_picture_bags({}, 500).documents);
  std::uint64_t most = 0;
  for (const WordBag& bag : bags.queries) {
    for (const TermCount& word : bag) most = std::max(most, word.count);
  }
  EXPECT_GE(most, 3U) << "bags are more than sets";
  const Workload workload = workload_of(bags);
  const QueryIndex index(workload.queries());
  for (std::uint32_t d = 0; d < workload.documents(); ++d) {
    for (const QueryOverlap& overlap : index.similar(workload.document(d), 300)) {
      EXPECT_EQ(overlap.query, bags.query_of[d]) << "strangers share less";
    }
  }
}

TEST(PictureSets, TooFewWithKeyPointsAreRefused) {
  std::vector<GreyImage> pictures = scenes(kFewestPictures - 1);
  pictures.push_back(flat());
  const auto bags = bags_of_pictures(pictures, {});
  ASSERT_FALSE(bags);
  EXPECT_EQ(bags.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(bags.error().message, "19 of the pictures have key points, and at least 20 are needed");
  EvalOptions options;
  options.images = "/no/such/folder";
  EXPECT_FALSE(load_picture_bags(options, 100));
}

TEST(PictureSets, StopWhenAsked) {
  std::stop_source source;
  source.request_stop();
  EvalOptions options;
  options.stop = source.get_token();
  const auto bags = bags_of_pictures(scenes(kFewestPictures), options);
  ASSERT_FALSE(bags);
  EXPECT_EQ(bags.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace twinsift
