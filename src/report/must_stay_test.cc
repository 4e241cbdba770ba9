// SPDX-License-Identifier: Apache-2.0
#include "report/must_stay.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "report/facts.h"

namespace twinsift {
namespace {

Timeline timeline(double seconds_a, double seconds_b, std::vector<Stretch> stretches) {
  return {.seconds_a = seconds_a, .seconds_b = seconds_b, .stretches = std::move(stretches)};
}

const Timeline kWhole = timeline(100, 100, {{0, 100, 0, 100}});
const Timeline kExcerpt = timeline(100, 30, {{20, 50, 0, 30}});
const Timeline kMiddle = timeline(100, 100, {{50, 100, 0, 50}});

struct Pair {
  std::string_view medium = "video";
  Relation relation = Relation::kSame;
  std::optional<Timeline> film{};
  std::optional<Timeline> sound{};
  bool keeps_a = true;
  std::vector<Fact> facts{};
};

MustStay judged(const Pair& pair) {
  Evidence evidence;
  evidence.film = pair.film;
  evidence.sound = pair.sound;
  return must_stay({.medium = pair.medium,
                    .relation = pair.relation,
                    .evidence = evidence,
                    .keeps_a = pair.keeps_a,
                    .other_facts = pair.facts});
}

TEST(MustStay, CopiesMayGo) {
  EXPECT_EQ(judged({.film = kWhole}), MustStay::kNo);
  EXPECT_EQ(judged({.film = kWhole, .keeps_a = false}), MustStay::kNo);
  EXPECT_EQ(judged({.medium = "audio", .sound = kWhole}), MustStay::kNo);
}

// An enlarged part has more pixels than the whole, and the whole went.
TEST(MustStay, ThePictureThatShowsMoreNeverGoesForAPartOfIt) {
  const auto picture = [](double covered_a, double covered_b, bool keeps_a,
                          std::vector<Fact> facts) {
    Evidence evidence;
    evidence.placement.emplace();
    evidence.placement->covered_a = covered_a;
    evidence.placement->covered_b = covered_b;
    return must_stay(
        {.medium = "image", .evidence = evidence, .keeps_a = keeps_a, .other_facts = facts});
  };
  EXPECT_EQ(picture(0.4, 1, true, {}), MustStay::kNo);
  EXPECT_EQ(picture(0.4, 1, false, {}), MustStay::kWider);
  EXPECT_EQ(picture(1, 0.4, true, {}), MustStay::kWider);
  EXPECT_EQ(picture(0.5, 0.5, true, {}), MustStay::kWider) << "each shows something else";
  EXPECT_EQ(picture(1, 0.8, true, {}), MustStay::kNo) << "that much is cut off at level same";
  EXPECT_EQ(picture(1, 0.4, true, {{"border", "60 %"}}), MustStay::kNo);
  EXPECT_EQ(must_stay_reason(MustStay::kWider), "shows more than the keeper");
}

// A film and the next episode share a long recap: one scores like an excerpt of the other.
TEST(MustStay, WhatIsOnlyLinkedStaysWhateverItIsCalled) {
  EXPECT_EQ(judged({.relation = Relation::kLinked, .film = kMiddle}), MustStay::kLinked);
  EXPECT_EQ(judged({.relation = Relation::kSame, .film = kMiddle}), MustStay::kLinked)
      << "the stretches count, not the word";
  EXPECT_EQ(judged({.relation = Relation::kLinked, .film = kWhole}), MustStay::kLinked);
  EXPECT_EQ(judged({.medium = "text", .relation = Relation::kLinked}), MustStay::kLinked);
}

// The oldest is to be kept, which is the trailer: the film went.
TEST(MustStay, TheLongerNeverGoesForAPartOfIt) {
  EXPECT_EQ(judged({.relation = Relation::kContains, .film = kExcerpt}), MustStay::kNo);
  EXPECT_EQ(judged({.relation = Relation::kContains, .film = kExcerpt, .keeps_a = false}),
            MustStay::kLonger);
  EXPECT_EQ(judged({.relation = Relation::kSame, .film = kExcerpt, .keeps_a = false}),
            MustStay::kLonger);
  EXPECT_EQ(judged({.relation = Relation::kContained, .film = kWhole}), MustStay::kLonger);
}

// Two music videos to one song; a slide show with the soundtrack of a film.
TEST(MustStay, SoundAloneLetsNoFilmGo) {
  EXPECT_EQ(judged({.sound = kWhole}), MustStay::kSoundOnly);
  EXPECT_EQ(judged({.medium = "audio", .sound = kWhole, .facts = {{"width", "1920"}}}),
            MustStay::kSoundOnly)
      << "a film in the group of its soundtrack";
  EXPECT_EQ(judged({.film = kWhole, .sound = kMiddle}), MustStay::kNo) << "the film decides";
}

TEST(MustStay, RecordingsWithoutAnyStretchStay) {
  EXPECT_EQ(judged({}), MustStay::kUnproved);
  EXPECT_EQ(judged({.medium = "audio"}), MustStay::kUnproved);
  EXPECT_EQ(judged({.film = timeline(100, 100, {})}), MustStay::kLinked);
  EXPECT_EQ(judged({.film = timeline(0, 0, {{0, 1, 0, 1}})}), MustStay::kLinked);
}

TEST(MustStay, OtherMediaGoByTheirScores) {
  EXPECT_EQ(judged({.medium = "text"}), MustStay::kNo);
  EXPECT_EQ(judged({.medium = "image", .relation = Relation::kContained}), MustStay::kNo);
  EXPECT_EQ(judged({.medium = "file"}), MustStay::kNo);
}

// PROPERTY: of what may go, nearly all is in what is kept.
RC_GTEST_PROP(MustStay, WhatMayGoIsInWhatIsKept, ()) {
  const auto second = [] { return *rc::gen::inRange(1, 100); };
  Pair pair;
  const bool video = *rc::gen::arbitrary<bool>();
  pair.medium = video ? "video" : "audio";
  pair.relation = *rc::gen::element(Relation::kSame, Relation::kContains, Relation::kContained);
  pair.keeps_a = *rc::gen::arbitrary<bool>();
  const double length = second();
  const double begin_a = second();
  const double begin_b = second();
  const Timeline one = timeline(begin_a + length + second(), begin_b + length + second(),
                                {{begin_a, begin_a + length, begin_b, begin_b + length}});
  (video ? pair.film : pair.sound) = one;
  if (judged(pair) != MustStay::kNo) return;
  RC_ASSERT(length / (pair.keeps_a ? one.seconds_b : one.seconds_a) >= 0.8);
}

// Recordings that share nothing, or only their sound, have the relation of a link: the reason must
// not speak of stretches that nobody found.
TEST(MustStay, TheReasonIsWhatWasFound) {
  constexpr Relation kLink = Relation::kLinked;
  EXPECT_EQ(judged({.relation = kLink}), MustStay::kUnproved);
  EXPECT_EQ(judged({.medium = "audio", .relation = kLink}), MustStay::kUnproved);
  EXPECT_EQ(judged({.relation = kLink, .sound = kWhole}), MustStay::kSoundOnly);
  EXPECT_EQ(judged({.relation = kLink, .film = kWhole}), MustStay::kLinked);
  EXPECT_EQ(judged({.medium = "text", .relation = kLink}), MustStay::kLinked);
}

TEST(MustStay, EqualBytesNeverHaveTo) {
  Group group{.id = 1, .medium = "video", .members = {}, .pairs = {}};
  group.members.resize(3);
  for (Member& member : group.members) member.size = 10;
  group.pairs.resize(2);
  group.pairs[0].b = 1;
  group.pairs[0].identical = true;
  group.pairs[1].b = 2;
  group.pairs[1].relation = Relation::kLinked;
  group.pairs[1].evidence.film = kMiddle;
  EXPECT_EQ(must_stay(group, group.pairs[0]), MustStay::kNo);
  EXPECT_EQ(must_stay(group, group.pairs[1]), MustStay::kLinked);
  EXPECT_EQ(bytes_to_gain(group), 10U) << "what stays frees nothing";
  EXPECT_EQ(role_of(group, 0, nullptr), "keeper");
  EXPECT_EQ(role_of(group, 1, &group.pairs[0]), "duplicate");
  EXPECT_EQ(role_of(group, 2, &group.pairs[1]), "related");
  group.pairs[1].a = 2;  // seen from the other side
  group.pairs[1].b = 0;
  EXPECT_EQ(must_stay(group, group.pairs[1]), MustStay::kLinked);
  group.pairs[1].a = 7;  // no such member
  EXPECT_EQ(must_stay(group, group.pairs[1]), MustStay::kNo);
}

TEST(MustStay, EveryReasonHasItsWords) {
  for (const MustStay stays :
       {MustStay::kLinked, MustStay::kLonger, MustStay::kSoundOnly, MustStay::kUnproved}) {
    EXPECT_FALSE(must_stay_reason(stays).empty());
    EXPECT_NE(must_stay_detail(stays, "/k.mkv").find("/k.mkv"), std::string::npos);
  }
  EXPECT_EQ(must_stay_reason(MustStay::kNo), "");
}

}  // namespace
}  // namespace twinsift
