// SPDX-License-Identifier: Apache-2.0
#include "media/av/thinner.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

using Samples = std::vector<float>;

Samples tone(double pitch, double rate, std::size_t count) {
  Samples samples(count);
  for (std::size_t i = 0; i < count; ++i) {
    samples[i] =
        static_cast<float>(std::sin(2 * std::numbers::pi * pitch * static_cast<double>(i) / rate));
  }
  return samples;
}

Samples thinned(const Samples& samples, unsigned by, std::size_t piece) {
  Thinner thinner(by);
  Samples out;
  for (std::size_t at = 0; at < samples.size(); at += piece) {
    thinner.add(std::span(samples).subspan(at, std::min(piece, samples.size() - at)), out);
  }
  thinner.finish(out);
  return out;
}

double loudest(const Samples& samples) {
  double most = 0;
  for (std::size_t i = 20; i + 20 < samples.size(); ++i) {
    most = std::max(most, std::abs(double{samples[i]}));
  }
  return most;
}

TEST(Thinner, KeepsLowTonesAndDropsThoseThatWouldFoldBack) {
  for (const auto& [rate, by] : {std::pair(44100, 3U), {48000, 4U}, {96000, 8U}, {22050, 1U}}) {
    EXPECT_EQ(thinned_by(static_cast<unsigned>(rate), 6000), by) << rate;
    EXPECT_NEAR(loudest(thinned(tone(300, rate, 9000), by, 1024)), 1, 0.01) << rate;
    EXPECT_GT(loudest(thinned(tone(2700, rate, 9000), by, 1024)), 0.75) << rate;
    if (by == 1) continue;
    const double folds = double{1} * rate / by;
    for (const double pitch : {folds - 2700, folds - 300, folds + 2000}) {
      EXPECT_LT(loudest(thinned(tone(pitch, rate, 9000), by, 1024)), 0.04) << rate << ' ' << pitch;
    }
  }
}

TEST(Thinner, SamplesStayWhereTheyWereWhateverThePieces) {
  const Samples samples = tone(440, 44100, 5000);
  const Samples whole = thinned(samples, 3, samples.size());
  EXPECT_EQ(whole.size(), 1667U);
  for (const std::size_t piece : {1U, 2U, 7U, 1152U}) {
    EXPECT_EQ(thinned(samples, 3, piece), whole) << piece;
  }
  for (std::size_t i = 5; i + 5 < whole.size(); ++i) {
    EXPECT_NEAR(whole[i], samples[3 * i], 0.01) << i;
  }
  EXPECT_EQ(thinned(samples, 1, 100), samples);
  EXPECT_TRUE(thinned({}, 3, 1).empty());
}

TEST(Thinner, DividesTheRateAndLeavesTwiceWhatIsWanted) {
  EXPECT_EQ(thinned_by(8000, 6000), 1U);
  EXPECT_EQ(thinned_by(32000, 6000), 2U);
  EXPECT_EQ(thinned_by(44101, 6000), 1U);
  EXPECT_EQ(thinned_by(192000, 6000), 16U);
  EXPECT_EQ(thinned_by(44100, 0), 30U);  // of any rate; not more than 32
}

// A frame of one format, whose channels have these samples.
template <class Sample>
Samples mixed(AVSampleFormat format, const std::vector<std::vector<Sample>>& channels) {
  const FramePtr frame(av_frame_alloc());
  frame->format = format;
  frame->nb_samples = static_cast<int>(channels[0].size());
  av_channel_layout_default(&frame->ch_layout, static_cast<int>(channels.size()));
  EXPECT_GE(av_frame_get_buffer(frame.get(), 0), 0);
  const bool planar = av_sample_fmt_is_planar(format) == 1;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    auto* plane = reinterpret_cast<Sample*>(frame->extended_data[planar ? c : 0]);
    for (std::size_t i = 0; i < channels[c].size(); ++i) {
      plane[planar ? i : i * channels.size() + c] = channels[c][i];
    }
  }
  EXPECT_TRUE(is_mixable(format));
  Samples mono;
  mix_evenly(*frame, mono);
  return mono;
}

TEST(MixEvenly, IsTheMeanOfAllChannelsInAnyFormat) {
  const std::vector<std::vector<float>> floats = {{1, 0, -1}, {0, 0.5F, -1}};
  for (const auto format : {AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP}) {
    EXPECT_EQ(mixed(format, floats), (Samples{0.5F, 0.25F, -1}));
  }
  const std::vector<std::vector<std::int16_t>> shorts = {{16384, 0}, {0, 0}, {-16384, 0}, {0, 8}};
  for (const auto format : {AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P}) {
    EXPECT_EQ(mixed(format, shorts), (Samples{0, 0x1p-14F}));
    EXPECT_EQ(mixed(format, decltype(shorts)(shorts.begin(), shorts.begin() + 2)),
              (Samples{0.25F, 0}));
  }
  const std::vector<std::vector<std::int32_t>> longs = {{1 << 30, -(1 << 30)}};
  for (const auto format : {AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P}) {
    EXPECT_EQ(mixed(format, longs), (Samples{0.5F, -0.5F}));
  }
  EXPECT_FALSE(is_mixable(AV_SAMPLE_FMT_U8));
  EXPECT_FALSE(is_mixable(AV_SAMPLE_FMT_DBLP));
}

}  // namespace
}  // namespace twinsift
