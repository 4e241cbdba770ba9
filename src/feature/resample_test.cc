// SPDX-License-Identifier: Apache-2.0
#include "feature/resample.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "eval/made_sound.h"
#include "feature/frame_spectra.h"

namespace twinsift {
namespace {

std::vector<float> resampled(std::span<const float> in, std::uint32_t from, std::uint32_t to) {
  Resampler resampler(from, to);
  std::vector<float> out;
  resampler.add(in, out);
  resampler.finish(out);
  return out;
}

// The largest amplitude away from the ends.
float loudness(std::span<const float> sound) {
  float most = 0;
  for (std::size_t i = sound.size() / 4; i < sound.size() * 3 / 4; ++i) {
    most = std::max(most, std::abs(sound[i]));
  }
  return most;
}

TEST(Resampler, KeepsLowTonesWhereTheyAre) {
  for (const std::uint32_t from : {44100U, 48000U, 11025U, 8000U, 6000U}) {
    const std::vector<float> in = make_tone(500, 1, from);
    const std::vector<float> out = resampled(in, from, 8000);
    const std::vector<float> expected = make_tone(500, 1, 8000);
    ASSERT_EQ(out.size(), expected.size()) << from;
    for (std::size_t i = 1000; i < 7000; ++i) {
      // The kernel's ripple is below 1 % where it passes.
      ASSERT_NEAR(out[i], expected[i], 0.005) << from << ' ' << i;
    }
  }
}

TEST(Resampler, StopsTonesThatDoNotFit) {
  EXPECT_LT(loudness(resampled(make_tone(6000, 1, 44100), 44100, 8000)), 0.5 * 0.001);
  // At the edge it is soft: half of the amplitude at 0.9 of half the rate.
  EXPECT_NEAR(loudness(resampled(make_tone(3600, 1, 44100), 44100, 8000)), 0.25, 0.01);
}

TEST(Resampler, GivesAsManySamplesAsTheTimeNeeds) {
  for (const std::size_t length : {0U, 1U, 5U, 441U, 442U, 1000U}) {
    const std::vector<float> in(length, 0.5F);
    EXPECT_EQ(resampled(in, 44100, 8000).size(), (length * 80 + 440) / 441) << length;
    EXPECT_EQ(resampled(in, 4000, 8000).size(), 2 * length) << length;
  }
}

RC_GTEST_PROP(Resampler, PiecesMakeNoDifference, ()) {
  const auto sizes = *rc::gen::container<std::vector<std::size_t>>(20, rc::gen::inRange(0, 300));
  const std::uint32_t from = *rc::gen::element(44100U, 48000U, 22050U, 7999U);
  const std::vector<float> in = make_noise(0.1, 44100, 3);
  Resampler resampler(from, 8000);
  std::vector<float> out;
  std::span<const float> rest = in;
  for (const std::size_t size : sizes) {
    const std::size_t taken = std::min(size, rest.size());
    resampler.add(rest.first(taken), out);
    rest = rest.subspan(taken);
  }
  resampler.add(rest, out);
  resampler.finish(out);
  RC_ASSERT(out == resampled(in, from, 8000));
}

TEST(FrameSpectra, FindTheTone) {
  FrameSpectra spectra(std::vector<float>(1024, 1.0F), 256);
  std::vector<std::size_t> highest;
  const FrameSpectra::Sink sink = [&](std::span<const float> power) {
    ASSERT_EQ(power.size(), 512U);
    highest.push_back(static_cast<std::size_t>(std::ranges::max_element(power) - power.begin()));
  };
  const std::vector<float> tone = make_tone(1000, 1, 8192);  // bin 125
  std::span<const float> rest = tone;
  for (std::size_t size = 1; !rest.empty(); size = size * 2 % 1023) {
    const std::size_t taken = std::min(size, rest.size());
    spectra.add(rest.first(taken), sink);
    rest = rest.subspan(taken);
  }
  spectra.finish(sink);
  EXPECT_EQ(highest, std::vector<std::size_t>((8192 - 1024) / 256 + 1, 125));
}

}  // namespace
}  // namespace twinsift
