// SPDX-License-Identifier: Apache-2.0
// The sound of a recording: packets in, mono samples out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "media/av/libav.h"
#include "media/av/stream_clock.h"
#include "media/av/thinner.h"
#include "twinsift/result.h"

namespace twinsift {

class SoundStream {
 public:
  using Sink = std::function<void(std::span<const float>)>;
  struct Wishes {
    unsigned rate = 0;   // Hz; 0: as it is
    bool hasty = false;  // thinned out first (thinner.h): right up to 0.45 of the rate
  };
  // `start`: the beginning of the recording, by the stream's clock; none: gaps are not filled.
  static Result<std::unique_ptr<SoundStream>> open(const AVStream& stream,
                                                   std::optional<double> start,
                                                   const Wishes& wishes, Sink sink);

  void add(const AVPacket* packet);  // nullptr: the end
  void finish();

  [[nodiscard]] double seconds() const { return taken_; }  // from the beginning of the recording
  [[nodiscard]] std::uint64_t damaged() const { return damaged_; }
  [[nodiscard]] bool heard() const { return heard_; }
  [[nodiscard]] unsigned rate_in() const { return rate_in_; }
  [[nodiscard]] unsigned channels() const { return channels_; }

 private:
  SoundStream(CodecPtr codec, AVRational time_base, std::optional<double> start,
              const Wishes& wishes, Sink sink);
  void receive();
  void take(const AVFrame& frame);
  bool prepare(const AVFrame& frame);
  bool start_resampling(const AVFrame& frame);
  void convert(const AVFrame* frame);
  void convert_thinned(const AVFrame* frame);
  void resample(const std::uint8_t** data, int count);  // nothing: what the filter still holds
  void end_resampling();
  void emit_silence(double seconds);

  CodecPtr codec_;
  AVRational time_base_;
  SoundClock clock_;
  unsigned rate_;
  bool hasty_;
  Sink sink_;
  FramePtr frame_;
  ResamplerPtr resampler_;
  std::optional<Thinner> thinner_;  // before the resampler
  int format_in_ = -1;
  unsigned rate_in_ = 0;  // of what came last, as the resampler was made for it
  unsigned channels_ = 0;
  std::vector<float> mono_, thinned_, buffer_;
  double taken_ = 0;  // seconds of sound and silence that have come in
  std::uint64_t damaged_ = 0;
  bool heard_ = false;
};

}  // namespace twinsift
