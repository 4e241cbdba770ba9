// SPDX-License-Identifier: Apache-2.0
#include "eval/av_copies/film_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

extern "C" {
#include <libavutil/display.h>
}

namespace twinsift {
namespace {

constexpr std::size_t kLongestSide = 640;
constexpr int kTicks = 1000;  // a second; what Matroska keeps
constexpr int kSoundKilobits = 128;
constexpr std::array kEncoders = {"libx264", "mpeg4"};  // in the order of FilmFormat

std::size_t even(double value) {
  return std::max<std::size_t>(2, 2 * static_cast<std::size_t>(std::lround(value / 2)));
}

// Quarter turns clockwise that make the film upright.
int quarters_of(const AVStream& stream) {
  const std::uint8_t* matrix = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, nullptr);
  if (matrix == nullptr) return 0;
  const double turn = -av_display_rotation_get(reinterpret_cast<const std::int32_t*>(matrix));
  return std::isfinite(turn) ? static_cast<int>(std::lround(turn / 90)) : 0;
}

// Pointers and line lengths as libswscale wants them.
struct Layout {
  explicit Layout(PictureFrame& frame) {
    for (std::size_t p = 0; p < 3; ++p) {
      data[p] = frame.planes[p].bytes.data();
      lines[p] = static_cast<int>(frame.planes[p].width);
    }
  }
  std::array<std::uint8_t*, 4> data = {};
  std::array<int, 4> lines = {};
};

// Brings frames to size and format; the scaler is kept while they do not change.
class Shrinker {
 public:
  Result<PictureFrame> shrink(const AVFrame& frame) {
    const int longer = std::max(frame.width, frame.height);
    const double factor = std::min(1.0, double{kLongestSide} / std::max(1, longer));
    PictureFrame out(even(factor * frame.width), even(factor * frame.height));
    scaler_.reset(sws_getCachedContext(
        scaler_.release(), frame.width, frame.height, static_cast<AVPixelFormat>(frame.format),
        static_cast<int>(out.width()), static_cast<int>(out.height()), AV_PIX_FMT_YUV420P,
        SWS_AREA | SWS_ACCURATE_RND | SWS_BITEXACT, nullptr, nullptr, nullptr));
    if (!scaler_) return Error{ErrorCode::kUnsupported, "pixels of an unknown format"};
    Layout layout(out);
    sws_scale(scaler_.get(), frame.data, frame.linesize, 0, frame.height, layout.data.data(),
              layout.lines.data());
    return out;
  }

 private:
  ScalerHandle scaler_;
};

void fill(AVFrame& to, const PictureFrame& frame) {
  for (std::size_t p = 0; p < 3; ++p) {
    const Plane& plane = frame.planes[p];
    for (std::size_t y = 0; y < plane.height; ++y) {
      std::copy_n(plane.row(y), plane.width,
                  to.data[p] + static_cast<std::ptrdiff_t>(y) * to.linesize[p]);
    }
  }
}

// Passes on the frame that is shown at each tick of a slower clock.
class Thinner {
 public:
  Thinner(double rate, TakeFrame take) : rate_(rate), take_(std::move(take)) {}

  Status add(double seconds, PictureFrame frame) {
    TWINSIFT_TRY([[maybe_unused]] auto passed, pass_until(seconds));
    shown_ = std::move(frame);
    return ok();
  }
  // The frames that are shown before this moment.
  Status pass_until(double seconds) {
    for (; next_ / rate_ < seconds; ++next_) {
      TWINSIFT_TRY([[maybe_unused]] auto taken, take_(next_ / rate_, shown_));
    }
    return ok();
  }

 private:
  double rate_;
  TakeFrame take_;
  PictureFrame shown_;
  double next_ = 0;
};

}  // namespace

Result<double> decode_film(Source& source, const TakeFrame& take) {
  const AVStream* stream = source.film();
  if (stream == nullptr) return Error{ErrorCode::kUnsupported, "there is no film in it"};
  const int quarters = quarters_of(*stream);
  const double tick = av_q2d(stream->time_base);
  Shrinker shrinker;
  std::optional<double> first;
  double last = -1;
  double step = 0;
  TWINSIFT_TRY([[maybe_unused]] auto done, source.decode(*stream, [&](AVFrame& frame) -> Status {
    if (frame.best_effort_timestamp == AV_NOPTS_VALUE) return ok();
    const double moment = static_cast<double>(frame.best_effort_timestamp) * tick;
    if (!first) first = moment;
    const double seconds = moment - *first;
    if (seconds <= last) return ok();
    step = seconds - std::max(last, 0.0);
    last = seconds;
    TWINSIFT_TRY(PictureFrame picture, shrinker.shrink(frame));
    return take(seconds, quarters == 0 ? std::move(picture) : turned(picture, quarters));
  }));
  if (!first) return Error{ErrorCode::kCorrupt, "there are no pictures in it"};
  return last + step;
}

Result<double> decode_thinned(Source& source, double rate, const TakeFrame& take) {
  Thinner thinner(rate, take);
  TWINSIFT_TRY(const double last, decode_film(source, [&](double seconds, PictureFrame frame) {
                 return thinner.add(seconds, std::move(frame));
               }));
  TWINSIFT_TRY([[maybe_unused]] auto rest, thinner.pass_until(last));
  return last;
}

PictureFrame scaled(const PictureFrame& frame, std::size_t height) {
  PictureFrame in = frame;
  PictureFrame out(even(static_cast<double>(frame.width()) * static_cast<double>(height) /
                        static_cast<double>(frame.height())),
                   even(static_cast<double>(height)));
  const ScalerHandle scaler(sws_getContext(
      static_cast<int>(in.width()), static_cast<int>(in.height()), AV_PIX_FMT_YUV420P,
      static_cast<int>(out.width()), static_cast<int>(out.height()), AV_PIX_FMT_YUV420P,
      SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT, nullptr, nullptr, nullptr));
  if (!scaler) throw std::bad_alloc();
  Layout from(in);
  Layout to(out);
  sws_scale(scaler.get(), from.data.data(), from.lines.data(), 0, static_cast<int>(in.height()),
            to.data.data(), to.lines.data());
  return out;
}

Status FilmFile::start(const PictureFrame& first) {
  TWINSIFT_TRY(writer_, Writer::make("matroska"));
  TWINSIFT_TRY(codec_, writer_->encoder(kEncoders[static_cast<std::size_t>(format_)]));
  codec_->width = static_cast<int>(first.width());
  codec_->height = static_cast<int>(first.height());
  codec_->pix_fmt = AV_PIX_FMT_YUV420P;
  codec_->time_base = {1, kTicks};
  codec_->framerate = {25, 1};  // x264 weighs frames by how long they are shown
  codec_->gop_size = 250;
  codec_->max_b_frames = 0;
  AVDictionary* options = nullptr;
  if (format_ == FilmFormat::kH264) {
    av_dict_set_int(&options, "crf", quality_, 0);
    av_dict_set(&options, "preset", "superfast", 0);
  } else {
    codec_->flags |= AV_CODEC_FLAG_QSCALE;
    codec_->global_quality = FF_QP2LAMBDA * quality_;
  }
  auto added = writer_->add(*codec_, &options);
  av_dict_free(&options);
  TWINSIFT_TRY(stream_, std::move(added));
  std::optional<SoundStream> sound;
  if (sound_.length() > 0) {
    TWINSIFT_TRY(sound, SoundStream::add(*writer_, sound_, SoundFormat::kMp2, kSoundKilobits));
  }
  TWINSIFT_TRY([[maybe_unused]] auto begun, writer_->begin());
  if (sound) {
    TWINSIFT_TRY([[maybe_unused]] auto written, sound->write(*writer_));
  }
  return ok();
}

Status FilmFile::add(double seconds, const PictureFrame& frame) {
  const auto tick = static_cast<std::int64_t>(std::llround(seconds * kTicks));
  if (tick <= last_) return ok();  // two frames within a millisecond
  if (!writer_) {
    TWINSIFT_TRY([[maybe_unused]] auto started, start(frame));
  }
  if (static_cast<int>(frame.width()) != codec_->width ||
      static_cast<int>(frame.height()) != codec_->height) {
    return Error{ErrorCode::kUnsupported, "the film changes its size on the way"};
  }
  last_ = tick;
  const FrameHandle out(av_frame_alloc());
  if (!out) throw std::bad_alloc();
  out->format = codec_->pix_fmt;
  out->width = codec_->width;
  out->height = codec_->height;
  out->pts = tick;
  if (codec_->codec_id == AV_CODEC_ID_MPEG4) out->quality = codec_->global_quality;
  if (av_frame_get_buffer(out.get(), 0) < 0) throw std::bad_alloc();
  fill(*out, frame);
  return writer_->write(*codec_, stream_, out.get());
}

Result<std::string> FilmFile::finish() {
  if (!writer_) return Error{ErrorCode::kCorrupt, "no picture is left of it"};
  TWINSIFT_TRY([[maybe_unused]] auto written, writer_->write(*codec_, stream_, nullptr));
  return writer_->finish();
}

}  // namespace twinsift
