// SPDX-License-Identifier: Apache-2.0
// Files of copies: that they can be decoded, and that their maps tell the truth.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/normal.h"
#include "eval/av_copies/copy_wire.h"
#include "eval/av_copies/make.h"
#include "eval/av_copies/raw.h"
#include "eval/av_copies/test_recordings.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kSeed = 20190503;

std::span<const std::byte> bytes_of(const std::string& file) {
  return std::as_bytes(std::span(file));
}

Sound sound_of(const std::string& file) {
  auto source = Source::open(bytes_of(file));
  EXPECT_TRUE(source) << source.error().message;
  auto sound = decode_sound(*source, 60);
  EXPECT_TRUE(sound);
  return mono(*sound);
}

// Bursts of a noise that lasts 30 ms, at the given moments: in any copy their energy stands out.
Sound clicks(double seconds, const std::vector<double>& moments) {
  Sound out;
  auto& samples = out.channels.emplace_back(static_cast<std::size_t>(seconds * kCopyRate));
  Rng random(1);
  for (const double moment : moments) {
    const auto begin = static_cast<std::size_t>(moment * kCopyRate);
    for (std::size_t i = begin; i < begin + kCopyRate * 3 / 100; ++i) {
      samples[i] = static_cast<float>(0.3 * normal(random));
    }
  }
  return out;
}

// The moment within 0.3 s of `near` about which 30 ms have the most energy: the middle of a click,
// as a correlation of the energy with that of a click gives it.
double loudest_near(const Sound& sound, double near) {
  const auto& samples = sound.channels[0];
  const std::ptrdiff_t half = kCopyRate * 15 / 1000;
  const auto centre = static_cast<std::ptrdiff_t>(near * kCopyRate);
  double best = -1;
  std::ptrdiff_t place = 0;
  for (std::ptrdiff_t at = centre - kCopyRate * 3 / 10; at <= centre + kCopyRate * 3 / 10;
       at += 22) {
    double sum = 0;
    for (std::ptrdiff_t i = at - half; i < at + half; i += 3) {
      if (i < 0 || i >= std::ssize(samples)) continue;
      const double sample = samples[static_cast<std::size_t>(i)];
      sum += sample * sample;
    }
    if (sum > best) {
      best = sum;
      place = at;
    }
  }
  return static_cast<double>(place) / kCopyRate;
}

TEST(SoundCopies, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const SoundAttack& attack : kSoundAttacks) names.insert(attack.name);
  for (const FilmAttack& attack : kFilmAttacks) names.insert(attack.name);
  EXPECT_EQ(names.size(), kSoundAttacks.size() + kFilmAttacks.size());
}

// A stretch may move a click by 10 ms, and by another 2 where two of its windows overlap; MPEG
// layer II is 11 ms late; 1 ms is the step of the search.
TEST(SoundCopies, MapsSayWhereClicksAre) {
  const std::vector<double> moments = {5.6, 6.3, 7.1, 7.9};
  const Sound original = clicks(12, moments);
  const std::string file = *encode_sound(original, SoundFormat::kMp2, 192);
  const Sound decoded = sound_of(file);
  std::vector<double> heard;
  for (const double moment : moments) heard.push_back(loudest_near(decoded, moment));
  for (const SoundAttack& attack : kSoundAttacks) {
    const auto copy = make_sound_copy(bytes_of(file), attack, kSeed);
    ASSERT_TRUE(copy) << attack.name << copy.error().message;
    const Sound sound = sound_of(copy->file);
    EXPECT_NEAR(sound.seconds(), copy->map.seconds, 0.08) << attack.name;
    int inside = 0;
    for (const double moment : heard) {
      const double there = (moment - copy->map.offset) / copy->map.speed;
      if (there < 0.5 || there > copy->map.seconds - 0.5) continue;
      ++inside;
      EXPECT_NEAR(loudest_near(sound, there), there, 0.024) << attack.name << " " << moment;
    }
    EXPECT_GE(inside, 2) << attack.name;
  }
}

TEST(SoundCopies, AreTheSameBytesForTheSameSeed) {
  const std::string file = tune_file(3, 1);
  for (const char* name : {"mp3_48", "opus_24", "noise_5", "tempo+10"}) {
    const SoundAttack& attack = *std::ranges::find(kSoundAttacks, name, &SoundAttack::name);
    const auto one = make_sound_copy(bytes_of(file), attack, 1);
    const auto two = make_sound_copy(bytes_of(file), attack, 1);
    ASSERT_TRUE(one && two) << name;
    EXPECT_EQ(one->file, two->file) << name;
  }
  const SoundAttack& noise = *std::ranges::find(kSoundAttacks, "noise_5", &SoundAttack::name);
  EXPECT_NE(make_sound_copy(bytes_of(file), noise, 1)->file,
            make_sound_copy(bytes_of(file), noise, 2)->file);
}

TEST(SoundCopies, KeepBothChannelsWhereSavingIsTheAttack) {
  Sound stereo = melody(2, 1);
  stereo.channels.push_back(melody(2, 2).channels[0]);
  const std::string file = *encode_sound(stereo, SoundFormat::kMp2, 192);
  for (const SoundAttack& attack : kSoundAttacks) {
    if (attack.change != SoundChange::kNone && attack.change != SoundChange::kVolume) continue;
    const auto copy = make_sound_copy(bytes_of(file), attack, 1);
    ASSERT_TRUE(copy) << attack.name;
    auto source = Source::open(bytes_of(copy->file));
    ASSERT_TRUE(source);
    EXPECT_EQ(decode_sound(*source, 60)->channels.size(),
              attack.change == SoundChange::kNone ? 2U : 1U)
        << attack.name;
  }
}

struct Decoded {
  std::vector<std::pair<double, PictureFrame>> frames;
  double seconds = 0;
};

Decoded film_of(const std::string& file) {
  Decoded out;
  auto source = Source::open(bytes_of(file));
  EXPECT_TRUE(source);
  const auto seconds = decode_film(*source, [&](double at, PictureFrame frame) {
    out.frames.emplace_back(at, std::move(frame));
    return ok();
  });
  EXPECT_TRUE(seconds);
  out.seconds = seconds ? *seconds : 0;
  return out;
}

// The mean column of what is bright in the middle rows, which no logo reaches, as a share of the
// width.
double bright_column(const PictureFrame& frame) {
  double sum = 0;
  double count = 0;
  for (std::size_t y = frame.height() * 45 / 100; y < frame.height() * 55 / 100; ++y) {
    for (std::size_t x = 0; x < frame.width(); ++x) {
      if (frame.planes[0].row(y)[x] < 190) continue;
      sum += static_cast<double>(x) + 0.5;
      ++count;
    }
  }
  return count > 0 ? sum / count / static_cast<double>(frame.width()) : -1;
}

TEST(FilmCopies, MapsSayWhenTheSquareIsWhere) {
  constexpr double kSeconds = 4;
  const std::string file = film_file(kSeconds, 1, true);
  const std::string other = film_file(kSeconds, 2, true);
  for (const FilmAttack& attack : kFilmAttacks) {
    if (attack.change == FilmChange::kCropAside) continue;  // the square leaves the frame elsewhere
    const auto copy = make_film_copy(bytes_of(file), bytes_of(other), attack, kSeed);
    ASSERT_TRUE(copy) << attack.name << copy.error().message;
    const Decoded film = film_of(copy->file);
    EXPECT_NEAR(film.seconds, copy->map.seconds, 0.1) << attack.name;
    // Bright squares of blurred or brightened films are as wide on both sides.
    const double kept = attack.change == FilmChange::kCrop ? 1 - attack.amount / 100 : 1.0;
    int judged = 0;
    for (const auto& [at, frame] : film.frames) {
      const double share = (copy->map.offset + copy->map.speed * at) / kSeconds;
      double expected = ((8 + 80 * share) / 96 - (1 - kept) / 2) / kept;
      if (attack.change == FilmChange::kMirror) expected = 1 - expected;
      if (expected < 0.12 || expected > 0.88) continue;
      ++judged;
      // A frame of 12 a second may be 83 ms old, in which the square moves by .018.
      EXPECT_NEAR(bright_column(frame), expected, 0.03) << attack.name << " at " << at;
    }
    EXPECT_GE(judged, 15) << attack.name;
  }
}

TEST(FilmCopies, HaveTheSizesAndRatesOfTheirNames) {
  const std::string file = film_file(4, 1);
  const auto made = [&](std::string_view name) {
    const FilmAttack& attack = *std::ranges::find(kFilmAttacks, name, &FilmAttack::name);
    return film_of(make_film_copy(bytes_of(file), {}, attack, kSeed)->file);
  };
  EXPECT_EQ(made("240p").frames[0].second.height(), 240U);
  EXPECT_EQ(made("crop20").frames[0].second.width(), 76U);
  EXPECT_EQ(made("crop20_aside").frames[0].second.width(), 76U);
  EXPECT_EQ(made("letterbox").frames[0].second.height(), 84U);
  EXPECT_EQ(made("12fps").frames.size(), 48U);
  EXPECT_EQ(made("speed1.25").frames.size(), 100U);
  EXPECT_NEAR(static_cast<double>(made("middle50").frames.size()), 50, 1);
}

TEST(FilmCopies, HaveNoSoundButThatOfAnotherOrAMelody) {
  const std::string file = film_file(4, 1, true);
  const std::string other = tune_file(6, 9);
  for (const FilmAttack& attack : kFilmAttacks) {
    const bool mixes =
        attack.change == FilmChange::kOtherSound || attack.change == FilmChange::kOtherPictures;
    if (!mixes && attack.change != FilmChange::kNone) continue;
    for (const auto& second : {bytes_of(other), std::span<const std::byte>()}) {
      const auto copy = make_film_copy(bytes_of(file), second, attack, kSeed);
      ASSERT_TRUE(copy) << attack.name;
      const auto source = Source::open(bytes_of(copy->file));
      ASSERT_TRUE(source);
      EXPECT_EQ(source->facts().sound, mixes) << attack.name;
      EXPECT_TRUE(source->facts().film);
      EXPECT_NEAR(source->facts().seconds, 4, 0.1);
    }
  }
}

TEST(Source, TellsRecordingsFromOtherThings) {
  const auto facts = [](const std::string& file) { return Source::open(bytes_of(file))->facts(); };
  EXPECT_TRUE(facts(tune_file(2, 1)).sound);
  EXPECT_FALSE(facts(tune_file(2, 1)).film);
  EXPECT_NEAR(facts(tune_file(2, 1)).seconds, 2, 0.1);
  EXPECT_TRUE(facts(film_file(1, 1)).film);
  EXPECT_FALSE(facts(film_file(1, 1)).sound);
  EXPECT_FALSE(Source::open(bytes_of("not a recording but a text of some length, and no more")));
  const std::string picture = "P6\n2 2\n255\n123456789012";
  EXPECT_FALSE(Source::open(bytes_of(picture)));
}

TEST(Copies, OfDamagedRecordingsAreErrorsOrShorterAndNeverCrash) {
  const std::string tune = tune_file(2, 1);
  const std::string film = film_file(1, 1, true);
  for (const std::size_t tenths : {1U, 3U, 5U, 9U}) {
    const std::string half_tune = tune.substr(0, tune.size() * tenths / 10);
    if (const auto copy = make_sound_copy(bytes_of(half_tune), kSoundAttacks[0], 1)) {
      EXPECT_LE(copy->map.seconds, 2.1);
    }
    std::string bad = film;
    for (std::size_t i = bad.size() * tenths / 10; i < bad.size(); i += 97) bad[i] ^= 0x55;
    if (const auto copy = make_film_copy(bytes_of(bad), {}, kFilmAttacks[0], 1)) {
      EXPECT_FALSE(copy->file.empty());
    }
  }
}

TEST(Writer, SaysWhichEncoderOrContainerIsMissing) {
  auto writer = Writer::make("matroska");
  ASSERT_TRUE(writer);
  const auto codec = writer->encoder("no_such_encoder");
  ASSERT_FALSE(codec);
  EXPECT_EQ(codec.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(codec.error().message, "there is no encoder no_such_encoder");
  EXPECT_FALSE(Writer::make("no_such_container"));
}

TEST(Raw, SamplesLastAsLongAsTheSound) {
  const auto samples = raw_samples(bytes_of(tune_file(3, kSeed)));
  ASSERT_TRUE(samples) << samples.error().message;
  EXPECT_NEAR(static_cast<double>(samples->size()) / sizeof(float) / kRawRate, 3, 0.1);
}

TEST(Raw, FramesAreSmallAndEvenInTime) {
  const auto raw = raw_frames(bytes_of(film_file(4, kSeed)));
  ASSERT_TRUE(raw) << raw.error().message;
  EXPECT_EQ(raw->width, 64U);
  EXPECT_EQ(raw->height, 43U);
  const std::size_t frame = 3 * 64 * 43;
  ASSERT_EQ(raw->pixels.size(), 16 * frame);
  for (std::size_t i = 0; i < 16; ++i) {
    // The square is the brightest thing, in the middle row.
    std::size_t brightest = 0;
    std::size_t count = 0;
    for (std::size_t x = 0; x < 64; ++x) {
      const auto red = static_cast<unsigned char>(raw->pixels[i * frame + 3 * (21 * 64 + x)]);
      if (red < 200) continue;
      brightest += x;
      ++count;
    }
    ASSERT_GT(count, 0U);
    const double share = static_cast<double>(i) / 16;
    EXPECT_NEAR(static_cast<double>(brightest) / static_cast<double>(count),
                (8 + 80 * share) * 64 / 96, 2)
        << i;
  }
}

TEST(Raw, WhatIsNotThereIsAnError) {
  EXPECT_FALSE(raw_frames(bytes_of(tune_file(1, kSeed))));
  EXPECT_FALSE(raw_samples(bytes_of("nothing")));
}

}  // namespace
}  // namespace twinsift
