// SPDX-License-Identifier: Apache-2.0
#include "eval/copy_scores.h"

#include <gtest/gtest.h>

#include "eval/copies/versions.h"

namespace twinsift {
namespace {

std::uint32_t version_number(std::string_view name) {
  return static_cast<std::uint32_t>(std::ranges::find(kCopyVersions, name, &CopyVersion::name) -
                                    kCopyVersions.begin());
}

// Two originals, a distractor, and a photo that is known to show what the first original shows.
CopySet two_originals() {
  CopySet set;
  set.originals = {"p/a.jpg", "p/b.jpg"};
  set.versions = kCopyVersions.size();
  set.files = {{"p/a.jpg", 0}, {"p/b.jpg", 1}, {"p/c.jpg", 2}, {"p/a_again.jpg", 0}};
  for (const char* name : {"jpeg75", "png", "meme"}) {
    for (std::uint32_t original = 0; original < 2; ++original) {
      set.copies.push_back(
          {"t/00" + std::to_string(original) + "_" + name, original, version_number(name)});
    }
  }
  return set;
}

// The first matches all others.
Group group_of(const std::vector<std::string>& paths) {
  Group group;
  for (const std::string& path : paths) {
    Member member;
    member.path = path;
    group.members.push_back(member);
    if (group.members.size() == 1) continue;
    MemberPair pair;
    pair.b = static_cast<std::uint32_t>(group.members.size() - 1);
    group.pairs.push_back(pair);
  }
  return group;
}

CopyScore score(const LevelOutcome& outcome, std::string_view name) {
  return outcome.versions[version_number(name)];
}

TEST(CopyScores, OfAnEmptyReportAreNoRecallAndNothingWrong) {
  const LevelOutcome outcome = score_copies(two_originals(), {}, "same");
  EXPECT_EQ(score(outcome, "jpeg75").copies, 2U);
  EXPECT_EQ(score(outcome, "jpeg75").recall(), 0);
  EXPECT_EQ(score(outcome, "jpeg75").precision(), 1);
  EXPECT_EQ(score(outcome, "blur1").copies, 0U);
  EXPECT_EQ(score(outcome, "blur1").recall(), 0);
  EXPECT_TRUE(outcome.wrong.empty());
}

TEST(CopyScores, CountCopiesThatAreInTheStarOfTheirOriginal) {
  Report report;
  report.groups = {group_of({"p/a.jpg", "t/000_jpeg75", "t/000_png"}),
                   group_of({"p/b.jpg", "t/001_png", "t/001_meme"})};
  const LevelOutcome outcome = score_copies(two_originals(), report, "same");
  EXPECT_EQ(score(outcome, "jpeg75").recall(), 0.5);
  EXPECT_EQ(score(outcome, "png").recall(), 1);
  EXPECT_EQ(score(outcome, "meme").recall(), 0.5);
  EXPECT_EQ(score(outcome, "meme").precision(), 1);
  EXPECT_TRUE(outcome.wrong.empty());
}

TEST(CopyScores, CountACopyWithAnotherPhotoAsWrongAndNameTheTwo) {
  Report report;
  report.groups = {group_of({"p/c.jpg", "t/000_jpeg75", "t/000_png", "t/001_png"})};
  const LevelOutcome outcome = score_copies(two_originals(), report, "edited");
  EXPECT_EQ(score(outcome, "jpeg75").recall(), 0);
  EXPECT_EQ(score(outcome, "jpeg75").precision(), 0);
  EXPECT_EQ(score(outcome, "png").wrong, 2U);
  ASSERT_EQ(outcome.wrong.size(), 2U);
  EXPECT_EQ(outcome.wrong[0].level, "edited");
  EXPECT_EQ(outcome.wrong[0].original, "p/a.jpg");
  EXPECT_EQ(outcome.wrong[0].other, "p/c.jpg");
  EXPECT_EQ(outcome.wrong[0].copies, 2U);
  EXPECT_EQ(outcome.wrong[1].original, "p/b.jpg");
}

TEST(CopyScores, AnotherOriginalIsAsWrongAsADistractorAndFilesThatAreNoPhotosAre) {
  Report report;
  report.groups = {group_of({"p/b.jpg", "t/000_jpeg75"}), group_of({"p/read.me", "t/001_jpeg75"})};
  EXPECT_EQ(score(score_copies(two_originals(), report, "same"), "jpeg75").wrong, 2U);
}

TEST(CopyScores, APhotoKnownToBeTheSameIsRightAndCountsACopyOnce) {
  Report report;
  report.groups = {group_of({"p/a_again.jpg", "t/000_png"}), group_of({"p/a.jpg", "t/000_png"}),
                   group_of({"p/b.jpg", "t/000_png"})};
  const CopyScore png = score(score_copies(two_originals(), report, "same"), "png");
  EXPECT_EQ(png.found, 1U);
  EXPECT_EQ(png.right, 2U);
  EXPECT_EQ(png.wrong, 1U);
  EXPECT_EQ(png.recall(), 0.5);
  EXPECT_NEAR(png.precision(), 2.0 / 3, 1e-12);
}

TEST(CopyScores, PairsOfTwoCopiesAndOfTwoPhotosCountNowhere) {
  Report report;
  report.groups = {group_of({"t/000_png", "t/001_png"}), group_of({"p/a.jpg", "p/c.jpg"})};
  const LevelOutcome outcome = score_copies(two_originals(), report, "same");
  EXPECT_EQ(score(outcome, "png").right + score(outcome, "png").wrong, 0U);
  EXPECT_TRUE(outcome.wrong.empty());
}

TEST(CopyScores, TheOrderOfAPairDoesNotMatter) {
  Report report;
  report.groups = {group_of({"t/000_png", "p/a.jpg"})};
  EXPECT_EQ(score(score_copies(two_originals(), report, "same"), "png").found, 1U);
}

}  // namespace
}  // namespace twinsift
