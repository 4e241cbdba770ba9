// SPDX-License-Identifier: Apache-2.0
#include "eval/recordings_scores.h"

#include <gtest/gtest.h>

namespace twinsift {
namespace {

// One original of which a copy of each of two attacks exists: as it is, and 1.25 times as fast from
// its tenth second on.
CopySet two_copies() {
  CopySet set;
  set.originals = {"m/a.ogg"};
  set.copies = {{"t/plain", 0, 0}, {"t/fast", 0, 1}};
  set.files = {{"m/a.ogg", 0}, {"m/again.ogg", 0}};
  set.versions = 2;
  return set;
}

const std::vector<CopyMap> kMaps = {{.seconds = 60}, {.offset = 10, .speed = 1.25, .seconds = 20}};

Report report_of(const std::string& a, const std::string& b, std::vector<Stretch> stretches,
                 bool film = false) {
  Timeline timeline;
  timeline.stretches = std::move(stretches);
  MemberPair pair;
  pair.b = 1;
  (film ? pair.evidence.film : pair.evidence.sound) = timeline;
  Group group;
  group.members.resize(2);
  group.members[0].path = a;
  group.members[1].path = b;
  group.pairs = {pair};
  Report report;
  report.groups = {group};
  return report;
}

std::vector<PlaceScore> places(const Report& report, bool film = false) {
  return score_places(two_copies(), kMaps, report, film);
}

TEST(PlaceScores, OfNothingAreNothing) {
  const auto scores = places({});
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_EQ(scores[0].judged, 0U);
  EXPECT_EQ(scores[0].offset_ok(), 0);
  EXPECT_EQ(scores[0].coverage(), 0);
}

TEST(PlaceScores, AreRightWithin150MillisecondsInTheMiddle) {
  EXPECT_EQ(places(report_of("m/a.ogg", "t/plain", {{0.14, 60.14, 0, 60}}))[0].right, 1U);
  EXPECT_EQ(places(report_of("m/a.ogg", "t/plain", {{0.16, 60.16, 0, 60}}))[0].right, 0U);
  // The ends may be off if the middle is not.
  EXPECT_EQ(places(report_of("m/a.ogg", "t/plain", {{1, 59, 0, 60}}))[0].right, 1U);
}

TEST(PlaceScores, FollowTheMapOfTheCopyWhicheverComesFirst) {
  const Stretch there = {.begin_a = 12.5, .end_a = 35, .begin_b = 2, .end_b = 20};
  const Stretch back = {.begin_a = 2, .end_a = 20, .begin_b = 12.5, .end_b = 35};
  const auto first = places(report_of("m/a.ogg", "t/fast", {there}));
  EXPECT_EQ(first[1].right, 1U);
  EXPECT_DOUBLE_EQ(first[1].coverage(), 0.9);
  const auto second = places(report_of("t/fast", "m/a.ogg", {back}));
  EXPECT_EQ(second[1].right, 1U);
  EXPECT_DOUBLE_EQ(second[1].coverage(), 0.9);
  EXPECT_EQ(places(report_of("t/fast", "m/a.ogg", {there}))[1].right, 0U);
}

TEST(PlaceScores, LookAtTheLongestStretchAndAtWhatAllCover) {
  const auto scores =
      places(report_of("m/a.ogg", "t/plain", {{30, 33, 0, 3}, {3, 18, 3, 18}, {50, 56, 20, 26}}));
  EXPECT_EQ(scores[0].right, 1U);
  EXPECT_DOUBLE_EQ(scores[0].coverage(), 0.4);
}

TEST(PlaceScores, FilmsHaveHalfASecond) {
  const std::vector<Stretch> stretches = {{0.4, 60.4, 0, 60}};
  EXPECT_EQ(places(report_of("m/a.ogg", "t/plain", stretches, true), true)[0].right, 1U);
  EXPECT_EQ(places(report_of("m/a.ogg", "t/plain", {{0.6, 60.6, 0, 60}}, true), true)[0].right, 0U);
  // What is heard does not count for what is seen.
  const auto heard = places(report_of("m/a.ogg", "t/plain", stretches, false), true);
  EXPECT_EQ(heard[0].judged, 1U);
  EXPECT_EQ(heard[0].right, 0U);
}

TEST(PlaceScores, OtherFilesAreNotJudgedAndACopyIsJudgedOnce) {
  Report report = report_of("m/again.ogg", "t/plain", {{0, 60, 0, 60}});
  EXPECT_EQ(places(report)[0].judged, 0U);
  report = report_of("m/a.ogg", "t/plain", {{0, 60, 0, 60}});
  report.groups.push_back(report.groups[0]);
  EXPECT_EQ(places(report)[0].judged, 1U);
}

// What is linked was reported, too.
TEST(PlaceScores, LinksCountAsPairsOfGroupsDo) {
  Report report;
  Timeline timeline;
  timeline.stretches = {{0, 40, 0, 40}};
  report.links.push_back({.a = "t/plain", .b = "m/a.ogg", .medium = "audio", .sound = timeline});
  report.links.push_back({.a = "m/b.ogg", .b = "t/fast", .medium = "audio", .sound = timeline});
  EXPECT_EQ(places(report)[0].right, 1U);
  const LevelOutcome outcome = score_copies(two_copies(), report, "edited");
  EXPECT_EQ(outcome.versions[0].found, 1U);
  EXPECT_EQ(outcome.versions[0].wrong, 0U);
  EXPECT_EQ(outcome.versions[1].found, 0U);
  EXPECT_EQ(outcome.versions[1].wrong, 1U);
}

TEST(PlaceScores, AMatchThatDoesNotSayWhereIsNotRight) {
  const auto scores = places(report_of("m/a.ogg", "t/plain", {}));
  EXPECT_EQ(scores[0].judged, 1U);
  EXPECT_EQ(scores[0].right, 0U);
  EXPECT_EQ(scores[0].coverage(), 0);
}

}  // namespace
}  // namespace twinsift
