// SPDX-License-Identifier: Apache-2.0
#include "eval/av_copies/sound.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "eval/av_copies/make.h"
#include "eval/av_copies/sound_file.h"

namespace twinsift {
namespace {

Sound tone(double hertz, double seconds) {
  Sound out;
  auto& samples = out.channels.emplace_back(static_cast<std::size_t>(seconds * kCopyRate));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<float>(
        0.5 * std::sin(2 * std::numbers::pi * hertz * static_cast<double>(i) / kCopyRate));
  }
  return out;
}

double power(const Sound& sound) {
  double sum = 0;
  for (const float sample : sound.channels[0]) sum += double{sample} * sample;
  return sum / static_cast<double>(sound.length());
}

double decibels(double ratio) { return 10 * std::log10(ratio); }

// By counting where it rises through zero, away from the ends.
double frequency_of(const Sound& sound) {
  const auto& samples = sound.channels[0];
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t rises = 0;
  for (std::size_t i = samples.size() / 10; i < samples.size() * 9 / 10; ++i) {
    if (samples[i - 1] >= 0 || samples[i] < 0) continue;
    if (rises++ == 0) first = i;
    last = i;
  }
  return static_cast<double>(rises - 1) * kCopyRate / static_cast<double>(last - first);
}

const SoundAttack& attack_of(std::string_view name) {
  return *std::ranges::find(kSoundAttacks, name, &SoundAttack::name);
}

TEST(Sound, NoiseHasThePowerThatItsNameSays) {
  const Sound sound = tone(440, 2);
  for (const double level : {20.0, 10.0, 5.0, 0.0}) {
    Sound noise = noisy(sound, level, 7);
    for (std::size_t i = 0; i < sound.length(); ++i) {
      noise.channels[0][i] = 2 * noise.channels[0][i] - sound.channels[0][i];
    }
    // The variance of 88,200 samples has a standard error of .5 %: .09 dB are four of them.
    EXPECT_NEAR(decibels(power(sound) / power(noise)), level, 0.09);
  }
  EXPECT_EQ(noisy(sound, 10, 7).channels, noisy(sound, 10, 7).channels);
  EXPECT_NE(noisy(sound, 10, 7).channels, noisy(sound, 10, 8).channels);
}

TEST(Sound, VolumeChangesByDecibels) {
  const Sound sound = tone(440, 1);
  EXPECT_NEAR(decibels(power(louder(sound, -14)) / power(sound)), -14, 1e-3);
}

// A Butterworth filter of fourth order is 3 dB down at its edge and 24 dB an octave beyond.
TEST(Sound, TheTelephoneLetsItsBandThrough) {
  const auto loss = [](double hertz) {
    const Sound sound = tone(hertz, 1);
    return decibels(power(telephoned(sound)) / power(sound));
  };
  EXPECT_NEAR(loss(1000), 0, 0.2);
  EXPECT_NEAR(loss(300), -3, 0.3);
  EXPECT_NEAR(loss(3400), -3, 0.3);
  EXPECT_NEAR(loss(150), -24, 1);
  EXPECT_LT(loss(6800), -23);
}

TEST(Sound, TempoKeepsThePitchAndChangesTheLength) {
  const Sound sound = tone(440, 3);
  for (const double tempo : {0.9, 0.97, 1.03, 1.1}) {
    const Sound out = stretched(sound, tempo);
    EXPECT_NEAR(out.seconds(), 3 / tempo, 1e-3);
    EXPECT_NEAR(frequency_of(out), 440, 1) << tempo;
    EXPECT_NEAR(decibels(power(out) / power(sound)), 0, 0.5) << tempo;
  }
  // Nothing fits better than what comes next anyway, if no moment is like another.
  const Sound noise = noisy(sound, 0, 1);
  const Sound again = stretched(noise, 1);
  ASSERT_EQ(again.length(), noise.length());
  for (std::size_t i = 0; i < noise.length(); ++i) {
    ASSERT_NEAR(again.channels[0][i], noise.channels[0][i], 1e-6) << i;
  }
}

TEST(Sound, SpeedChangesBothAndPitchOneOfThem) {
  const Sound sound = tone(440, 3);
  for (const char* name : {"speed+1", "speed-1", "speed+6", "speed-6"}) {
    const SoundAttack& attack = attack_of(name);
    const auto out = changed(sound, attack, 1);
    ASSERT_TRUE(out);
    EXPECT_NEAR(out->map.seconds, 3 / attack.amount, 1e-3) << name;
    EXPECT_NEAR(frequency_of(out->sound), 440 * attack.amount, 0.2) << name;
    EXPECT_EQ(out->map.speed, attack.amount);
    EXPECT_EQ(out->map.pitch, attack.amount);
  }
  for (const char* name : {"pitch+1", "pitch-1", "semitone"}) {
    const SoundAttack& attack = attack_of(name);
    const auto out = changed(sound, attack, 1);
    ASSERT_TRUE(out);
    EXPECT_NEAR(out->map.seconds, 3, 1e-3) << name;
    EXPECT_NEAR(frequency_of(out->sound), 440 * attack.amount, 1) << name;
    EXPECT_EQ(out->map.speed, 1);
    EXPECT_EQ(out->map.pitch, attack.amount);
  }
}

TEST(Sound, PartsKnowWhereTheyWere) {
  const Sound sound = melody(12, 3);
  const auto dropped = changed(sound, attack_of("drop_5"), 1);
  ASSERT_TRUE(dropped);
  EXPECT_EQ(dropped->map.offset, 5);
  EXPECT_NEAR(dropped->map.seconds, 7, 1e-4);
  EXPECT_EQ(dropped->sound.channels[0][0], sound.channels[0][5 * kCopyRate]);
  const auto middle = changed(sound, attack_of("middle_5"), 1);
  ASSERT_TRUE(middle);
  EXPECT_EQ(middle->map.offset, 3.5);
  EXPECT_EQ(middle->map.seconds, 5);
  // Shorter than what is to stay: all of it.
  const auto all = changed(sound, attack_of("middle_30"), 1);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->map.offset, 0);
  EXPECT_EQ(all->sound.channels, sound.channels);
}

TEST(Sound, ManyChannelsBecomeTheirMean) {
  Sound sound;
  sound.channels = {{1, 0}, {0, 0.5F}};
  EXPECT_EQ(mono(sound).channels, (std::vector<std::vector<float>>{{0.5F, 0.25F}}));
  EXPECT_EQ(excerpt(sound, 5, 1).length(), 0U);
}

TEST(Sound, MelodiesOfTwoSeedsAreDifferentTunes) {
  EXPECT_EQ(melody(1, 4).channels, melody(1, 4).channels);
  EXPECT_NE(melody(1, 4).channels, melody(1, 5).channels);
  EXPECT_EQ(melody(2.5, 1).length(), 110250U);
}

}  // namespace
}  // namespace twinsift
