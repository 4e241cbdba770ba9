// SPDX-License-Identifier: Apache-2.0
#include "group/picture_local.h"

#include <gtest/gtest.h>

#include "verify/test_local_words.h"

namespace twinsift {
namespace {

struct Album {
  std::vector<LocalWords> words;
  std::vector<LocalWords> mirrored;
  [[nodiscard]] LocalPictures view() const {
    return {.count = static_cast<std::uint32_t>(words.size()),
            .print = [this](std::uint32_t i) -> Result<LocalPrint> {
              return LocalPrint{words[i], mirrored.empty() ? LocalWords{} : mirrored[i]};
            }};
  }
};

// Scenes with a turned copy, a mirrored one, one that is hardly a copy, and something else.
Album album(std::uint64_t seed) {
  Rng rng(seed);
  Album made;
  for (int scene = 0; scene < 12; ++scene) {
    const LocalWords original = random_words(rng, {.points = 150, .vocabulary = 2000});
    const auto map =
        turned_map(360 * rng.uniform(), 0.6 + 0.4 * rng.uniform(), {256, 192}, {256, 192});
    made.words.push_back(original);
    made.words.push_back(copy_under(original, map, 512, 384, rng));
    made.words.push_back(mirrored_words(copy_under(original, map, 512, 384, rng)));
    made.words.push_back(copy_under(original, map, 512, 384, rng, {.kept = 0.15 * rng.uniform()}));
    made.words.push_back(random_words(rng, {.points = 150, .vocabulary = 2000}));
  }
  for (const LocalWords& words : made.words) made.mirrored.push_back(mirrored_words(words));
  return made;
}

void expect_same(const LocalPairs& found, const LocalPairs& expected) {
  ASSERT_EQ(found.pairs.size(), expected.pairs.size());
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    EXPECT_EQ(found.pairs[i].a, expected.pairs[i].a);
    EXPECT_EQ(found.pairs[i].b, expected.pairs[i].b);
    EXPECT_EQ(found.pairs[i].match.score, expected.pairs[i].match.score);
    EXPECT_EQ(found.pairs[i].match.placement, expected.pairs[i].match.placement);
  }
}

TEST(PictureLocal, FindsWhatComparingAllPairsFinds) {
  const Album pictures = album(1);
  LocalPairs expected;
  for (std::uint32_t a = 0; a < pictures.words.size(); ++a) {
    for (std::uint32_t b = a + 1; b < pictures.words.size(); ++b) {
      auto match =
          match_local_or_mirrored(pictures.words[a], pictures.words[b], pictures.mirrored[b]);
      if (!match) continue;
      match->placement.points.clear();
      expected.pairs.push_back({a, b, *match});
    }
  }
  const auto found = find_local_pairs(pictures.view(), {});
  ASSERT_TRUE(found);
  expect_same(*found, expected);
  EXPECT_TRUE(found->capped.empty());
  EXPECT_GE(found->pairs.size(), 36U);
  EXPECT_GE(found->candidates, found->pairs.size());
  EXPECT_LT(found->candidates, 600U);
  std::size_t mirrored = 0;
  for (const LocalPair& pair : found->pairs) {
    EXPECT_EQ(pair.a / 5, pair.b / 5);  // of the same scene
    EXPECT_NE(pair.b % 5, 4U);
    EXPECT_EQ(pair.match.placement.mirrored, (pair.a % 5 == 2) != (pair.b % 5 == 2));
    mirrored += pair.match.placement.mirrored ? 1 : 0;
  }
  EXPECT_GE(mirrored, 24U);
}

TEST(PictureLocal, ThreadsDoNotMatter) {
  const Album pictures = album(2);
  const auto alone = find_local_pairs(pictures.view(), {});
  const auto together = find_local_pairs(pictures.view(), {.threads = 4});
  ASSERT_TRUE(alone && together);
  expect_same(*together, *alone);
  EXPECT_EQ(together->candidates, alone->candidates);
}

TEST(PictureLocal, BlocksDoNotMatter) {
  const Album pictures = album(2);
  const auto alone = find_local_pairs(pictures.view(), {});
  for (const std::uint32_t block : {1U, 7U, 59U, 60U, 61U, UINT32_MAX}) {
    const auto blocks = find_local_pairs(pictures.view(), {.block = block, .threads = 2});
    ASSERT_TRUE(alone && blocks);
    expect_same(*blocks, *alone);
    EXPECT_EQ(blocks->candidates, alone->candidates);
  }
}

TEST(PictureLocal, APictureWithoutKeyPointsEndsIt) {
  const Album pictures = album(2);
  LocalPictures view = pictures.view();
  view.print = [good = view.print](std::uint32_t i) -> Result<LocalPrint> {
    if (i == 50) return Error{ErrorCode::kCorrupt, "gone"};
    return good(i);
  };
  for (const std::uint32_t block : {10U, 8192U}) {
    const auto found = find_local_pairs(view, {.block = block, .threads = 2});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message, "gone");
  }
}

TEST(PictureLocal, WithoutMirrorImagesOnlyThoseAreMissing) {
  Album pictures = album(3);
  auto expected = find_local_pairs(pictures.view(), {});
  pictures.mirrored.clear();
  const auto found = find_local_pairs(pictures.view(), {});
  ASSERT_TRUE(expected && found);
  std::erase_if(expected->pairs,
                [](const LocalPair& pair) { return pair.match.placement.mirrored; });
  expect_same(*found, *expected);
}

TEST(PictureLocal, CappedPicturesAreTold) {
  const Album pictures = album(4);
  LocalPairsOptions options;
  options.index.most = 1;
  const auto found = find_local_pairs(pictures.view(), options);
  ASSERT_TRUE(found);
  ASSERT_FALSE(found->capped.empty());
  for (const std::uint32_t picture : found->capped) EXPECT_GE(picture % 5, 2U);
}

TEST(PictureLocal, StopsAndFindsNothingInNothing) {
  EXPECT_TRUE(find_local_pairs({}, {})->pairs.empty());
  std::stop_source source;
  source.request_stop();
  const Album pictures = album(5);
  const auto stopped = find_local_pairs(pictures.view(), {}, source.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace twinsift
