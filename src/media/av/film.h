// SPDX-License-Identifier: Apache-2.0
// The film of a recording: packets in, frames with their times out.
#pragma once

#include <cstdint>
#include <memory>

#include "media/av/frame.h"
#include "media/av/libav.h"
#include "media/av/sinks.h"
#include "media/av/stream_clock.h"
#include "twinsift/result.h"

namespace twinsift {

class FilmStream {
 public:
  // The sinks must outlive it.
  static Result<std::unique_ptr<FilmStream>> open(const AVFormatContext& format, AVStream& stream,
                                                  double start, const RecordingSinks& sinks);

  void add(const AVPacket* packet);  // nullptr: the end

  [[nodiscard]] double seconds() const { return clock_.end(); }
  [[nodiscard]] std::uint64_t damaged() const { return damaged_; }
  [[nodiscard]] std::uint64_t frames() const { return frames_; }
  [[nodiscard]] std::uint32_t width() const { return width_; }  // upright, of the first frame
  [[nodiscard]] std::uint32_t height() const { return height_; }

 private:
  FilmStream(CodecPtr codec, AVRational time_base, double start, const RecordingSinks& sinks);
  void skip_unwanted(const AVPacket& packet);
  void receive();
  void take(const AVFrame& frame);

  CodecPtr codec_;
  AVRational time_base_;
  FrameClock clock_;
  const RecordingSinks& sinks_;
  double usual_duration_ = 0;
  unsigned orientation_ = 1;
  FramePtr frame_;
  FrameConverter converter_;
  std::uint64_t damaged_ = 0;
  std::uint64_t frames_ = 0;
  std::uint32_t width_ = 0, height_ = 0;
};

// How the container wants the film of this stream to be turned, as EXIF numbers it.
unsigned orientation_of(const AVStream& stream);

// Frames in a second, by the container's word where that makes sense; 0: unknown.
double frame_rate_of(const AVFormatContext& format, AVStream& stream);

}  // namespace twinsift
