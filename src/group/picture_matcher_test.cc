// SPDX-License-Identifier: Apache-2.0
// Stars of pictures against comparing every pair.
#include "group/picture_matcher.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "feature/pdq_print.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kPictures = 240;

// Families of codes that are near or not so near; some pictures are plain.
std::vector<Packed> some_pictures() {
  Rng rng(5);
  std::vector<Packed> pictures;
  PdqPrint print{.width = 10, .height = 10, .quality = 100};
  for (std::uint32_t i = 0; i < kPictures; ++i) {
    if (i % 8 == 0) {
      for (PdqCode& code : print.codes) {
        for (std::uint64_t& word : code) word = rng.next();
      }
    }
    PdqPrint copy = print;
    for (std::uint32_t flips = rng.below(30); flips > 0; --flips) {
      const std::uint32_t bit = rng.below(256);
      for (PdqCode& code : copy.codes) code[bit / 64] ^= std::uint64_t{1} << (bit % 64);
    }
    if (i % 10 == 3) copy.quality = 20;
    copy.pixels = {i % 10 == 3 ? 1 + i / 60 : 1000 + i, 7};
    pictures.push_back(pack(copy));
  }
  return pictures;
}

class PictureMatcher : public testing::Test {
 protected:
  PictureTask task() {
    return {.detector = detector.get(),
            .pictures = kPictures,
            .packed = [this](ItemId i) -> Result<SetView> { return SetView(pictures[i]); },
            .recall = 0.999999};
  }

  // What the definition of stars says, pair by pair.
  std::vector<ItemId> brute_force(const PictureTask& task) {
    std::vector<ItemId> keeper;
    for (ItemId i = 0; i < kPictures; ++i) {
      keeper.push_back(i);
      if (i < task.references) continue;
      for (ItemId other = 0; other < i; ++other) {
        if (keeper[other] != other || (task.allowed && !task.allowed(other, i))) continue;
        if (detector->compare(pictures[other], pictures[i])->score < task.threshold) continue;
        keeper[i] = other;
        break;
      }
    }
    return keeper;
  }

  std::vector<Packed> pictures = some_pictures();
  std::unique_ptr<PictureDetector> detector = *make_picture_detector("pdq");
};

TEST_F(PictureMatcher, StarsAreThoseOfBruteForce) {
  for (const unsigned threads : {1U, 2U}) {
    for (const double threshold : {0.8, 0.9, 1.0}) {
      PictureTask how = task();
      how.threads = threads;
      how.threshold = threshold;
      const auto outcome = match_pictures(how);
      ASSERT_TRUE(outcome);
      EXPECT_EQ(outcome->keeper, brute_force(how)) << threshold;
    }
  }
}

TEST_F(PictureMatcher, ReferencesStayAndForbiddenPairsDoNotMeet) {
  PictureTask how = task();
  how.references = 70;
  how.allowed = [](ItemId a, ItemId b) { return (a + b) % 3 != 0; };
  const auto outcome = match_pictures(how);
  ASSERT_TRUE(outcome);
  const auto expected = brute_force(how);
  EXPECT_EQ(outcome->keeper, expected);
  for (ItemId i = 0; i < how.references; ++i) EXPECT_EQ(outcome->keeper[i], i);
}

TEST_F(PictureMatcher, DamagedWordsEndTheRun) {
  pictures[17].words.pop_back();
  const auto outcome = match_pictures(task());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kCorrupt);
}

TEST_F(PictureMatcher, NothingIsMadeOfNothing) {
  PictureTask how = task();
  how.pictures = 0;
  EXPECT_TRUE(match_pictures(how)->keeper.empty());
}

}  // namespace
}  // namespace twinsift
