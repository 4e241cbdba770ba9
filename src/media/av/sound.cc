// SPDX-License-Identifier: Apache-2.0
#include "media/av/sound.h"

#include <algorithm>

#include "media/av/source.h"

namespace twinsift {
namespace {

// The length of the filter for each phase, before it grows with the ratio of the rates.  libav's
// default is twice that; what a fingerprint hears does not depend on it, and its cost does.
constexpr int kFilterSize = 16;
// The same width of the edge with less damping beyond it, 50 dB, is enough after thinning.
constexpr int kHastyFilterSize = 10;
constexpr int kHastyBeta = 5;
constexpr int kLowestRate = 1000;  // others are lies, and would become any number of samples
constexpr int kHighestRate = 1'000'000;
constexpr int kMostChannels = 64;  // of libswresample

// All channels count the same, wherever they would stand in a room.
void mix_evenly(SwrContext* resampler, int channels) {
  const std::vector<double> weights(static_cast<std::size_t>(channels), 1.0 / channels);
  swr_set_matrix(resampler, weights.data(), channels);
}

}  // namespace

Result<std::unique_ptr<SoundStream>> SoundStream::open(const AVStream& stream,
                                                       std::optional<double> start,
                                                       const Wishes& wishes, Sink sink) {
  TWINSIFT_TRY(CodecPtr codec, open_codec(stream));
  return std::unique_ptr<SoundStream>(
      new SoundStream(std::move(codec), stream.time_base, start, wishes, std::move(sink)));
}

SoundStream::SoundStream(CodecPtr codec, AVRational time_base, std::optional<double> start,
                         const Wishes& wishes, Sink sink)
    : codec_(std::move(codec)),
      time_base_(time_base),
      clock_(start),
      rate_(wishes.rate),
      hasty_(wishes.hasty && wishes.rate > 0),
      sink_(std::move(sink)),
      frame_(not_null(av_frame_alloc())) {}

void SoundStream::add(const AVPacket* packet) {
  const int code = avcodec_send_packet(codec_.get(), packet);
  throw_if_no_memory(code);
  if (code < 0 && code != AVERROR_EOF) ++damaged_;
  receive();
}

void SoundStream::finish() {
  add(nullptr);
  end_resampling();
}

void SoundStream::receive() {
  for (;;) {
    const int code = avcodec_receive_frame(codec_.get(), frame_.get());
    throw_if_no_memory(code);
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return;
    if (code < 0) {
      ++damaged_;
      return;
    }
    take(*frame_);
    av_frame_unref(frame_.get());
  }
}

void SoundStream::take(const AVFrame& frame) {
  if (frame.nb_samples <= 0 || !prepare(frame)) return;
  const auto stamp = to_seconds(frame.best_effort_timestamp, time_base_);
  if (const double silence = clock_.silence_before(stamp, taken_); silence > 0) {
    end_resampling();  // its filter must not reach over the gap
    if (!prepare(frame)) return;
    emit_silence(silence);
    taken_ += silence;
  }
  convert(&frame);
  taken_ += static_cast<double>(frame.nb_samples) / rate_in_;
  heard_ = true;
}

// The format of a stream may change in its middle: then what is left of the old one comes out
// first.
bool SoundStream::prepare(const AVFrame& frame) {
  const int channels = frame.ch_layout.nb_channels;
  if (frame.sample_rate < kLowestRate || frame.sample_rate > kHighestRate || channels <= 0 ||
      channels > kMostChannels) {
    return false;
  }
  const auto rate = static_cast<unsigned>(frame.sample_rate);
  if (resampler_ && frame.format == format_in_ && rate == rate_in_ &&
      static_cast<unsigned>(channels) == channels_) {
    return true;
  }
  end_resampling();
  if (rate_ == 0) rate_ = rate;
  if (!start_resampling(frame)) return false;
  format_in_ = frame.format;
  rate_in_ = rate;
  channels_ = static_cast<unsigned>(channels);
  return true;
}

// Where the sound is thinned out first, that also makes it mono.
bool SoundStream::start_resampling(const AVFrame& frame) {
  AVChannelLayout mono = {};
  av_channel_layout_default(&mono, 1);
  AVChannelLayout layout = mono;
  auto format = static_cast<AVSampleFormat>(frame.format);
  int rate = frame.sample_rate;
  if (hasty_ && is_mixable(frame.format)) {
    const unsigned by = thinned_by(static_cast<unsigned>(rate), rate_);
    thinner_.emplace(by);
    format = AV_SAMPLE_FMT_FLTP;  // of one channel the same, and as the resampler has it
    rate /= static_cast<int>(by);
  } else {
    layout = {};  // without places, which no format has for any number of channels
    layout.order = AV_CHANNEL_ORDER_UNSPEC;
    layout.nb_channels = frame.ch_layout.nb_channels;
  }
  SwrContext* resampler = nullptr;
  const int code = swr_alloc_set_opts2(&resampler, &mono, AV_SAMPLE_FMT_FLTP,
                                       static_cast<int>(rate_), &layout, format, rate, 0, nullptr);
  throw_if_no_memory(code);
  resampler_.reset(resampler);
  if (code < 0) return false;
  if (!thinner_) mix_evenly(resampler, layout.nb_channels);
  av_opt_set_int(resampler, "filter_size", thinner_ ? kHastyFilterSize : kFilterSize, 0);
  if (thinner_) av_opt_set_double(resampler, "kaiser_beta", kHastyBeta, 0);
  const int started = swr_init(resampler);
  throw_if_no_memory(started);
  if (started >= 0) return true;
  resampler_.reset();
  thinner_.reset();
  return false;
}

void SoundStream::resample(const std::uint8_t** data, int count) {
  const int most = swr_get_out_samples(resampler_.get(), count);
  if (most <= 0) return;
  buffer_.resize(static_cast<std::size_t>(most));
  auto* out = reinterpret_cast<std::uint8_t*>(buffer_.data());
  const int n = swr_convert(resampler_.get(), &out, most, data, count);
  throw_if_no_memory(n);
  if (n > 0) sink_({buffer_.data(), static_cast<std::size_t>(n)});
}

// nullptr: what the filters still hold.
void SoundStream::convert(const AVFrame* frame) {
  if (thinner_) return convert_thinned(frame);
  if (frame == nullptr) return resample(nullptr, 0);
  resample(const_cast<const std::uint8_t**>(frame->extended_data), frame->nb_samples);
}

// Frames are short, and a call of the resampler costs as much as many samples: they are collected.
void SoundStream::convert_thinned(const AVFrame* frame) {
  constexpr std::size_t kEnough = 4096;
  if (frame != nullptr) {
    mix_evenly(*frame, mono_);
    thinner_->add(mono_, thinned_);
    if (thinned_.size() < kEnough) return;
  } else {
    thinner_->finish(thinned_);
  }
  const auto* data = reinterpret_cast<const std::uint8_t*>(thinned_.data());
  if (!thinned_.empty()) resample(&data, static_cast<int>(thinned_.size()));
  thinned_.clear();
  if (frame == nullptr) resample(nullptr, 0);
}

void SoundStream::end_resampling() {
  if (resampler_) convert(nullptr);
  resampler_.reset();
  thinner_.reset();
}

void SoundStream::emit_silence(double seconds) {
  const std::vector<float> silence(rate_);  // a second of it
  auto left = static_cast<std::uint64_t>(seconds * rate_);
  while (left > 0) {
    const std::uint64_t now = std::min<std::uint64_t>(left, silence.size());
    sink_(std::span(silence).first(now));
    left -= now;
  }
}

}  // namespace twinsift
