// SPDX-License-Identifier: Apache-2.0
// Times of frames never go back, and silence is put where sound is missing.
#include "media/av/stream_clock.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "media/av/peaks.h"

namespace twinsift {
namespace {

TEST(FrameClock, StampsAreTakenFromTheStartOfTheRecording) {
  FrameClock clock(100);
  EXPECT_DOUBLE_EQ(clock.place(100.5, 0.04), 0.5);
  EXPECT_DOUBLE_EQ(clock.place(103, 0.04), 3) << "a slow film";
  EXPECT_DOUBLE_EQ(clock.end(), 3.04);
}

TEST(FrameClock, MissingStampsFollowTheFrameBefore) {
  FrameClock clock(0);
  EXPECT_DOUBLE_EQ(clock.place({}, 0.5), 0);
  EXPECT_DOUBLE_EQ(clock.place({}, 0.5), 0.5);
  EXPECT_DOUBLE_EQ(clock.place(1.25, 0.5), 1.25);
  EXPECT_DOUBLE_EQ(clock.place({}, 0.5), 1.75);
}

TEST(FrameClock, LeapsBackAndFarAheadAreMendedForAllThatFollows) {
  FrameClock clock(0);
  clock.place(50.0, 1);
  EXPECT_DOUBLE_EQ(clock.place(0.0, 1), 51) << "a second recording was appended";
  EXPECT_DOUBLE_EQ(clock.place(2.0, 1), 53);
  EXPECT_DOUBLE_EQ(clock.place(1e7, 1), 54) << "nonsense";
  EXPECT_DOUBLE_EQ(clock.place(1e7 + 1, 1), 55);
}

RC_GTEST_PROP(FrameClock, TimesNeverGoBack, (const std::vector<int>& stamps)) {
  FrameClock clock(7);
  double last = 0;
  for (const int stamp : stamps) {
    const double now = clock.place(stamp / 10.0, 0.1);
    RC_ASSERT(now >= last);
    RC_ASSERT(clock.end() > now);
    last = now;
  }
}

TEST(SoundClock, OnlyGapsOfMoreThanHalfASecondAreSilence) {
  SoundClock clock(10);
  EXPECT_EQ(clock.silence_before(10.0, 0), 0);
  EXPECT_EQ(clock.silence_before(11.4, 1), 0) << "short";
  EXPECT_DOUBLE_EQ(clock.silence_before(14, 2), 2);
  EXPECT_EQ(clock.silence_before(15.0, 5), 0);
  EXPECT_EQ(clock.silence_before({}, 6), 0);
}

TEST(SoundClock, SoundThatComesTwiceMovesTheClock) {
  SoundClock clock(0);
  EXPECT_EQ(clock.silence_before(0.0, 30), 0);
  EXPECT_EQ(clock.silence_before(1.0, 31), 0) << "the clock goes on from there";
  EXPECT_DOUBLE_EQ(clock.silence_before(3, 32), 1);
}

TEST(SoundClock, LiesDoNotBecomeHoursOfSilence) {
  SoundClock clock(0);
  double silence = 0;
  double now = 0;
  for (int i = 1; i < 1000; ++i) {
    const double gap = clock.silence_before(i * 1000.0, now);
    silence += gap;
    now += gap + 0.1;
  }
  EXPECT_LE(silence, 3600);
  EXPECT_GT(silence, 900);
}

TEST(SoundClock, WithoutAStartGapsDoNotMatter) {
  SoundClock clock({});
  EXPECT_EQ(clock.silence_before(500, 0), 0);
}

RC_GTEST_PROP(PeakMeter, EveryPeakIsTheLargestOfItsStretch, ()) {
  const auto samples = *rc::gen::container<std::vector<float>>(
      rc::gen::map(rc::gen::inRange(-255, 256), [](int v) { return static_cast<float>(v) / 255; }));
  const auto most = *rc::gen::inRange<std::size_t>(2, 20);
  PeakMeter meter(most);
  const auto half = static_cast<std::ptrdiff_t>(samples.size() / 3);
  meter.add(std::span(samples.begin(), samples.begin() + half));
  meter.add(std::span(samples.begin() + half, samples.end()));
  const auto peaks = meter.finish();
  RC_ASSERT(peaks.size() <= most);
  if (samples.empty()) return;
  std::size_t stretch = 1;
  while ((samples.size() + stretch - 1) / stretch >= most / 2 * 2) stretch *= 2;
  // The last sample may end the stretch that makes two become one.
  RC_ASSERT(peaks.size() == (samples.size() + stretch - 1) / stretch);
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    float largest = 0;
    for (std::size_t j = i * stretch; j < std::min((i + 1) * stretch, samples.size()); ++j) {
      largest = std::max(largest, std::abs(samples[j]));
    }
    RC_ASSERT(peaks[i] == static_cast<std::uint8_t>(largest * 255));
  }
}

}  // namespace
}  // namespace twinsift
