// SPDX-License-Identifier: Apache-2.0
// libav's handles as values that free themselves, and its errors as ours.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
}

#include "twinsift/result.h"

namespace twinsift {

template <auto Free>
struct FreeByAddress {
  template <class T>
  void operator()(T* handle) const {
    Free(&handle);
  }
};
using FormatPtr = std::unique_ptr<AVFormatContext, FreeByAddress<avformat_close_input>>;
using CodecPtr = std::unique_ptr<AVCodecContext, FreeByAddress<avcodec_free_context>>;
using PacketPtr = std::unique_ptr<AVPacket, FreeByAddress<av_packet_free>>;
using FramePtr = std::unique_ptr<AVFrame, FreeByAddress<av_frame_free>>;
using ResamplerPtr = std::unique_ptr<SwrContext, FreeByAddress<swr_free>>;
struct FreeScaler {
  void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
};
using ScalerPtr = std::unique_ptr<SwsContext, FreeScaler>;

// The macros of libav are casts in the style of C.
inline constexpr std::int64_t kNoTimestamp = std::numeric_limits<std::int64_t>::min();

inline std::optional<double> to_seconds(std::int64_t timestamp, AVRational base) {
  if (timestamp == kNoTimestamp || base.num <= 0 || base.den <= 0) return std::nullopt;
  return static_cast<double>(timestamp) * base.num / base.den;
}

// What libav could not allocate is the limit on memory: throws std::bad_alloc.
void throw_if_no_memory(int code);
template <class T>
T* not_null(T* handle) {
  if (handle == nullptr) throw_if_no_memory(AVERROR(ENOMEM));
  return handle;
}

// "damaged: WHAT: invalid data found when processing input"; throws as above.
Error libav_error(int code, std::string_view what);

// libav prints nothing from here on.
void silence_libav();

// libav calls it want of memory if a file has more streams than it may.  True if that was the
// reason for an error since the last call, on any thread.
bool had_too_many_streams();

}  // namespace twinsift
