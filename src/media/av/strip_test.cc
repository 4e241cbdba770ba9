// SPDX-License-Identifier: Apache-2.0
// Recordings at a glance: peaks where it is loud, and frames where they belong.
#include <string>

#include <gtest/gtest.h>

#include "media/av/describe.h"
#include "media/av/test_recordings.h"
#include "media/preview.h"

namespace twinsift {
namespace {

Result<RecordingStrip> strip_of(const std::string& bytes, const StripRequest& request = {}) {
  const Fd file = file_of(bytes);
  return make_strip(file.get(), bytes.size(), request, {});
}

TEST(Strip, PeaksShowWhereItIsLoud) {
  const TestSound sound = {
      .rate = 8000, .seconds = 4, .wave = [](double t, int) { return t < 2 ? 0.0 : 0.8; }};
  const auto strip =
      strip_of(make_recording({.container = "wav", .sounds = {sound}}), {.peaks = 100});
  ASSERT_TRUE(strip) << strip.error().message;
  EXPECT_NEAR(strip->seconds, 4, 0.001);
  ASSERT_GE(strip->peaks.size(), 50U);
  ASSERT_LE(strip->peaks.size(), 100U);
  EXPECT_EQ(strip->peaks[strip->peaks.size() / 4], 0);
  EXPECT_NEAR(strip->peaks[strip->peaks.size() * 3 / 4], 204, 2);
  EXPECT_TRUE(strip->frames.empty());
}

TEST(Strip, FramesAreSmallAndInOrder) {
  const TestFilm film = {.width = 320, .height = 240, .frames = 100, .rotation = 90};
  const auto strip =
      strip_of(make_recording({.container = "mp4", .films = {film}}), {.frames = 5, .side = 80});
  ASSERT_TRUE(strip) << strip.error().message;
  EXPECT_NEAR(strip->seconds, 4, 0.1);
  EXPECT_TRUE(strip->peaks.empty());
  ASSERT_GE(strip->frames.size(), 4U) << "there is a key frame every twelve frames";
  double last = -1;
  for (const StripFrame& frame : strip->frames) {
    EXPECT_GT(frame.seconds, last);
    last = frame.seconds;
    const auto size = preview_size(frame.picture);
    ASSERT_TRUE(size);
    EXPECT_EQ(size->width, 60U) << "upright";
    EXPECT_EQ(size->height, 80U);
  }
  EXPECT_GT(last, 3);
}

TEST(Strip, FramesAreThereWithoutKeyFrames) {
  const TestFilm film = {.width = 64, .height = 48, .frames = 60};
  const auto strip = strip_of(make_recording({.container = "mp4", .films = {film}}));
  ASSERT_TRUE(strip) << strip.error().message;
  ASSERT_EQ(strip->frames.size(), 12U) << "and there are five key frames";
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(strip->frames[i].seconds, strip->seconds * (static_cast<double>(i) + 0.5) / 12,
                0.05);
  }
}

TEST(Strip, BothComeFromOneFile) {
  const auto strip = strip_of(make_recording({.films = {{.frames = 1}}, .sounds = {{}}}));
  ASSERT_TRUE(strip) << strip.error().message;
  EXPECT_EQ(strip->frames.size(), 1U);
  EXPECT_FALSE(strip->peaks.empty());
}

TEST(Strip, SomeOfALongSoundIsEnough) {
  // Two hours by its stamps, of which a hundredth is there.
  const TestSound sound = {.codec = AV_CODEC_ID_MP2,
                           .rate = 16000,
                           .seconds = 72,
                           .wave = [](double t, int) { return t < 36 ? 0.05 : 0.5; },
                           .stamp = [](double t) { return 100 * t; }};
  const auto strip = strip_of(make_recording({.sounds = {sound}}), {.peaks = 64});
  ASSERT_TRUE(strip) << strip.error().message;
  EXPECT_NEAR(strip->seconds, 7200, 30);
  ASSERT_GE(strip->peaks.size(), 32U);
  EXPECT_LT(strip->peaks[strip->peaks.size() / 4], 60);
  EXPECT_GT(strip->peaks[strip->peaks.size() * 3 / 4], 100);
}

TEST(Strip, NothingToShowIsAnError) {
  const auto strip = strip_of("this is no recording at all");
  ASSERT_FALSE(strip);
  EXPECT_EQ(strip.error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace twinsift
