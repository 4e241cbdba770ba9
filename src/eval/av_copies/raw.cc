// SPDX-License-Identifier: Apache-2.0
#include "eval/av_copies/raw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include "eval/av_copies/copy_wire.h"
#include "eval/av_copies/film_file.h"
#include "eval/av_copies/sound_file.h"

namespace twinsift {
namespace {

// Brings frames to RGB at one small size, that of the first.
class Reducer {
 public:
  void add(PictureFrame frame, RawFrames& out) {
    if (out.width == 0) set_size(frame, out);
    const int width = static_cast<int>(out.width);
    const int height = static_cast<int>(out.height);
    scaler_.reset(sws_getCachedContext(
        scaler_.release(), static_cast<int>(frame.width()), static_cast<int>(frame.height()),
        AV_PIX_FMT_YUV420P, width, height, AV_PIX_FMT_RGB24,
        SWS_AREA | SWS_ACCURATE_RND | SWS_BITEXACT, nullptr, nullptr, nullptr));
    if (!scaler_) throw std::bad_alloc();
    // The scaler writes whole vectors, beyond the end of a row.
    const int line = (3 * width + 127) / 64 * 64;
    std::vector<std::uint8_t> rows(static_cast<std::size_t>(line) * out.height);
    std::array<std::uint8_t*, 4> from = {};
    std::array<int, 4> from_lines = {};
    for (std::size_t p = 0; p < 3; ++p) {
      from[p] = frame.planes[p].bytes.data();
      from_lines[p] = static_cast<int>(frame.planes[p].width);
    }
    const std::array<std::uint8_t*, 4> to = {rows.data()};
    const std::array<int, 4> to_lines = {line};
    sws_scale(scaler_.get(), from.data(), from_lines.data(), 0, static_cast<int>(frame.height()),
              to.data(), to_lines.data());
    for (int y = 0; y < height; ++y) {
      out.pixels.append(reinterpret_cast<const char*>(rows.data()) + y * line,
                        3 * static_cast<std::size_t>(width));
    }
  }

 private:
  static void set_size(const PictureFrame& frame, RawFrames& out) {
    const double factor =
        double{kRawSide} / static_cast<double>(std::max(frame.width(), frame.height()));
    const auto side = [&](std::size_t pixels) {
      const auto scaled = std::lround(factor * static_cast<double>(pixels));
      return static_cast<std::uint32_t>(std::max(scaled, 1L));
    };
    out.width = side(frame.width());
    out.height = side(frame.height());
  }

  ScalerHandle scaler_;
};

}  // namespace

Result<std::string> raw_samples(std::span<const std::byte> recording) {
  TWINSIFT_TRY(Source source, Source::open(recording));
  TWINSIFT_TRY(const Sound sound, decode_sound(source, kMostRawSeconds));
  TWINSIFT_TRY(const Sound raw, resampled(mono(sound), kCopyRate, kRawRate));
  if (raw.channels.empty()) return std::string();
  const auto bytes = std::as_bytes(std::span(raw.channels[0]));
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Result<RawFrames> raw_frames(std::span<const std::byte> recording) {
  TWINSIFT_TRY(Source source, Source::open(recording));
  RawFrames out;
  Reducer reducer;
  TWINSIFT_TRY([[maybe_unused]] const double last,
               decode_thinned(source, kRawFrameRate, [&](double seconds, PictureFrame frame) {
                 if (seconds < kMostRawSeconds) reducer.add(std::move(frame), out);
                 return ok();
               }));
  return out;
}

}  // namespace twinsift
