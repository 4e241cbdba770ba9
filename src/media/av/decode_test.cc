// SPDX-License-Identifier: Apache-2.0
// What sinks get of recordings of all kinds.
#include "media/av/decode.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "media/av/test_recordings.h"

namespace twinsift {
namespace {

struct Seen {
  double seconds = 0;
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> luma;
  [[nodiscard]] int at(std::uint32_t x, std::uint32_t y) const { return luma[y * width + x]; }
};

struct Taken {
  Result<DecodedRecording> recording = Error{};
  std::vector<float> samples;
  std::vector<Seen> frames;
};

Taken take(const std::string& bytes, unsigned rate = 0,
           const std::function<void(RecordingSinks&)>& change = {}) {
  Taken taken;
  const Fd file = file_of(bytes);
  auto source = open_source(file.get(), bytes.size());
  if (!source) {
    taken.recording = source.error();
    return taken;
  }
  RecordingSinks sinks;
  sinks.sound_rate = rate;
  sinks.sound = [&](std::span<const float> samples) {
    taken.samples.insert(taken.samples.end(), samples.begin(), samples.end());
  };
  sinks.frame = [&](double seconds, const Frame& frame) {
    const auto pixels = frame.luma.pixels;
    taken.frames.push_back(
        {seconds, frame.luma.width, frame.luma.height, {pixels.begin(), pixels.end()}});
  };
  if (change) change(sinks);
  taken.recording = decode_recording(**source, sinks);
  return taken;
}

double loudness(std::span<const float> samples) {
  double sum = 0;
  for (const float sample : samples) sum += static_cast<double>(sample) * sample;
  return samples.empty() ? 0 : std::sqrt(sum / static_cast<double>(samples.size()));
}

TEST(DecodeSound, RatesAndChannelsOfAllKindsBecomeMono) {
  for (const auto& [rate, channels] :
       {std::pair{8000, 1}, {44100, 2}, {48000, 6}, {192000, 8}, {22050, 1}}) {
    const TestSound sound = {.rate = rate, .channels = channels};
    const auto taken = take(make_recording({.container = "wav", .sounds = {sound}}), 6000);
    ASSERT_TRUE(taken.recording) << taken.recording.error().message;
    EXPECT_EQ(taken.recording->sample_rate, static_cast<unsigned>(rate));
    EXPECT_EQ(taken.recording->channels, static_cast<unsigned>(channels));
    EXPECT_NEAR(taken.recording->seconds, 1, 0.001);
    EXPECT_NEAR(static_cast<double>(taken.samples.size()), 6000, 20) << rate;
    // A sine of amplitude 0.5 has the loudness 0.5 / sqrt(2).
    EXPECT_NEAR(loudness(taken.samples), 0.35355, 0.004) << rate;
    EXPECT_FALSE(taken.recording->has_film);
  }
}

TEST(DecodeSound, MonoIsTheMeanOfAllChannels) {
  const auto one_of = [](int loud) {
    return [loud](double, int channel) { return channel == loud ? 0.6 : 0.0; };
  };
  for (int loud = 0; loud < 6; ++loud) {
    const TestSound sound = {.rate = 8000, .channels = 6, .seconds = 0.1, .wave = one_of(loud)};
    const auto taken = take(make_recording({.container = "wav", .sounds = {sound}}));
    ASSERT_TRUE(taken.recording);
    ASSERT_EQ(taken.samples.size(), 800U);
    EXPECT_NEAR(taken.samples[400], 0.1, 0.001) << "channel " << loud;
  }
}

TEST(DecodeSound, LaterBeginningsAndGapsBecomeSilence) {
  const TestSound sound = {
      .rate = 8000, .seconds = 2, .stamp = [](double t) { return t < 1 ? t : t + 3; }};
  const auto taken = take(make_recording({.sounds = {sound}}));
  ASSERT_TRUE(taken.recording);
  EXPECT_NEAR(taken.recording->seconds, 5, 0.13) << "a packet is 0.128 s long";
  const auto second = [&](std::size_t i) {
    return std::span(taken.samples).subspan(i * 8000 + 2000, 4000);
  };
  EXPECT_GT(loudness(second(0)), 0.3);
  EXPECT_LT(loudness(second(2)), 0.001);
  EXPECT_GT(loudness(second(4)), 0.3);

  const TestRecording late = {.films = {{.frames = 50}},
                              .sounds = {{.rate = 8000, .seconds = 1, .begins = 1}}};
  const auto both = take(make_recording(late));
  ASSERT_TRUE(both.recording);
  EXPECT_NEAR(both.recording->seconds, 2, 0.05);
  ASSERT_NEAR(static_cast<double>(both.samples.size()), 16000, 100);
  EXPECT_LT(loudness(std::span(both.samples).first(7900)), 0.001);
  EXPECT_GT(loudness(std::span(both.samples).last(7900)), 0.3);
}

TEST(DecodeFilm, FramesComeWithTheirTimesAndFullRange) {
  const auto taken = take(make_recording({.container = "mp4", .films = {{}}}));
  ASSERT_TRUE(taken.recording) << taken.recording.error().message;
  EXPECT_FALSE(taken.recording->has_sound);
  EXPECT_EQ(taken.recording->width, 64U);
  EXPECT_EQ(taken.recording->height, 48U);
  EXPECT_DOUBLE_EQ(taken.recording->frame_rate, 25);
  EXPECT_NEAR(taken.recording->seconds, 1, 0.001);
  ASSERT_EQ(taken.frames.size(), 25U);
  for (int i = 0; i < 25; ++i) {
    const Seen& frame = taken.frames[static_cast<std::size_t>(i)];
    EXPECT_NEAR(frame.seconds, i / 25.0, 0.001);
    EXPECT_NEAR(frame.at(30, 20), (24 + 4 * i) * 255 / 219, 3) << i;
  }
}

TEST(DecodeFilm, FramesThatDifferInLengthKeepTheirTimes) {
  const TestFilm film = {.frames = 10, .time = [](int i) { return std::int64_t{i} * i; }};
  const auto taken = take(make_recording({.films = {film}}));
  ASSERT_EQ(taken.frames.size(), 10U);
  for (int i = 0; i < 10; ++i) {
    EXPECT_NEAR(taken.frames[static_cast<std::size_t>(i)].seconds, i * i / 25.0, 0.002) << i;
  }
}

TEST(DecodeFilm, RotationIsApplied) {
  // White in the upper left corner alone.
  const auto corner = [](int, int x, int y) { return x < 32 && y < 24 ? 235 : 16; };
  for (const auto& [degrees, x, y] :
       {std::tuple{0, 8U, 8U}, {90, 40U, 8U}, {180, 56U, 40U}, {270, 8U, 56U}}) {
    const TestFilm film = {.frames = 1, .luma = corner, .rotation = static_cast<double>(degrees)};
    const auto taken = take(make_recording({.container = "mp4", .films = {film}}));
    ASSERT_EQ(taken.frames.size(), 1U) << degrees;
    const Seen& frame = taken.frames[0];
    EXPECT_EQ(frame.width, degrees % 180 == 0 ? 64U : 48U);
    EXPECT_EQ(taken.recording->width, frame.width);
    const auto white = std::ranges::count_if(frame.luma, [](int v) { return v > 128; });
    EXPECT_NEAR(static_cast<double>(white), 64 * 48 / 4.0, 80);
    EXPECT_GT(frame.at(x, y), 200) << degrees;
  }
}

TEST(DecodeFilm, OnlyWantedFramesComeAndTheyAreTheSame) {
  for (const int between : {0, 2}) {
    const std::string bytes = make_recording({.films = {{.frames = 50, .b_frames = between}}});
    const auto all = take(bytes);
    ASSERT_EQ(all.frames.size(), 50U);
    double next = 0;
    const auto some = take(bytes, 0, [&](RecordingSinks& sinks) {
      sinks.wants_frame = [&](double seconds) { return seconds >= next; };
      sinks.frame = [&, frame = sinks.frame](double seconds, const Frame& seen) {
        frame(seconds, seen);
        next = seconds + 0.5;
      };
    });
    ASSERT_EQ(some.frames.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      // The first frame half a second after the one before it: 0, 13, 26, 39.
      const Seen& same = all.frames[13 * i];
      EXPECT_EQ(some.frames[i].seconds, same.seconds);
      EXPECT_EQ(some.frames[i].luma, same.luma);
    }
    EXPECT_NEAR(some.recording->seconds, all.recording->seconds, 0.001);
    EXPECT_EQ(some.recording->frames<40, between> 0) << "many are not even decoded";
  }
}

TEST(DecodeFilm, KeyFramesAloneAreFew) {
  const std::string bytes = make_recording({.films = {{.frames = 50}}});
  const auto keys = take(bytes, 0, [](RecordingSinks& sinks) { sinks.key_frames_only = true; });
  EXPECT_GE(keys.frames.size(), 1U);
  EXPECT_LE(keys.frames.size(), 6U) << "the encoder makes one of twelve";
}

TEST(DecodeFilm, ColourIsSmallAndUpright) {
  std::vector<RgbView> seen;
  std::uint8_t red = 0;
  const TestFilm film = {.width = 320,
                         .height = 160,
                         .frames = 1,
                         .luma = [](int, int, int) { return 126; },
                         .rotation = 90};
  take(make_recording({.container = "mp4", .films = {film}}), 0, [&](RecordingSinks& sinks) {
    sinks.colour_side = 80;
    sinks.luma = false;
    sinks.frame = [&](double, const Frame& frame) {
      EXPECT_TRUE(frame.luma.pixels.empty());
      seen.push_back(frame.colour);
      red = frame.colour.pixels[0];
    };
  });
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].width, 40U);
  EXPECT_EQ(seen[0].height, 80U);
  EXPECT_EQ(seen[0].pixels.size(), 40U * 80 * 3);
  EXPECT_NEAR(red, 128, 3);
}

TEST(DecodeFilm, OtherPixelFormatsBecomeGreyOfFullRange) {
  const TestFilm jpeg = {.codec = AV_CODEC_ID_MJPEG,
                         .frames = 3,
                         .luma = [](int, int, int) { return 250; },
                         .format = AV_PIX_FMT_YUVJ420P};
  const auto taken = take(make_recording({.films = {jpeg}}));
  ASSERT_EQ(taken.frames.size(), 3U);
  EXPECT_NEAR(taken.frames[0].at(5, 5), 250, 2) << "it uses all values already";
  const TestFilm grey = {.codec = AV_CODEC_ID_FFV1,
                         .frames = 1,
                         .luma = [](int, int x, int) { return x; },
                         .format = AV_PIX_FMT_GRAY8};
  const auto plain = take(make_recording({.films = {grey}}));
  ASSERT_EQ(plain.frames.size(), 1U);
  EXPECT_EQ(plain.frames[0].at(3, 3), 3);
}

TEST(DecodeRecording, TheBestStreamsAreChosen) {
  const TestRecording recording = {
      .films = {{.width = 128, .height = 96, .frames = 5, .disposition = 0}, {.frames = 5}},
      .sounds = {{.rate = 8000, .channels = 1, .disposition = 0},
                 {.rate = 16000, .channels = 2, .disposition = 0}}};
  const auto taken = take(make_recording(recording));
  ASSERT_TRUE(taken.recording);
  EXPECT_EQ(taken.recording->width, 64U) << "the default";
  EXPECT_EQ(taken.recording->channels, 2U) << "no default: that with more channels";
}

TEST(DecodeRecording, OneFrameAndOneSecondAreEnough) {
  const auto still = take(make_recording({.films = {{.frames = 1}}}));
  ASSERT_TRUE(still.recording);
  EXPECT_EQ(still.frames.size(), 1U);
  EXPECT_GT(still.recording->seconds, 0);
  const auto clip = take(make_recording({.films = {{}}, .sounds = {{}}}));
  ASSERT_TRUE(clip.recording);
  EXPECT_TRUE(clip.recording->has_sound && clip.recording->has_film);
}

TEST(DecodeRecording, ProgressIsTold) {
  int told = 0;
  take(make_recording({.films = {{}}}), 0,
       [&](RecordingSinks& sinks) { sinks.progress = [&] { ++told; }; });
  EXPECT_GE(told, 20);
}

}  // namespace
}  // namespace twinsift
