// SPDX-License-Identifier: Apache-2.0
// Recordings that are broken, foreign or lies: a reason, never a crash, and what can be decoded is.
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>

#include "media/av/describe.h"
#include "media/av/test_recordings.h"

namespace twinsift {
namespace {

Result<Recording> describe(const std::string& bytes) {
  const Fd file = file_of(bytes);
  return describe_recording(file.get(), bytes.size(), {}, {});
}

void expect_error(const Result<Recording>& recording, ErrorCode code, std::string_view reason) {
  ASSERT_FALSE(recording);
  EXPECT_EQ(recording.error().code, code) << recording.error().message;
  EXPECT_TRUE(recording.error().message.starts_with(reason)) << recording.error().message;
}

std::string fact(const Recording& recording, std::string_view name) {
  for (const auto& [key, value] : recording.facts) {
    if (key == name) return value;
  }
  return {};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

const std::string& good_mp4() {
  static const std::string bytes =
      make_recording({.container = "mp4",
                      .films = {{}},
                      .sounds = {{.codec = AV_CODEC_ID_AAC, .rate = 44100}},
                      .tags = {{"title", "Lied"}, {"artist", "W\xC3\xB6lfe"}}});
  return bytes;
}

TEST(DescribeRecording, FactsTellWhatItIs) {
  const auto recording = describe(good_mp4());
  ASSERT_TRUE(recording) << recording.error().message;
  EXPECT_EQ(fact(*recording, "format"), "mp4");
  EXPECT_EQ(fact(*recording, "duration"), "0:01");
  EXPECT_EQ(fact(*recording, "video_codec"), "mpeg4");
  EXPECT_EQ(fact(*recording, "width"), "64");
  EXPECT_EQ(fact(*recording, "frame_rate"), "25");
  EXPECT_EQ(fact(*recording, "audio_codec"), "aac");
  EXPECT_EQ(fact(*recording, "sample_rate"), "44100");
  EXPECT_EQ(fact(*recording, "lossless"), "");  // said of sound alone
  EXPECT_EQ(fact(*recording, "channels"), "1");
  EXPECT_EQ(fact(*recording, "title"), "Lied");
  EXPECT_EQ(fact(*recording, "artist"), "W\xC3\xB6lfe");
  EXPECT_EQ(fact(*recording, "damaged"), "");
  EXPECT_FALSE(recording->sound.empty());
  EXPECT_TRUE(recording->has_film);
}

TEST(DescribeRecording, TagsAreTextAndNotTooLong) {
  const auto wav = describe(make_recording(
      {.container = "wav",
       .sounds = {{}},
       .tags = {{"title", std::string(199, 'x') + "\xC3\xB6\xC3\xB6"}, {"artist", "a\xFF"}}}));
  ASSERT_TRUE(wav);
  EXPECT_EQ(fact(*wav, "title"), std::string(199, 'x'));
  EXPECT_EQ(fact(*wav, "artist"), "a\xEF\xBF\xBD");
}

TEST(DamagedRecording, WithoutItsTableAnMp4IsDamaged) {
  const std::string& bytes = good_mp4();
  expect_error(describe(bytes.substr(0, bytes.rfind("moov") - 4)), ErrorCode::kCorrupt,
               "damaged: its container");
  expect_error(describe(bytes.substr(0, 40)), ErrorCode::kCorrupt, "damaged: ");
  expect_error(describe("x"), ErrorCode::kCorrupt, "damaged: ");
}

// libav calls some of them an error of input or output; but that would not be remembered.
TEST(DamagedRecording, NothingButTheBeginningIsDamaged) {
  for (const char* container : {"matroska", "wav"}) {
    const std::string bytes = make_recording({.container = container, .sounds = {{}}});
    for (std::size_t length = 1; length < 64; length += 3) {
      expect_error(describe(bytes.substr(0, length)), ErrorCode::kCorrupt, "damaged: ");
    }
  }
}

TEST(DamagedRecording, WhatTheSystemCannotReadIsNoDamage) {
  const Fd file = file_of(good_mp4());
  const Fd for_writing(open(("/proc/self/fd/" + std::to_string(file.get())).c_str(), O_WRONLY));
  ASSERT_TRUE(for_writing);
  expect_error(describe_recording(for_writing.get(), good_mp4().size(), {}, {}), ErrorCode::kIo,
               "unreadable: ");
}

TEST(DamagedRecording, TextIsDamagedWhateverItIsTakenFor) {
  std::string text;
  while (text.size() < 20'000) text += "Alle meine Entchen schwimmen auf dem See. ";
  expect_error(describe(text), ErrorCode::kCorrupt, "damaged: ");
  expect_error(describe("#EXTM3U\nfile:///etc/passwd\n" + text), ErrorCode::kCorrupt, "damaged: ");
  expect_error(describe("ffconcat version 1.0\nfile /etc/passwd\n"), ErrorCode::kCorrupt,
               "damaged: ");
}

TEST(DamagedRecording, PacketsInTheMiddleAreCountedAndPassedOver) {
  std::string bytes = make_recording({.container = "mp4", .films = {{.frames = 75}}});
  const auto whole = describe(bytes);
  ASSERT_TRUE(whole);
  const std::size_t data = bytes.find("mdat");
  const std::size_t length = bytes.find("moov") - data;
  ASSERT_LT(data, bytes.size());
  for (std::size_t i = data + length / 3; i < data + length * 2 / 3; i += 17) bytes[i] ^= '\x55';
  const auto damaged = describe(bytes);
  ASSERT_TRUE(damaged) << damaged.error().message;
  EXPECT_GT(damaged->damaged, 0U);
  EXPECT_EQ(fact(*damaged, "damaged"), std::to_string(damaged->damaged) + " packets");
  EXPECT_NEAR(damaged->seconds, whole->seconds, 0.2);
}

TEST(DamagedRecording, CutShortItIsReadAsFarAsItGoes) {
  const std::string bytes = make_recording({.films = {{.frames = 75}}, .sounds = {{.seconds = 3}}});
  const auto half = describe(bytes.substr(0, bytes.size() / 2));
  ASSERT_TRUE(half) << half.error().message;
  EXPECT_GT(half->seconds, 0.5);
  EXPECT_LT(half->seconds, 2.9);
}

TEST(DamagedRecording, DurationsAreWhatIsDecoded) {
  std::string bytes = make_recording({.container = "wav", .sounds = {{.rate = 8000}}});
  // The lengths of the file and of its data.
  for (const std::size_t at : {std::size_t{4}, bytes.find("data") + 4}) {
    bytes.replace(at, 4, "\xF0\xFF\xFF\x7F");
  }
  const auto recording = describe(bytes);
  ASSERT_TRUE(recording) << recording.error().message;
  EXPECT_NEAR(recording->seconds, 1, 0.001);
  EXPECT_EQ(fact(*recording, "duration"), "0:01");
}

TEST(DamagedRecording, AnyByteMayBeWrong) {
  const std::string bytes =
      make_recording({.container = "mp4",
                      .films = {{.width = 16, .height = 16, .frames = 2}},
                      .sounds = {{.codec = AV_CODEC_ID_AAC, .seconds = 0.1}}});
  int readable = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 23) {
    std::string wrong = bytes;
    wrong[i] = static_cast<char>(~wrong[i]);
    readable += describe(wrong).has_value() ? 1 : 0;
  }
  EXPECT_GT(readable, 0);
}

TEST(DamagedRecording, EncryptedIsSaid) {
  // The sample entries say that what follows is not to be understood.
  std::string bytes = replaced(good_mp4(), "mp4v", "encv");
  bytes = replaced(bytes, "mp4a", "enca");
  expect_error(describe(bytes), ErrorCode::kUnsupported, "encrypted");
}

std::string with_unknown_film(const TestRecording& recording) {
  return replaced(make_recording(recording), "V_MPEG4/ISO/ASP", "V_QQQQQ/ISO/ASP");
}

TEST(DamagedRecording, CodecsThatNobodyKnowsAreSaid) {
  expect_error(describe(with_unknown_film({.films = {{}}})), ErrorCode::kUnsupported,
               "unusual: there is no decoder for an unknown codec");
}

TEST(DamagedRecording, AnUnknownFilmLeavesTheSound) {
  const auto recording = describe(with_unknown_film({.films = {{}}, .sounds = {{}}}));
  ASSERT_TRUE(recording) << recording.error().message;
  EXPECT_TRUE(recording->has_sound);
  EXPECT_FALSE(recording->has_film);
  EXPECT_EQ(fact(*recording, "not_decoded"), "an unknown codec");
}

TEST(DamagedRecording, CoverArtIsNoFilm) {
  const TestFilm cover = {.codec = AV_CODEC_ID_MJPEG,
                          .frames = 1,
                          .disposition = AV_DISPOSITION_ATTACHED_PIC,
                          .format = AV_PIX_FMT_YUVJ420P};
  const auto song = describe(make_recording(
      {.container = "mp4", .films = {cover}, .sounds = {{.codec = AV_CODEC_ID_AAC}}}));
  ASSERT_TRUE(song) << song.error().message;
  EXPECT_TRUE(song->has_sound);
  EXPECT_FALSE(song->has_film);
  EXPECT_TRUE(song->film.empty());
  expect_error(describe(make_recording({.container = "mp4", .films = {cover}})),
               ErrorCode::kUnsupported, "nothing to hear or see");
}

TEST(DamagedRecording, VeryManyStreamsAreRefusedSoon) {
  TestRecording recording = {.container = "matroska"};
  for (int i = 0; i < 300; ++i) recording.sounds.push_back({.rate = 8000, .seconds = 0.01});
  expect_error(describe(make_recording(recording)), ErrorCode::kLimit, "too many streams");
  recording.sounds.resize(100);
  EXPECT_TRUE(describe(make_recording(recording)));
}

}  // namespace
}  // namespace twinsift
