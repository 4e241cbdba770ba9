// SPDX-License-Identifier: Apache-2.0
// Which recordings may go: each test has as its fixture what would be lost without its rule.
#include <gtest/gtest.h>

#include "act/planner.h"
#include "act/test_plan.h"

namespace twinsift {
namespace {

Timeline timeline(double seconds_a, double seconds_b, const Stretch& stretch) {
  return {.seconds_a = seconds_a, .seconds_b = seconds_b, .stretches = {stretch}};
}

const Timeline kCopy = timeline(100, 100, {0, 100, 0, 100});
const Timeline kExcerpt = timeline(100, 30, {20, 50, 0, 30});
const Timeline kMiddle = timeline(100, 100, {40, 100, 0, 60});

class PlannedRecordings : public PlannedFiles {
 protected:
  // Two recordings as find() at level "edited" would report them; a is the older one.
  MemberPair& films(Relation relation, const Timeline& film) {
    report.run.threshold = 0.6;
    group({file("a", "the long film", 1), file("b", "the other one", 2)}, {0.75});
    report.groups.back().medium = "video";
    MemberPair& pair = report.groups.back().pairs[0];
    pair.relation = relation;
    pair.evidence.film = film;
    options.keep = "oldest";
    return pair;
  }
  static const Skipped& left_out(const PlanResult& result) {
    EXPECT_EQ(result.left_out.size(), 1U);
    return result.left_out.at(0);
  }
};

TEST_F(PlannedRecordings, CopiesAndExcerptsGoAsPicturesDo) {
  films(Relation::kSame, kCopy);
  EXPECT_EQ(lines(), (Lines{"b -> a"}));
  report = {};
  films(Relation::kContains, kExcerpt);
  EXPECT_EQ(lines(), (Lines{"b -> a"}));
  report.run.threshold = 0.8;  // level "same" does not ask for excerpts
  EXPECT_EQ(reason(plan(), "b"), "not like the keeper");
}

// Two episodes share a recap of a minute and score like an excerpt: one of them would be lost.
TEST_F(PlannedRecordings, WhatIsOnlyLinkedNeverGoes) {
  films(Relation::kLinked, kMiddle);
  const PlanResult result = plan();
  EXPECT_EQ(lines(result), Lines{});
  EXPECT_EQ(result.bytes, 0U);
  EXPECT_EQ(left_out(result).reason, "only linked");
  EXPECT_EQ(left_out(result).detail,
            "it shares stretches of time with " + (folder / "a") + ", and each has others besides");
}

// Somebody edits the word in the report; the stretches still say what is shared.
TEST_F(PlannedRecordings, WhatIsLinkedByItsStretchesNeverGoesWhateverItIsCalled) {
  for (const Relation relation : {Relation::kSame, Relation::kContains, Relation::kContained}) {
    report = {};
    films(relation, kMiddle);
    EXPECT_EQ(reason(plan(), "b"), "only linked");
  }
}

// The trailer is older than the film, and "oldest" keeps it: the film would be lost.
TEST_F(PlannedRecordings, TheLongerNeverGoesInFavourOfAPart) {
  films(Relation::kContains, kExcerpt);
  options.keep = "newest";  // b, the excerpt
  PlanResult result = plan();
  EXPECT_EQ(lines(result), Lines{});
  EXPECT_EQ(left_out(result).reason, "longer than the keeper");
  EXPECT_EQ(left_out(result).detail, (folder / "b") + " is only a part of it");
  report = {};
  films(Relation::kContained, timeline(30, 100, {0, 30, 20, 50}));  // a is the excerpt
  result = plan();
  EXPECT_EQ(lines(result), Lines{});
  EXPECT_EQ(reason(result, "b"), "longer than the keeper");
}

// Two films to one song: the sound is the same, the pictures of one would be lost.
TEST_F(PlannedRecordings, AFilmNeverGoesForItsSoundAlone) {
  MemberPair& pair = films(Relation::kSame, kCopy);
  pair.evidence.sound = pair.evidence.film;
  pair.evidence.film.reset();
  EXPECT_EQ(reason(plan(), "b"), "only the sound agrees");
  report.groups[0].medium = "audio";
  EXPECT_EQ(lines(), (Lines{"b -> a"})) << "of sound recordings it is all there is";
  report.groups[0].members[1].facts = {{"video_codec", "h264"}};
  EXPECT_EQ(reason(plan(), "b"), "only the sound agrees") << "a film among sound recordings";
}

TEST_F(PlannedRecordings, AScoreWithoutAnyStretchIsHearsay) {
  films(Relation::kSame, kCopy).evidence.film.reset();
  EXPECT_EQ(reason(plan(), "b"), "no stretch agrees");
}

TEST_F(PlannedRecordings, EqualBytesGoWhateverTheReportCallsThem) {
  group({file("a", "same"), file("b", "same")}, {1});
  report.groups[0].medium = "video";
  report.groups[0].pairs[0].relation = Relation::kLinked;
  EXPECT_EQ(lines(), (Lines{"b -> a"}));
}

// A keep rule may choose a file that the report compared with nothing but its own keeper.
TEST_F(PlannedRecordings, WhatIsComparedNowIsHeldToTheSameRules) {
  films(Relation::kSame, kCopy);
  report.groups[0].pairs.clear();
  Comparison found;
  found.medium = "video";
  found.score = 0.75;
  found.relation = Relation::kLinked;
  found.evidence.film = kMiddle;
  options.compare = [&](const std::string& a, const std::string& b) -> Result<Comparison> {
    found.a = member(a);
    found.b = member(b);
    return found;
  };
  EXPECT_EQ(reason(plan(), "b"), "only linked");
  found.relation = Relation::kSame;
  found.evidence.film = kCopy;
  EXPECT_EQ(lines(), (Lines{"b -> a"}));
  found.evidence.film = timeline(30, 100, {0, 30, 20, 50});
  EXPECT_EQ(reason(plan(), "b"), "longer than the keeper");
}

TEST_F(PlannedRecordings, ThePlanTellsWhatTheKeeperLacks) {
  MemberPair& pair = films(Relation::kSame, timeline(100, 100, {0, 90, 0, 90}));
  report.groups[0].members[1].facts = {{"channels", "2"}};
  report.groups[0].members[0].facts = {{"channels", "2"}};
  EXPECT_EQ(plan().plan.actions.at(0).lacks, (Lines{"10.0 % of its time is not in the keeper",
                                                    "its sound is not that of the keeper"}));
  pair.evidence.sound = pair.evidence.film = kCopy;
  EXPECT_EQ(plan().plan.actions.at(0).lacks, Lines{});
}

// Pictures share no features, which once read "100.0 % of its text is not in the keeper".
TEST_F(PlannedRecordings, OfPicturesNoTextIsMissed) {
  group({file("a", "picture one", 1), file("b", "picture two", 2)}, {0.9});
  report.run.threshold = 0.8;
  report.groups[0].medium = "image";
  EXPECT_EQ(plan().plan.actions.at(0).lacks, Lines{});
}

}  // namespace
}  // namespace twinsift
