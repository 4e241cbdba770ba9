// SPDX-License-Identifier: Apache-2.0
// A recording at a glance.  Frames are found by seeking, and so is the sound of a long recording:
// the cost is bounded, whatever the length.
#include <algorithm>
#include <string>
#include <utility>

#include "media/av/describe.h"
#include "media/av/film.h"
#include "media/av/frame.h"
#include "media/av/peaks.h"
#include "media/av/sound.h"
#include "media/image/make_preview.h"

namespace twinsift {
namespace {

constexpr double kWholeSound = 3600;   // seconds that are heard from beginning to end
constexpr std::uint32_t kStops = 500;  // in a longer recording, and a bit of sound at each of them
constexpr int kPacketsToFrame = 2000;  // at most, from where seeking leads to a key frame
constexpr int kPacketsAtStop = 8;
constexpr double kShortFilm = 60;  // seconds that are decoded if there are few key frames

Result<std::string> write_picture([[maybe_unused]] const RgbView& view) {
  Picture picture;
  picture.columns = view.width;
  picture.rows = view.height;
  picture.channels = 3;
  picture.bytes.assign(reinterpret_cast<const char*>(view.pixels.data()), view.pixels.size());
#if defined(TWINSIFT_HAVE_JPEG)
  return write_jpeg(picture);
#elif defined(TWINSIFT_HAVE_PNG)
  return write_png(picture);
#else
  return Error{ErrorCode::kUnsupported,
               "frames cannot be shown by this build: libjpeg and libpng were missing"};
#endif
}

// Goes to the last place in the stream where decoding can begin before this time.
bool go_to(const Source& source, const AVStream& stream, double seconds) {
  const double ticks = (seconds + source.start) / av_q2d(stream.time_base);
  return av_seek_frame(source.format.get(), stream.index, static_cast<std::int64_t>(ticks),
                       AVSEEK_FLAG_BACKWARD) >= 0;
}

// The container's word, which no more than the look of the strip depends on.
double stated_seconds(const Source& source) {
  const std::int64_t duration = source.format->duration;
  return duration > 0 ? static_cast<double>(duration) / AV_TIME_BASE : 0;
}

// Finds single frames of a film.
class FramePicker {
 public:
  static Result<FramePicker> open(const Source& source) {
    TWINSIFT_TRY(CodecPtr codec, open_codec(*source.film));
    codec->skip_frame = AVDISCARD_NONKEY;
    codec->skip_loop_filter = AVDISCARD_ALL;
    return FramePicker(source, std::move(codec));
  }

  // The key frame before this time, or after it if there is none; nullptr: there is none at all.
  const AVFrame* pick(double seconds) {
    avcodec_flush_buffers(codec_.get());
    av_frame_unref(frame_.get());
    // What cannot seek is read on.
    go_to(source_, *source_.film, seconds);
    for (int i = 0; i < kPacketsToFrame; ++i) {
      av_packet_unref(packet_.get());
      if (av_read_frame(source_.format.get(), packet_.get()) < 0) return nullptr;
      if (packet_->stream_index != source_.film->index) continue;
      if ((packet_->flags & AV_PKT_FLAG_KEY) == 0) continue;
      if (decode()) return frame_.get();
    }
    return nullptr;
  }

 private:
  FramePicker(const Source& source, CodecPtr codec)
      : source_(source),
        codec_(std::move(codec)),
        packet_(not_null(av_packet_alloc())),
        frame_(not_null(av_frame_alloc())) {}

  // The end is announced after one packet, or the decoder would wait for those that follow.
  bool decode() {
    const bool sent = avcodec_send_packet(codec_.get(), packet_.get()) >= 0;
    avcodec_send_packet(codec_.get(), nullptr);
    const bool got = avcodec_receive_frame(codec_.get(), frame_.get()) >= 0;
    if (!got) avcodec_flush_buffers(codec_.get());
    return sent && got;
  }

  const Source& source_;
  CodecPtr codec_;
  PacketPtr packet_;
  FramePtr frame_;
};

Status add_frames(const Source& source, const StripRequest& request, RecordingStrip& strip,
                  const std::function<void()>& progress) {
  read_only(source, source.film);
  TWINSIFT_TRY(FramePicker picker, FramePicker::open(source));
  FrameConverter converter;
  const FrameWishes wishes = {
      .orientation = orientation_of(*source.film), .luma = false, .colour_side = request.side};
  for (std::uint32_t i = 0; i < request.frames; ++i) {
    const AVFrame* frame = picker.pick(strip.seconds * (i + 0.5) / request.frames);
    if (frame == nullptr) continue;
    if (progress) progress();
    const auto time = to_seconds(frame->best_effort_timestamp, source.film->time_base);
    const double seconds = std::max(time.value_or(source.start) - source.start, 0.0);
    if (!strip.frames.empty() && seconds <= strip.frames.back().seconds) continue;
    const RgbView colour = converter.convert(*frame, wishes).colour;
    if (colour.pixels.empty()) continue;
    TWINSIFT_TRY(std::string picture, write_picture(colour));
    strip.frames.push_back({.seconds = seconds, .picture = std::move(picture)});
  }
  return ok();
}

// The frames that are shown at these times, of a film that is decoded for them.
Status add_shown_frames(Source& source, const StripRequest& request, RecordingStrip& strip,
                        const std::function<void()>& progress) {
  std::uint32_t next = 0;
  const auto due = [&](double seconds) {
    return next < request.frames && seconds >= strip.seconds * (next + 0.5) / request.frames;
  };
  std::vector<StripFrame> frames;
  Status written = ok();
  RecordingSinks sinks;
  sinks.luma = false;
  sinks.colour_side = request.side;
  sinks.skip_loop_filter = true;
  sinks.wants_frame = due;
  sinks.frame = [&](double seconds, const Frame& frame) {
    while (due(seconds)) ++next;
    auto picture = write_picture(frame.colour);
    if (picture) frames.push_back({.seconds = seconds, .picture = *std::move(picture)});
    if (!picture) written = picture.error();
  };
  sinks.progress = progress;
  TWINSIFT_TRY([[maybe_unused]] const DecodedRecording done, decode_recording(source, sinks));
  if (frames.size() > strip.frames.size()) strip.frames = std::move(frames);
  return written;
}

// All of the sound, and how long it is.
Status add_all_peaks(Source& source, RecordingStrip& strip, PeakMeter& meter,
                     const std::function<void()>& progress) {
  RecordingSinks sinks;
  sinks.sound = [&](std::span<const float> samples) { meter.add(samples); };
  sinks.progress = progress;
  TWINSIFT_TRY(const DecodedRecording decoded, decode_recording(source, sinks));
  strip.seconds =
      source.film != nullptr ? std::max(strip.seconds, decoded.seconds) : decoded.seconds;
  return ok();
}

// A bit of the sound at each of many stops.
Status add_some_peaks(const Source& source, const RecordingStrip& strip, PeakMeter& meter,
                      const std::function<void()>& progress) {
  read_only(source, source.sound);
  const PacketPtr packet(not_null(av_packet_alloc()));
  for (std::uint32_t i = 0; i < kStops; ++i) {
    float peak = 0;
    TWINSIFT_TRY(const auto sound,
                 SoundStream::open(*source.sound, {}, {}, [&](std::span<const float> samples) {
                   for (const float sample : samples) peak = std::max(peak, std::abs(sample));
                 }));
    if (!go_to(source, *source.sound, strip.seconds * (i + 0.5) / kStops)) break;
    for (int n = 0; n < kPacketsAtStop; ++n) {
      av_packet_unref(packet.get());
      if (av_read_frame(source.format.get(), packet.get()) < 0) break;
      if (packet->stream_index == source.sound->index) sound->add(packet.get());
    }
    if (progress) progress();
    meter.add({&peak, 1});
  }
  return ok();
}

}  // namespace

Result<RecordingStrip> make_strip(int file, std::uint64_t size, const StripRequest& request,
                                  std::function<void()> progress) {
  TWINSIFT_TRY(const auto source, open_source(file, size));
  RecordingStrip strip;
  strip.seconds = stated_seconds(*source);
  Status heard = ok();
  if (source->sound != nullptr && request.peaks >= 2) {
    PeakMeter meter(request.peaks);
    heard = strip.seconds <= kWholeSound ? add_all_peaks(*source, strip, meter, progress)
                                         : add_some_peaks(*source, strip, meter, progress);
    if (heard) strip.peaks = meter.finish();
  }
  if (source->film != nullptr && request.frames > 0 && request.side > 0) {
    TWINSIFT_TRY([[maybe_unused]] auto done, add_frames(*source, request, strip, progress));
    // Some encoders make a key frame every ten seconds, or only one.
    if (strip.frames.size() < request.frames / 2 && strip.seconds <= kShortFilm) {
      TWINSIFT_TRY(const auto again, open_source(file, size));
      TWINSIFT_TRY([[maybe_unused]] auto shown, add_shown_frames(*again, request, strip, progress));
    }
  }
  if (!heard && strip.frames.empty()) return heard.error();
  return strip;
}

}  // namespace twinsift
