// SPDX-License-Identifier: Apache-2.0
#include "report/recording_words.h"

#include <limits>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

using Words = std::vector<std::string>;

Timeline timeline(double seconds_a, double seconds_b, std::vector<Stretch> stretches) {
  return {.seconds_a = seconds_a,
          .seconds_b = seconds_b,
          .stretches = std::move(stretches),
          .agreement = 0.9};
}

Evidence sound(double seconds_a, double seconds_b, std::vector<Stretch> stretches) {
  Evidence evidence;
  evidence.sound = timeline(seconds_a, seconds_b, std::move(stretches));
  return evidence;
}

Member with_facts(std::vector<Fact> facts) {
  Member member;
  member.facts = std::move(facts);
  return member;
}

const Member kAudio = with_facts({{"channels", "2"}});
const Member kSilent = with_facts({{"width", "1920"}});
const Member kVideo = with_facts({{"width", "1920"}, {"channels", "2"}});

std::string words(const Evidence& evidence) { return recording_words(evidence, kAudio, kAudio); }

TEST(RecordingWords, TimesAreReadAsOnAClock) {
  EXPECT_EQ(clock_time(0), "0:00");
  EXPECT_EQ(clock_time(7.4), "0:07");
  EXPECT_EQ(clock_time(59.6), "1:00");
  EXPECT_EQ(clock_time(185), "3:05");
  EXPECT_EQ(clock_time(3723), "1:02:03");
  EXPECT_EQ(clock_time(-5), "0:00");
  EXPECT_EQ(clock_time(std::numeric_limits<double>::quiet_NaN()), "0:00");
  EXPECT_EQ(clock_time(1e300), "277777:46:40") << "whatever a report claims, it is a number";
  EXPECT_EQ(clock_span(30, 60), "0:30-1:00");
}

TEST(RecordingWords, CopiesAreTheSameAndMayBeginLater) {
  EXPECT_EQ(words(sound(185, 185, {{0, 185, 0, 185}})), "the same, 3:05");
  EXPECT_EQ(words(sound(197, 185, {{12, 197, 0, 185}})), "the same, 3:05, begins 0:12 later");
  EXPECT_EQ(words(sound(185, 197, {{0, 185, 12, 197}})), "the same, 3:17, begins 0:12 earlier");
  EXPECT_EQ(words(sound(200, 190, {{0, 190, 0, 190}})), "the same, 3:10, ends 0:10 earlier");
  EXPECT_EQ(words(sound(200, 200, {{0.4, 199, 0, 199.5}})), "the same, 3:20")
      << "less than a second is nothing";
  EXPECT_EQ(words(sound(200, 190, {{0, 90, 0, 90}, {100, 200, 90, 190}})),
            "the same, 3:10, in 2 stretches");
}

TEST(RecordingWords, PartsAreToldByWhereTheyLie) {
  EXPECT_EQ(words(sound(185, 30, {{30, 60, 0, 30}})), "is 0:30-1:00 of it, 16 % of it");
  EXPECT_EQ(words(sound(185, 45, {{30, 60, 0, 30}, {120, 135, 30, 45}})),
            "is 0:30-1:00 and 2:00-2:15 of it, 24 % of it");
  EXPECT_EQ(words(sound(185, 45, {{30, 60, 0, 30}, {60.5, 75, 30, 45}})),
            "is 0:30-1:15 of it, 24 % of it")
      << "what follows without a gap in both is one stretch";
  EXPECT_EQ(words(sound(30, 185, {{0, 30, 40, 70}})), "holds all of it at 0:40-1:10");
  EXPECT_EQ(words(sound(30, 185, {{0, 27, 40, 67}})), "holds 90 % of it at 0:40-1:07");
  EXPECT_EQ(recording_words(sound(30, 185, {{0, 30, 40, 70}}), kAudio, kAudio, {"A", "B"}),
            "holds all of A at 0:40-1:10");
}

TEST(RecordingWords, LinksNameWhatBothShare) {
  EXPECT_EQ(recording_words(sound(100, 100, {{10, 40, 60, 90}}), kAudio, kAudio, {"A", "B"}),
            "shares 0:30 with A: 0:10-0:40, 30 % of A and 30 % of B");
  EXPECT_EQ(
      words(sound(1000, 1000,
                  {{0, 20, 800, 820}, {50, 70, 100, 120}, {90, 99, 0, 9}, {300, 350, 9, 59}})),
      "shares 1:39 with it: 4 stretches from 0:00 to 5:50, 10 % of it and 10 % of this one");
  EXPECT_EQ(words(sound(100, 100, {})), "shares nothing with it");
}

TEST(RecordingWords, SpeedAndPitchAreToldApart) {
  const auto changed = [](double speed, double pitch) {
    Evidence evidence = sound(100, 100 / speed, {{0, 100, 0, 100 / speed}});
    evidence.sound->speed = speed;
    evidence.sound->pitch = pitch;
    return change_words(evidence);
  };
  EXPECT_EQ(changed(1, 1), Words{});
  EXPECT_EQ(changed(1.002, 1.002), Words{}) << "the clocks of two recorders";
  EXPECT_EQ(changed(1.03, 1.03), Words{"3 % faster and higher"});
  EXPECT_EQ(changed(0.96, 0.96), Words{"4 % slower and lower"});
  EXPECT_EQ(changed(25.0 / 23.976, 1), Words{"4.3 % faster"});
  EXPECT_EQ(changed(1, 1.0594630943592953), Words{"pitch +1.0 semitones"});
  EXPECT_EQ(changed(1.25, 0.890898718140339), (Words{"25 % faster", "pitch -2.0 semitones"}));
}

TEST(RecordingWords, SpeedStandsInTheLine) {
  Evidence evidence = sound(103, 100, {{0, 103, 0, 100}});
  evidence.sound->speed = evidence.sound->pitch = 1.03;
  EXPECT_EQ(words(evidence), "the same, 1:40, runs 3 % faster and higher");
}

TEST(RecordingWords, FilmAndSoundAreHeldAgainstEachOther) {
  Evidence evidence;
  evidence.film = timeline(100, 100, {{0, 100, 0, 100}});
  evidence.film->mirrored = true;
  EXPECT_EQ(recording_words(evidence, kVideo, kVideo),
            "the same, 1:40, mirrored, another soundtrack");
  EXPECT_EQ(recording_words(evidence, kVideo, kSilent), "the same, 1:40, mirrored, without sound");
  EXPECT_EQ(recording_words(evidence, kSilent, kVideo), "the same, 1:40, mirrored, with sound");
  EXPECT_EQ(recording_words(evidence, kSilent, kSilent), "the same, 1:40, mirrored");
  evidence.sound = timeline(100, 100, {{0, 90, 0, 90}});
  EXPECT_EQ(recording_words(evidence, kVideo, kVideo),
            "the same, 1:40, mirrored, sound agrees, too");
  evidence.sound = timeline(100, 100, {{0, 25, 0, 25}});
  EXPECT_EQ(recording_words(evidence, kVideo, kVideo),
            "the same, 1:40, mirrored, sound agrees for 0:25");
  evidence.film.reset();
  EXPECT_EQ(recording_words(evidence, kVideo, kVideo),
            "shares 0:25 with it: 0:00-0:25, 25 % of it and 25 % of this one, only the sound "
            "agrees");
  EXPECT_EQ(recording_words(sound(100, 100, {{0, 100, 0, 100}}), kVideo, kAudio),
            "the same, 1:40, without the pictures");
}

TEST(RecordingWords, OthersHaveNone) {
  Evidence evidence;
  evidence.jaccard = 0.9;
  EXPECT_EQ(words(evidence), "");
  EXPECT_EQ(main_timeline(evidence), nullptr);
}

TEST(RecordingWords, LengthsOfZeroDivideNothing) {
  EXPECT_EQ(words(sound(0, 0, {{0, 0, 0, 0}})),
            "shares 0:00 with it: 0:00-0:00, 0 % of it and 0 % of this one");
}

TEST(RecordingWords, PicturesAreFrames) {
  Evidence evidence;
  evidence.film = {.seconds_a = 0, .seconds_b = 90, .stretches = {{0, 0, 12.2, 12.2}}};
  EXPECT_EQ(recording_words(evidence, {}, {}, {.a = "A", .b = "B"}), "has A as its frame at 0:12");
  evidence.film = {.seconds_a = 90, .seconds_b = 0, .stretches = {{12.2, 12.2, 0, 0}}};
  evidence.film->mirrored = true;
  EXPECT_EQ(recording_words(evidence, {}, {}), "is the frame at 0:12 of it, mirrored");
}

}  // namespace
}  // namespace twinsift
