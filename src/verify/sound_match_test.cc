// SPDX-License-Identifier: Apache-2.0
#include "verify/sound_match.h"

#include <gtest/gtest.h>

#include "feature/test_sound.h"
#include "verify/sound_fit.h"

namespace twinsift {
namespace {

// Where the first stretch of b begins in a, by the speed that was found.
double offset_of(const Timeline& t) {
  return t.stretches.front().begin_a - t.speed * t.stretches.front().begin_b;
}

const Samples& music() {
  static const Samples samples = made_up_music(11, 40);
  return samples;
}
const SoundPrint& music_print() {
  static const SoundPrint print = print_of(music());
  return print;
}

TEST(SoundMatch, ARecordingIsAllOfItself) {
  const auto found = match_sound(music_print(), music_print());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->seconds_a, 40);
  EXPECT_EQ(found->seconds_b, 40);
  EXPECT_EQ(found->speed, 1);
  EXPECT_EQ(found->pitch, 1);
  EXPECT_EQ(found->agreement, 1);
  ASSERT_EQ(found->stretches.size(), 1U);
  const Stretch& all = found->stretches[0];
  EXPECT_NEAR(all.begin_a, 0, 0.1);  // the fit knows no better than a sixteenth of a second
  EXPECT_NEAR(all.end_a, 40, 0.1);
  EXPECT_NEAR(all.begin_b, 0, 0.1);
  EXPECT_NEAR(all.end_b, 40, 0.1);
}

TEST(SoundMatch, FindsExcerptsFromOneSecondOn) {
  for (const double seconds : {1.0, 2.0, 5.0, 10.0}) {
    const auto found = match_sound(music_print(), print_of(cut(music(), 17.3, seconds)));
    ASSERT_TRUE(found) << seconds;
    EXPECT_NEAR(offset_of(*found), 17.3, 0.03) << seconds;
    EXPECT_EQ(found->speed, 1) << seconds;
    EXPECT_NEAR(found->stretches[0].end_b - found->stretches[0].begin_b, seconds, 0.2);
  }
}

TEST(SoundMatch, FindsThroughNoise) {
  for (const double decibels : {20.0, 10.0, 5.0}) {
    const auto found =
        match_sound(music_print(), print_of(with_noise(cut(music(), 5, 20), 3, decibels)));
    ASSERT_TRUE(found) << decibels;
    EXPECT_NEAR(offset_of(*found), 5, 0.03) << decibels;
  }
}

TEST(SoundMatch, TellsSpeedAndPitch) {
  for (const double speed : {0.94, 0.97, 1.01, 1.03, 1.06}) {
    const auto found = match_sound(music_print(), print_of(faster(music(), speed)));
    ASSERT_TRUE(found) << speed;
    EXPECT_NEAR(found->speed, speed, 0.002) << speed;
    EXPECT_NEAR(found->pitch, speed, 0.004) << speed;
    EXPECT_NEAR(offset_of(*found), 0, 0.1) << speed;
    EXPECT_NEAR(found->stretches[0].end_a, 40, 0.3) << speed;
  }
}

TEST(SoundMatch, IsTheSameFromBothSides) {
  const SoundPrint other = print_of(faster(cut(music(), 4, 25), 1.04));
  const auto there = match_sound(music_print(), other);
  const auto back = match_sound(other, music_print());
  ASSERT_TRUE(there && back);
  EXPECT_EQ(there->speed, 1 / back->speed);
  EXPECT_EQ(there->pitch, 1 / back->pitch);
  ASSERT_EQ(there->stretches.size(), back->stretches.size());
  EXPECT_EQ(there->stretches[0].begin_a, back->stretches[0].begin_b);
  EXPECT_EQ(there->stretches[0].end_b, back->stretches[0].end_a);
}

TEST(SoundMatch, APieceCutOutLeavesTwoStretches) {
  Samples copy = cut(music(), 0, 12);
  const Samples rest = cut(music(), 22, 18);
  copy.insert(copy.end(), rest.begin(), rest.end());
  const auto found = match_sound(music_print(), print_of(copy));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->stretches.size(), 2U);
  EXPECT_NEAR(found->stretches[0].end_a, 12, 0.4);
  EXPECT_NEAR(found->stretches[1].begin_a, 22, 0.4);
  EXPECT_NEAR(found->stretches[1].begin_b, 12, 0.4);
}

// Twelve times the same bars: copies lie at their place, not a few bars beside it.
TEST(SoundMatch, LoopsAreLaidWhereTheyAgreeLongest) {
  const Samples bars = made_up_music(8, 4);
  Samples loops = made_up_music(9, 3);
  for (int i = 0; i < 12; ++i) loops.insert(loops.end(), bars.begin(), bars.end());
  const SoundPrint whole = print_of(loops);
  for (const double dropped : {0.0, 0.3, 5.0}) {
    const Samples copy = cut(loops, dropped, 50 - dropped);
    const auto found = match_sound(whole, print_of(with_noise(copy, 4, 20)));
    ASSERT_TRUE(found) << dropped;
    EXPECT_NEAR(offset_of(*found), dropped, 0.15) << dropped;
  }
}

// Where most of it agrees, however many places do.
TEST(SoundMatch, ManyLoopsAreLaidWhereMostOfThemAgree) {
  const Samples bars = made_up_music(8, 2.5);
  Samples loops;
  for (int i = 0; i < 40; ++i) loops.insert(loops.end(), bars.begin(), bars.end());
  const Samples end = made_up_music(10, 2);
  loops.insert(loops.end(), end.begin(), end.end());
  const SoundPrint whole = print_of(loops);
  for (const double dropped : {0.0, 0.3, 5.0, 21.0}) {
    const Samples copy = cut(loops, dropped, 102 - dropped);
    const auto found = match_sound(whole, print_of(with_noise(copy, 4, 20)));
    ASSERT_TRUE(found) << dropped;
    EXPECT_NEAR(offset_of(*found), dropped, 0.15) << dropped;
  }
}

// What a copy agrees in must not count as chance, or short recordings would prove nothing; nor may
// the few windows of them that are no copy, in which the same notes still sound.
TEST(SoundMatch, ClipsOfASecondAreTheSameAsTheirCopies) {
  for (const double seconds : {1.0, 1.5, 2.0, 2.5, 3.0, 5.0}) {
    for (const double begin : {3.0, 11.0, 13.5, 26.0, 28.0}) {
      const Samples clip = cut(music(), begin, seconds);
      const auto found = match_sound(print_of(clip), print_of(with_noise(clip, 3, 25)));
      ASSERT_TRUE(found) << seconds << " " << begin;
      EXPECT_NEAR(found->stretches[0].end_a, seconds, 0.2);
      EXPECT_NEAR(offset_of(*found), 0, 0.1);
      EXPECT_FALSE(match_sound(print_of(clip), print_of(cut(music(), begin + 7, seconds))));
    }
  }
}

TEST(SoundMatch, OtherMusicIsNotTheSame) {
  for (std::uint64_t seed = 20; seed < 50; ++seed) {
    EXPECT_FALSE(match_sound(music_print(), print_of(made_up_music(seed, 20)))) << seed;
  }
}

TEST(SoundMatch, SilenceTonesAndNoiseAreNobodysCopy) {
  Samples beeps;
  for (int i = 0; i < 10; ++i) {
    const Samples beep = tone(700, 0.4, 0);
    beeps.insert(beeps.end(), beep.begin(), beep.end());
    beeps.resize(beeps.size() + 1200, 0.0F);
  }
  const std::vector<SoundPrint> prints = {print_of(white_noise(1, 20, 0.1)),
                                          print_of(white_noise(2, 20, 0.1)),
                                          print_of(tone(440, 20, 0)),
                                          print_of(tone(523, 20, 1)),
                                          print_of(beeps),
                                          music_print()};
  for (std::size_t i = 0; i < prints.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(match_sound(prints[i], prints[j])) << i << " " << j;
    }
  }
}

// Of unrelated recordings laid against each other at random, none is as far from chance as a
// stretch must be: the evidence is what it says.
TEST(SoundMatch, ChanceStaysFarBelowEvidence) {
  const SoundPrint other = print_of(made_up_music(77, 40));
  const Hearing x(music_print());
  const Hearing y(other);
  const Spread spread = spread_of(x, y, {});
  double highest = 0;
  for (std::ptrdiff_t offset = -500; offset <= 500; ++offset) {
    const SoundLine line{0, 1, static_cast<double>(offset)};
    for (std::ptrdiff_t j = 0; j < y.size(); j += 64) {
      highest = std::max(highest, spread.z(agreement_along(x, y, line, {j, j + 64})));
    }
  }
  EXPECT_LT(highest, 6);
  EXPECT_GT(highest, 1.5);
}

// What is shared for a few seconds only, at another speed, may be the beat.
TEST(SoundMatch, ShortStretchesAtAnotherSpeedAreWholeRecordings) {
  const Samples piece = faster(cut(music(), 10, 6), 1.06);
  EXPECT_TRUE(match_sound(music_print(), print_of(piece)));
  Samples inside = made_up_music(99, 30);
  std::ranges::copy(piece, inside.begin() + 60000);
  EXPECT_FALSE(match_sound(music_print(), print_of(inside)));
}

TEST(SoundMatch, NothingIsFoundInNothing) {
  EXPECT_FALSE(match_sound({}, music_print()));
  EXPECT_FALSE(match_sound({}, {}));
}

}  // namespace
}  // namespace twinsift
