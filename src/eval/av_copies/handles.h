// SPDX-License-Identifier: Apache-2.0
// Owners of what libav allocates, and its errors as ours.
#pragma once

#include <memory>
#include <string_view>

#include <fmt/format.h>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
}

#include "twinsift/result.h"

namespace twinsift {

struct AvDeleter {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(AVCodecContext* codec) const { avcodec_free_context(&codec); }
  void operator()(SwrContext* resampler) const { swr_free(&resampler); }
  void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
};

using FrameHandle = std::unique_ptr<AVFrame, AvDeleter>;
using PacketHandle = std::unique_ptr<AVPacket, AvDeleter>;
using CodecHandle = std::unique_ptr<AVCodecContext, AvDeleter>;
using ResamplerHandle = std::unique_ptr<SwrContext, AvDeleter>;
using ScalerHandle = std::unique_ptr<SwsContext, AvDeleter>;

inline Error av_error(std::string_view what, int code) {
  char text[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(code, text, sizeof(text));
  return {ErrorCode::kCorrupt, fmt::format("{}: {}", what, text)};
}

inline Error no_encoder(std::string_view name) {
  return {ErrorCode::kNotFound, fmt::format("there is no encoder {}", name)};
}

}  // namespace twinsift
