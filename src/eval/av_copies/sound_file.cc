// SPDX-License-Identifier: Apache-2.0
#include "eval/av_copies/sound_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

extern "C" {
#include <libavutil/channel_layout.h>
}

namespace twinsift {
namespace {

struct Encoder {
  const char* name;
  const char* container;
  int rate;
};

// In the order of SoundFormat.
constexpr std::array kEncoders = {Encoder{"mp2", "matroska", kCopyRate},
                                  Encoder{"libmp3lame", "mp3", kCopyRate},
                                  Encoder{"libopus", "ogg", 48000}};

// Floats, one plane for each channel.
Result<ResamplerHandle> make_resampler(std::size_t channels, AVSampleFormat format, int from,
                                       int to) {
  SwrContext* made = nullptr;
  AVChannelLayout layout = {};
  av_channel_layout_default(&layout, static_cast<int>(channels));
  int code = swr_alloc_set_opts2(&made, &layout, AV_SAMPLE_FMT_FLTP, to, &layout, format, from, 0,
                                 nullptr);
  ResamplerHandle resampler(made);
  if (code >= 0) code = swr_init(made);
  if (code < 0) return av_error("cannot be resampled", code);
  return resampler;
}

// Converts `count` samples, or what is left in the resampler, and appends them.
Status convert(SwrContext& resampler, const std::uint8_t** in, int count, Sound& out) {
  const int room = swr_get_out_samples(&resampler, count);
  if (room < 0) return av_error("cannot be resampled", room);
  const std::size_t length = out.length();
  std::vector<std::uint8_t*> planes;
  for (auto& channel : out.channels) {
    channel.resize(length + static_cast<std::size_t>(room));
    planes.push_back(reinterpret_cast<std::uint8_t*>(channel.data() + length));
  }
  const int made = swr_convert(&resampler, planes.data(), room, in, count);
  if (made < 0) return av_error("cannot be resampled", made);
  for (auto& channel : out.channels) channel.resize(length + static_cast<std::size_t>(made));
  return ok();
}

// Gathers the frames of a stream.
class SoundTaker {
 public:
  explicit SoundTaker(std::size_t most) : most_(most) {}

  Status take(const AVFrame& frame) {
    if (resampler_ && !fits(frame)) {
      return Error{ErrorCode::kUnsupported, "the sound changes its format on the way"};
    }
    if (!resampler_) {
      TWINSIFT_TRY([[maybe_unused]] auto started, start(frame));
    }
    if (sound_.length() >= most_) return ok();
    return convert(*resampler_, const_cast<const std::uint8_t**>(frame.extended_data),
                   frame.nb_samples, sound_);
  }

  Result<Sound> finish() {
    if (!resampler_) return Error{ErrorCode::kCorrupt, "there is no sound in it"};
    TWINSIFT_TRY([[maybe_unused]] auto rest, convert(*resampler_, nullptr, 0, sound_));
    Sound out = excerpt(sound_, 0, most_);
    return out.channels.size() > 2 ? mono(out) : out;
  }

 private:
  [[nodiscard]] bool fits(const AVFrame& frame) const {
    return frame.format == format_ && frame.sample_rate == rate_ &&
           static_cast<std::size_t>(frame.ch_layout.nb_channels) == sound_.channels.size();
  }
  Status start(const AVFrame& frame) {
    format_ = frame.format;
    rate_ = frame.sample_rate;
    sound_.channels.resize(static_cast<std::size_t>(frame.ch_layout.nb_channels));
    TWINSIFT_TRY(resampler_,
                 make_resampler(sound_.channels.size(), static_cast<AVSampleFormat>(format_), rate_,
                                kCopyRate));
    return ok();
  }

  std::size_t most_;
  Sound sound_;
  int format_ = AV_SAMPLE_FMT_NONE;
  int rate_ = 0;
  ResamplerHandle resampler_;
};

// For encoders that want 16 bits.
std::int16_t rounded(float sample) {
  return static_cast<std::int16_t>(std::lround(std::clamp(sample, -1.0F, 1.0F) * 32767));
}

AVSampleFormat format_for(const AVCodec& codec) {
  constexpr std::array kKnown = {AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S16P,
                                 AV_SAMPLE_FMT_S16};
  for (const AVSampleFormat known : kKnown) {
    for (const AVSampleFormat* f = codec.sample_fmts; f != nullptr && *f != AV_SAMPLE_FMT_NONE;
         ++f) {
      if (*f == known) return known;
    }
  }
  return AV_SAMPLE_FMT_NONE;
}

void fill(AVFrame& frame, const Sound& sound, std::size_t begin) {
  const auto format = static_cast<AVSampleFormat>(frame.format);
  const bool planar = av_sample_fmt_is_planar(format) != 0;
  const bool floats = av_get_packed_sample_fmt(format) == AV_SAMPLE_FMT_FLT;
  const std::size_t channels = sound.channels.size();
  for (std::size_t c = 0; c < channels; ++c) {
    std::uint8_t* plane = frame.extended_data[planar ? c : 0];
    for (std::size_t i = 0; i < static_cast<std::size_t>(frame.nb_samples); ++i) {
      const float sample = sound.channels[c][begin + i];
      const std::size_t place = planar ? i : i * channels + c;
      if (floats) {
        reinterpret_cast<float*>(plane)[place] = sample;
      } else {
        reinterpret_cast<std::int16_t*>(plane)[place] = rounded(sample);
      }
    }
  }
}

Status write_frames(Writer& writer, AVCodecContext& codec, int stream, const Sound& sound) {
  const auto most = static_cast<std::size_t>(codec.frame_size > 0 ? codec.frame_size : 1024);
  for (std::size_t begin = 0; begin < sound.length(); begin += most) {
    const FrameHandle frame(av_frame_alloc());
    if (!frame) throw std::bad_alloc();
    frame->format = codec.sample_fmt;
    frame->nb_samples = static_cast<int>(std::min(most, sound.length() - begin));
    frame->sample_rate = codec.sample_rate;
    frame->pts = static_cast<std::int64_t>(begin);
    av_channel_layout_copy(&frame->ch_layout, &codec.ch_layout);
    if (av_frame_get_buffer(frame.get(), 0) < 0) throw std::bad_alloc();
    fill(*frame, sound, begin);
    TWINSIFT_TRY([[maybe_unused]] auto written, writer.write(codec, stream, frame.get()));
  }
  return writer.write(codec, stream, nullptr);
}

}  // namespace

Result<Sound> decode_sound(Source& source, double most_seconds) {
  const AVStream* stream = source.sound();
  if (stream == nullptr) return Error{ErrorCode::kUnsupported, "there is no sound in it"};
  SoundTaker taker(static_cast<std::size_t>(most_seconds * kCopyRate));
  TWINSIFT_TRY([[maybe_unused]] auto done,
               source.decode(*stream, [&](AVFrame& frame) { return taker.take(frame); }));
  return taker.finish();
}

Result<Sound> resampled(const Sound& sound, int from, int to) {
  TWINSIFT_TRY(const auto resampler,
               make_resampler(sound.channels.size(), AV_SAMPLE_FMT_FLTP, from, to));
  Sound out;
  out.channels.resize(sound.channels.size());
  std::vector<const std::uint8_t*> planes;
  for (const auto& channel : sound.channels) {
    planes.push_back(reinterpret_cast<const std::uint8_t*>(channel.data()));
  }
  TWINSIFT_TRY([[maybe_unused]] auto most,
               convert(*resampler, planes.data(), static_cast<int>(sound.length()), out));
  TWINSIFT_TRY([[maybe_unused]] auto rest, convert(*resampler, nullptr, 0, out));
  return out;
}

SoundStream::SoundStream(CodecHandle codec, int number, Sound sound)
    : codec_(std::move(codec)), number_(number), sound_(std::move(sound)) {}

Result<SoundStream> SoundStream::add(Writer& writer, const Sound& sound, SoundFormat format,
                                     int kilobits) {
  const Encoder& encoder = kEncoders[static_cast<std::size_t>(format)];
  TWINSIFT_TRY(CodecHandle codec, writer.encoder(encoder.name));
  codec->sample_fmt = format_for(*codec->codec);
  codec->sample_rate = encoder.rate;
  codec->time_base = {1, encoder.rate};
  codec->bit_rate = std::int64_t{1000} * kilobits;
  av_channel_layout_default(&codec->ch_layout, static_cast<int>(sound.channels.size()));
  TWINSIFT_TRY(const int number, writer.add(*codec, nullptr));
  TWINSIFT_TRY(Sound samples, encoder.rate == kCopyRate
                                  ? Result<Sound>(sound)
                                  : resampled(sound, kCopyRate, encoder.rate));
  return SoundStream(std::move(codec), number, std::move(samples));
}

Status SoundStream::write(Writer& writer) { return write_frames(writer, *codec_, number_, sound_); }

Result<std::string> encode_sound(const Sound& sound, SoundFormat format, int kilobits) {
  TWINSIFT_TRY(Writer writer, Writer::make(kEncoders[static_cast<std::size_t>(format)].container));
  TWINSIFT_TRY(SoundStream stream, SoundStream::add(writer, sound, format, kilobits));
  TWINSIFT_TRY([[maybe_unused]] auto begun, writer.begin());
  TWINSIFT_TRY([[maybe_unused]] auto written, stream.write(writer));
  return writer.finish();
}

}  // namespace twinsift
