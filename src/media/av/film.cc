// SPDX-License-Identifier: Apache-2.0
#include "media/av/film.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "media/av/source.h"
#include "media/image/orient.h"

namespace twinsift {
namespace {

constexpr double kUsualRate = 25;
constexpr double kHighestRate = 1000;

}  // namespace

Result<std::unique_ptr<FilmStream>> FilmStream::open(const AVFormatContext& format,
                                                     AVStream& stream, double start,
                                                     const RecordingSinks& sinks) {
  TWINSIFT_TRY(CodecPtr codec, open_codec(stream));
  std::unique_ptr<FilmStream> film(
      new FilmStream(std::move(codec), stream.time_base, start, sinks));
  const double rate = frame_rate_of(format, stream);
  film->usual_duration_ = 1 / (rate > 0 ? rate : kUsualRate);
  film->orientation_ = orientation_of(stream);
  return film;
}

FilmStream::FilmStream(CodecPtr codec, AVRational time_base, double start,
                       const RecordingSinks& sinks)
    : codec_(std::move(codec)),
      time_base_(time_base),
      clock_(start),
      sinks_(sinks),
      frame_(not_null(av_frame_alloc())) {
  if (sinks.skip_loop_filter) codec_->skip_loop_filter = AVDISCARD_ALL;
  if (sinks.key_frames_only) codec_->skip_frame = AVDISCARD_NONKEY;
}

void FilmStream::add(const AVPacket* packet) {
  if (packet != nullptr && sinks_.wants_frame && !sinks_.key_frames_only) skip_unwanted(*packet);
  const int code = avcodec_send_packet(codec_.get(), packet);
  throw_if_no_memory(code);
  if (code < 0 && code != AVERROR_EOF) ++damaged_;
  receive();
}

// A frame on which no other depends need not be decoded if nobody wants it.  Frames that were sent
// before it may not have come out yet; they can only make it less wanted.
void FilmStream::skip_unwanted(const AVPacket& packet) {
  const auto stamp = to_seconds(packet.pts, time_base_);
  const bool wanted = !stamp || sinks_.wants_frame(clock_.expected(*stamp));
  codec_->skip_frame = wanted ? AVDISCARD_DEFAULT : AVDISCARD_NONREF;
  if (stamp && !wanted) {
    clock_.lasts_until(*stamp + to_seconds(packet.duration, time_base_).value_or(0));
  }
}

void FilmStream::receive() {
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

void FilmStream::take(const AVFrame& frame) {
  const double own = to_seconds(frame.pkt_duration, time_base_).value_or(0);
  const double seconds = clock_.place(to_seconds(frame.best_effort_timestamp, time_base_),
                                      own > 0 ? own : usual_duration_);
  if (frames_++ == 0) {
    width_ = static_cast<std::uint32_t>(std::max(frame.width, 0));
    height_ = static_cast<std::uint32_t>(std::max(frame.height, 0));
    if (swaps_sides(orientation_)) std::swap(width_, height_);
  }
  if (frame.decode_error_flags != 0) ++damaged_;
  if (sinks_.wants_frame && !sinks_.wants_frame(seconds)) return;
  const FrameWishes wishes = {
      .orientation = orientation_, .luma = sinks_.luma, .colour_side = sinks_.colour_side};
  const Frame converted = converter_.convert(frame, wishes);
  if (wishes.luma && converted.luma.pixels.empty()) return;
  if (wishes.colour_side > 0 && converted.colour.pixels.empty()) return;
  sinks_.frame(seconds, converted);
}

// The matrix turns stored pixels into seen ones, anticlockwise by av_display_rotation_get; only
// quarter turns and mirrors are known to cameras.
unsigned orientation_of(const AVStream& stream) {
  std::size_t size = 0;
  const std::uint8_t* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (data == nullptr || size < 9 * sizeof(std::int32_t)) return 1;
  std::int32_t matrix[9];
  std::memcpy(matrix, data, sizeof(matrix));
  const bool mirrored =
      std::int64_t{matrix[0]} * matrix[4] - std::int64_t{matrix[1]} * matrix[3] < 0;
  if (mirrored) av_display_matrix_flip(matrix, 1, 0);
  const double turned = -av_display_rotation_get(matrix);  // clockwise
  if (std::isnan(turned)) return 1;
  const long quarters = (std::lround(turned / 90) % 4 + 4) % 4;
  constexpr unsigned kPlain[] = {1, 6, 3, 8};
  constexpr unsigned kMirrored[] = {2, 7, 4, 5};
  return mirrored ? kMirrored[quarters] : kPlain[quarters];
}

double frame_rate_of(const AVFormatContext& format, AVStream& stream) {
  // It only reads the container, whatever its type says.
  const AVRational rate =
      av_guess_frame_rate(const_cast<AVFormatContext*>(&format), &stream, nullptr);
  if (rate.num <= 0 || rate.den <= 0) return 0;
  const double value = av_q2d(rate);
  return value <= kHighestRate ? value : 0;
}

}  // namespace twinsift
