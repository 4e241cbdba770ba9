// SPDX-License-Identifier: Apache-2.0
#include "verify/time_score.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift {
namespace {

Timeline of(double a, double b, std::vector<Stretch> stretches, double speed = 1) {
  return {.seconds_a = a,
          .seconds_b = b,
          .stretches = std::move(stretches),
          .speed = speed,
          .agreement = 0.9};
}

TEST(TimeScore, WholesAreTheSameAndAgreementTellsHowMuch) {
  const TimeScore score = score_of(of(60, 60, {{0, 60, 0, 60}}));
  EXPECT_EQ(score.relation, Relation::kSame);
  EXPECT_DOUBLE_EQ(score.score, 0.98);
  EXPECT_DOUBLE_EQ(score.covered_a, 1);
}

TEST(TimeScore, DroppedStartsAreTheSameUntilAFifthIsGone) {
  EXPECT_EQ(score_of(of(60, 55, {{5, 60, 0, 55}})).relation, Relation::kSame);
  const TimeScore part = score_of(of(60, 45, {{15, 60, 0, 45}}));
  EXPECT_EQ(part.relation, Relation::kContains);
  EXPECT_DOUBLE_EQ(part.score, 0.79);
}

TEST(TimeScore, FasterCopiesAreTheSame) {
  const TimeScore score = score_of(of(60, 48, {{0, 60, 0, 48}}, 1.25));
  EXPECT_EQ(score.relation, Relation::kSame);
  EXPECT_DOUBLE_EQ(score.covered_b, 1);
}

TEST(TimeScore, TheShorterIsContained) {
  EXPECT_EQ(score_of(of(10, 100, {{0, 10, 40, 50}})).relation, Relation::kContained);
  EXPECT_EQ(score_of(of(100, 10, {{40, 50, 0, 10}})).relation, Relation::kContains);
}

TEST(TimeScore, OverlapsLinkButIntrosDoNot) {
  const TimeScore overlap = score_of(of(100, 100, {{80, 100, 0, 20}}));
  EXPECT_EQ(overlap.relation, Relation::kLinked);
  EXPECT_GE(overlap.score, 0.6);
  EXPECT_LT(overlap.score, 0.8);
  EXPECT_LT(score_of(of(100, 100, {{0, 5, 0, 5}})).score, 0.6);
}

TEST(TimeScore, StretchesThatOverlapCountOnce) {
  const TimeScore score = score_of(of(100, 100, {{0, 60, 0, 60}, {60, 100, 20, 60}}));
  EXPECT_DOUBLE_EQ(score.covered_a, 1);
  EXPECT_DOUBLE_EQ(score.covered_b, 0.6);
  EXPECT_NE(score.relation, Relation::kSame);
}

RC_GTEST_PROP(TimeScore, IsTheSameFromBothSides, ()) {
  const double a = *rc::gen::inRange(1, 1000);
  const double b = *rc::gen::inRange(1, 1000);
  const double shared = *rc::gen::inRange(0, static_cast<int>(std::min(a, b)) + 1);
  const double speed = *rc::gen::element(1.0, 1.25, 0.5);
  const Timeline timeline = of(a, b, {{a - shared, a, 0, shared / speed}}, speed);
  const TimeScore ab = score_of(timeline);
  const TimeScore ba = score_of(reversed(timeline));
  RC_ASSERT(std::abs(ab.score - ba.score) < 1e-9);
  RC_ASSERT(ab.score >= 0 && ab.score <= 1);
  RC_ASSERT(ab.covered_a == ba.covered_b);
  if (a != b * speed) RC_ASSERT(ab.relation == reversed(ba.relation));
}

TEST(TimeScore, SeenFromTheOtherSideStretchesAreInItsOrder) {
  const Timeline timeline = of(100, 50, {{0, 20, 30, 50}, {60, 90, 0, 30}}, 1);
  const Timeline other = reversed(timeline);
  EXPECT_EQ(other.stretches, (std::vector<Stretch>{{0, 30, 60, 90}, {30, 50, 0, 20}}));
  EXPECT_EQ(reversed(other), timeline);
}

}  // namespace
}  // namespace twinsift
