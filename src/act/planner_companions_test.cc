// SPDX-License-Identifier: Apache-2.0
// What the planner does with files that belong together.
#include <gtest/gtest.h>

#include "act/test_plan.h"

namespace twinsift {
namespace {

// Immich#27733: half of a Live Photo was deleted.
TEST_F(PlannedFiles, CompanionsGoTogether) {
  file("in/IMG_1.MOV", "film");
  file("out/IMG_1.MOV", "film");
  file("out/IMG_1.HEIC.xmp", "rating");
  group({file("in/IMG_1.HEIC", "picture"), file("out/IMG_1.HEIC", "picture")});
  const PlanResult result = plan();
  ASSERT_EQ(lines(result), (Lines{"out/IMG_1.HEIC -> in/IMG_1.HEIC"}));
  Lines along;
  for (const FileProof& companion : result.plan.actions[0].companions) {
    along.push_back(short_name(companion.path));
    EXPECT_EQ(companion.digest.size(), 32U);
  }
  EXPECT_EQ(along, (Lines{"out/IMG_1.HEIC.xmp", "out/IMG_1.MOV"}));
  EXPECT_EQ(result.plan.actions[0].lacks, (Lines{"companion " + (folder / "out/IMG_1.HEIC.xmp")}));
}

// All that belongs to the halves goes: nothing may stay behind that is about a file which went.
TEST_F(PlannedFiles, SidecarsOfTheOtherHalfGoAlong) {
  file("in/IMG_1.CR2", "raw");
  file("out/IMG_1.CR2", "raw");
  file("out/IMG_1.CR2.xmp", "of the raw");
  file("out/IMG_1.xmp", "of both");
  group({file("in/IMG_1.JPG", "picture"), file("out/IMG_1.JPG", "picture")});
  const PlanResult result = plan();
  ASSERT_EQ(lines(result), (Lines{"out/IMG_1.JPG -> in/IMG_1.JPG"}));
  Lines along;
  for (const FileProof& companion : result.plan.actions[0].companions) {
    along.push_back(short_name(companion.path));
  }
  EXPECT_EQ(along, (Lines{"out/IMG_1.CR2", "out/IMG_1.xmp", "out/IMG_1.CR2.xmp"}));
  EXPECT_EQ(result.plan.actions[0].lacks, (Lines{"companion " + (folder / "out/IMG_1.xmp"),
                                                 "companion " + (folder / "out/IMG_1.CR2.xmp")}));
}

TEST_F(PlannedFiles, APictureWhoseFilmHasNoCopyStays) {
  file("out/IMG_1.MOV", "film");
  group({file("in/IMG_1.HEIC", "picture"), file("out/IMG_1.HEIC", "picture")});
  const PlanResult result = plan();
  EXPECT_EQ(lines(result), Lines{});
  EXPECT_EQ(reason(result, "out/IMG_1.HEIC"), "its other half has no copy");
  options.action = Action::kHardlink;  // then nothing goes away
  EXPECT_EQ(lines().size(), 1U);
}

TEST_F(PlannedFiles, BothHalvesGoByLinesOfTheirOwnOrNeitherDoes) {
  const std::string raw = file("out/IMG_1.CR2", "raw");
  const std::string kept_raw = file("in/IMG_1.CR2", "raw");
  group({file("in/IMG_1.JPG", "picture"), file("out/IMG_1.JPG", "picture")});
  group({kept_raw, raw});
  EXPECT_EQ(lines(), (Lines{"out/IMG_1.JPG -> in/IMG_1.JPG", "out/IMG_1.CR2 -> in/IMG_1.CR2"}));
  // If the RAW is kept for another reason, the JPEG stays with it.
  report.groups[1].members[1].reference = true;
  const PlanResult result = plan();
  EXPECT_EQ(lines(result), Lines{});
  EXPECT_EQ(reason(result, "out/IMG_1.JPG"), "its companion stays");
}

TEST_F(PlannedFiles, ASidecarStaysWithTheFileItDescribes) {
  file("a/1.jpg", "one");
  file("b/2.jpg", "two");
  group({file("a/1.xmp", "no rating"), file("b/2.xmp", "no rating")});
  const PlanResult result = plan();
  EXPECT_EQ(lines(result), Lines{});
  EXPECT_EQ(reason(result, "b/2.xmp"), "its companion stays");
}

TEST_F(PlannedFiles, ASidecarOfTwoFilesStaysWithTheOneThatStays) {
  file("b/song.flac", "lossless");
  file("b/song.lrc", "words");
  group({file("a/song.mp3", "lossy"), file("b/song.mp3", "lossy")});
  const PlanResult result = plan();
  ASSERT_EQ(lines(result), (Lines{"b/song.mp3 -> a/song.mp3"}));
  EXPECT_TRUE(result.plan.actions[0].companions.empty());
}

}  // namespace
}  // namespace twinsift
