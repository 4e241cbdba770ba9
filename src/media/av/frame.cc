// SPDX-License-Identifier: Apache-2.0
#include "media/av/frame.h"

#include <algorithm>
#include <cstring>

#include "base/simd.h"
#include "media/image/orient.h"

namespace twinsift {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& pixels) {
  return {reinterpret_cast<const std::uint8_t*>(pixels.data()), pixels.size()};
}

// Films that do not say use the range of television, but grey ones all values.
bool is_full_range(const AVFrame& frame) {
  switch (frame.format) {
    case AV_PIX_FMT_YUVJ411P:
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ440P:
    case AV_PIX_FMT_YUVJ444P:
      return true;
    case AV_PIX_FMT_GRAY8:
      return frame.color_range != AVCOL_RANGE_MPEG;
    default:
      return frame.color_range == AVCOL_RANGE_JPEG;
  }
}

// The luma of television, 16 to 235, as 0 to 255: ((v - 16) * 255 + 109) / 219, the division as a
// product, all in 16 bits, which every processor does to many pixels at once.
constexpr std::uint8_t full_range_of(std::uint8_t luma) {
  const auto above = static_cast<std::uint16_t>(std::clamp<std::uint8_t>(luma, 16, 235) - 16);
  const auto wide = static_cast<std::uint16_t>(above * 255 + 109);
  const auto product = static_cast<std::uint16_t>(std::uint32_t{wide} * 38305 >> 16U);
  return static_cast<std::uint8_t>(product >> 7U);
}
static_assert([] {
  for (int i = 0; i < 256; ++i) {
    const int plain = i <= 16 ? 0 : std::min(((i - 16) * 255 + 109) / 219, 255);
    if (full_range_of(static_cast<std::uint8_t>(i)) != plain) return false;
  }
  return true;
}());

// Bits of the luma samples if the first plane is nothing but them, low byte first; else 0.
int depth_of_luma_plane(const AVPixFmtDescriptor& format) {
  constexpr std::uint64_t kOther = AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL |
                                   AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL |
                                   AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_FLOAT;
  const AVComponentDescriptor& luma = format.comp[0];
  if ((format.flags & kOther) != 0 || luma.plane != 0 || luma.offset != 0) return 0;
  if (luma.depth == 8 && luma.step == 1 && luma.shift == 0) return 8;
  const bool wide = luma.depth > 8 && luma.depth <= 16 && luma.step == 2;
  return wide ? luma.depth + luma.shift : 0;
}

[[gnu::always_inline]] inline void widen_all(const std::uint8_t* in, std::span<std::uint8_t> out) {
  for (std::size_t x = 0; x < out.size(); ++x) out[x] = full_range_of(in[x]);
}
void widen_scalar(const std::uint8_t* in, std::span<std::uint8_t> out) { widen_all(in, out); }
#if defined(__x86_64__)
TWINSIFT_AVX2 void widen_avx2(const std::uint8_t* in, std::span<std::uint8_t> out) {
  widen_all(in, out);
}
#endif
void widen(const std::uint8_t* in, std::span<std::uint8_t> out) {
  TWINSIFT_DISPATCH(widen, in, out);
}

void copy_row(const std::uint8_t* in, int depth, bool full_range, std::span<std::uint8_t> out) {
  if (depth == 8) {
    if (!full_range) return widen(in, out);
    std::memcpy(out.data(), in, out.size());
  } else {
    for (std::size_t x = 0; x < out.size(); ++x) {
      const unsigned sample = in[2 * x] | (static_cast<unsigned>(in[2 * x + 1]) << 8U);
      out[x] = static_cast<std::uint8_t>(sample >> static_cast<unsigned>(depth - 8));
    }
  }
  if (!full_range) widen(out.data(), out);
}

constexpr std::size_t kPadding = 64;  // the scaler may write whole vectors

struct Size {
  int width = 0;
  int height = 0;
};

Size fitted(const AVFrame& frame, unsigned side) {
  const int longest = std::max(frame.width, frame.height);
  const int wanted = std::min(longest, static_cast<int>(side));
  const auto scaled = [&](int length) {
    return static_cast<int>(std::max<std::int64_t>(std::int64_t{length} * wanted / longest, 1));
  };
  return {scaled(frame.width), scaled(frame.height)};
}

}  // namespace

Frame FrameConverter::convert(const AVFrame& frame, const FrameWishes& wishes) {
  Frame result;
  if (frame.width <= 0 || frame.height <= 0) return result;
  const bool swap = swaps_sides(wishes.orientation);
  const auto turned = [&](std::string& pixels, Size size, unsigned channels) {
    const PixelSize stored = {static_cast<std::uint32_t>(size.width),
                              static_cast<std::uint32_t>(size.height), channels};
    if (wishes.orientation != 1) {
      pixels = oriented(std::move(pixels), stored, wishes.orientation);
    }
    return swap ? PixelSize{stored.rows, stored.columns, channels} : stored;
  };
  const Size whole = {frame.width, frame.height};
  if (wishes.luma &&
      (copy_luma(frame) || scale(frame, AV_PIX_FMT_GRAY8, whole.width, whole.height, grey_))) {
    const PixelSize size = turned(grey_, whole, 1);
    result.luma = {bytes_of(grey_), size.columns, size.rows};
  }
  if (wishes.colour_side == 0) return result;
  const Size small = fitted(frame, wishes.colour_side);
  if (scale(frame, AV_PIX_FMT_RGB24, small.width, small.height, colour_)) {
    const PixelSize size = turned(colour_, small, 3);
    result.colour = {bytes_of(colour_), size.columns, size.rows};
  }
  return result;
}

bool FrameConverter::copy_luma(const AVFrame& frame) {
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  const int depth = format != nullptr ? depth_of_luma_plane(*format) : 0;
  if (depth == 0) return false;
  const bool full_range = is_full_range(frame);
  const auto width = static_cast<std::size_t>(frame.width);
  grey_.resize(width * static_cast<std::size_t>(frame.height));
  auto* out = reinterpret_cast<std::uint8_t*>(grey_.data());
  for (int y = 0; y < frame.height; ++y, out += width) {
    copy_row(frame.data[0] + std::ptrdiff_t{y} * frame.linesize[0], depth, full_range,
             {out, width});
  }
  return true;
}

bool FrameConverter::scale(const AVFrame& frame, AVPixelFormat format, int width, int height,
                           std::string& out) {
  ScalerPtr& scaler = format == AV_PIX_FMT_GRAY8 ? to_grey_ : to_colour_;
  const int flags = SWS_AREA | SWS_ACCURATE_RND | SWS_BITEXACT;
  scaler.reset(sws_getCachedContext(scaler.release(), frame.width, frame.height,
                                    static_cast<AVPixelFormat>(frame.format), width, height, format,
                                    flags, nullptr, nullptr, nullptr));
  if (!scaler) return false;
  const int* matrix =
      sws_getCoefficients(frame.colorspace == AVCOL_SPC_BT709 ? SWS_CS_ITU709 : SWS_CS_DEFAULT);
  sws_setColorspaceDetails(scaler.get(), matrix, is_full_range(frame) ? 1 : 0,
                           sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
  const int channels = format == AV_PIX_FMT_GRAY8 ? 1 : 3;
  const std::size_t size =
      static_cast<std::size_t>(width) * static_cast<std::size_t>(height * channels);
  out.resize(size + kPadding);
  auto* data = reinterpret_cast<std::uint8_t*>(out.data());
  const int stride = width * channels;
  const int rows =
      sws_scale(scaler.get(), frame.data, frame.linesize, 0, frame.height, &data, &stride);
  out.resize(size);
  return rows == height;
}

}  // namespace twinsift
