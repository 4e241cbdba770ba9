// SPDX-License-Identifier: Apache-2.0
#include "media/av/source.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace twinsift {
namespace {

using std::string_view_literals::operator""sv;

// More than any broadcast carries; opening each of 100,000 would take minutes.
constexpr int kMostStreams = 256;
constexpr std::int64_t kMostPixels = std::int64_t{1} << 26;  // 8192 x 8192
constexpr std::int64_t kProbedBytes = 5 << 20;

// The containers of recognise_recording(): no playlists, no series of pictures, no modules.
constexpr const char* kContainers =
    "aac,ac3,aiff,amr,amrnb,amrwb,ape,asf,asf_o,au,avi,caf,dsf,dts,eac3,flac,flv,iff,ivf,"
    "matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mp3,mpc,mpc8,mpeg,mpegts,mpegvideo,mxf,ogg,rm,tta,voc,"
    "w64,wav,wv";

int refuse_to_open(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) {
  return AVERROR(EACCES);
}

FormatPtr make_format(const FileIo& io) {
  FormatPtr format(not_null(avformat_alloc_context()));
  format->pb = io.context();
  format->io_open = refuse_to_open;
  format->flags |= AVFMT_FLAG_CUSTOM_IO;
  format->probesize = kProbedBytes;
  format->max_streams = kMostStreams;
  av_opt_set(format.get(), "format_whitelist", kContainers, 0);
  av_opt_set(format.get(), "protocol_whitelist", "none", 0);
  return format;
}

// Cover art and thumbnails show what the recording does not.
bool is_still(const AVStream& stream) {
  constexpr int kStill =
      AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_STILL_IMAGE | AV_DISPOSITION_TIMED_THUMBNAILS;
  return (stream.disposition & kStill) != 0;
}

bool is_encrypted(const AVStream& stream) {
  constexpr std::array kTags = {"encv"sv, "enca"sv, "drms"sv, "drmi"sv};
  const std::uint32_t tag = stream.codecpar->codec_tag;
  const std::array<char, 4> letters = {static_cast<char>(tag), static_cast<char>(tag >> 8U),
                                       static_cast<char>(tag >> 16U),
                                       static_cast<char>(tag >> 24U)};
  return std::ranges::find(kTags, std::string_view(letters.data(), 4)) != kTags.end() ||
         av_stream_get_side_data(&stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, nullptr) != nullptr;
}

// What players would play: the default first, then the one that has more.
auto rank(const AVStream& stream) {
  const AVCodecParameters& codec = *stream.codecpar;
  const std::int64_t pixels = std::int64_t{codec.width} * codec.height;
  return std::tuple((stream.disposition & AV_DISPOSITION_DEFAULT) != 0,
                    codec.codec_type == AVMEDIA_TYPE_VIDEO ? pixels : codec.ch_layout.nb_channels,
                    -stream.index);
}

AVStream* choose(Source& source, AVMediaType type) {
  AVStream* best = nullptr;
  for (unsigned i = 0; i < source.format->nb_streams; ++i) {
    AVStream* stream = source.format->streams[i];
    if (stream->codecpar->codec_type != type || is_still(*stream)) continue;
    if (avcodec_find_decoder(stream->codecpar->codec_id) == nullptr) {
      if (source.unknown == nullptr) source.unknown = stream;
    } else if (best == nullptr || rank(*stream) > rank(*best)) {
      best = stream;
    }
  }
  return best;
}

Error nothing_to_decode(const Source& source) {
  if (source.unknown != nullptr) {
    if (is_encrypted(*source.unknown)) return {ErrorCode::kUnsupported, "encrypted"};
    return {ErrorCode::kUnsupported,
            fmt::format("unusual: there is no decoder for {}", codec_name(*source.unknown))};
  }
  const bool cover = source.format->nb_streams > 0;
  return {cover ? ErrorCode::kUnsupported : ErrorCode::kCorrupt,
          cover ? "nothing to hear or see: it has neither sound nor film"
                : "damaged: it has no streams"};
}

Status choose_streams(Source& source) {
  source.sound = choose(source, AVMEDIA_TYPE_AUDIO);
  source.film = choose(source, AVMEDIA_TYPE_VIDEO);
  std::optional<double> start;
  for (unsigned i = 0; i < source.format->nb_streams; ++i) {
    const AVStream* stream = source.format->streams[i];
    const bool chosen = stream == source.sound || stream == source.film;
    if (chosen && is_encrypted(*stream)) return Error{ErrorCode::kUnsupported, "encrypted"};
    const auto begin = to_seconds(stream->start_time, stream->time_base);
    if (chosen && begin) start = std::min(start.value_or(*begin), *begin);
  }
  source.start = start.value_or(0);
  read_only(source, source.sound, source.film);
  if (source.sound == nullptr && source.film == nullptr) return nothing_to_decode(source);
  return ok();
}

Error opening_error(const FileIo& io, int code, std::string_view what) {
  if (const auto error = io.error()) return *error;
  if (had_too_many_streams()) {
    return {ErrorCode::kLimit, fmt::format("too many streams: more than {}", kMostStreams)};
  }
  return libav_error(code, what);
}

}  // namespace

Result<std::unique_ptr<Source>> open_source(int file, std::uint64_t size) {
  silence_libav();
  auto source = std::make_unique<Source>(file, size);
  source->format = make_format(source->io);
  AVFormatContext* format = source->format.release();
  if (const int code = avformat_open_input(&format, nullptr, nullptr, nullptr); code < 0) {
    return opening_error(source->io, code, "its container");  // which has been freed
  }
  source->format.reset(format);
  if (const int code = avformat_find_stream_info(format, nullptr); code < 0) {
    return opening_error(source->io, code, "its streams");
  }
  TWINSIFT_TRY([[maybe_unused]] auto chosen, choose_streams(*source));
  return source;
}

void read_only(const Source& source, const AVStream* one, const AVStream* other) {
  for (unsigned i = 0; i < source.format->nb_streams; ++i) {
    AVStream* stream = source.format->streams[i];
    stream->discard = stream == one || stream == other ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
}

std::string codec_name(const AVStream& stream) {
  const AVCodecParameters& codec = *stream.codecpar;
  if (codec.codec_id != AV_CODEC_ID_NONE) return avcodec_get_name(codec.codec_id);
  if (codec.codec_tag == 0) return "an unknown codec";
  std::array<char, AV_FOURCC_MAX_STRING_SIZE> letters = {};
  return av_fourcc_make_string(letters.data(), codec.codec_tag);
}

Result<CodecPtr> open_codec(const AVStream& stream) {
  const AVCodec* decoder = avcodec_find_decoder(stream.codecpar->codec_id);
  CodecPtr codec(not_null(avcodec_alloc_context3(decoder)));
  if (const int code = avcodec_parameters_to_context(codec.get(), stream.codecpar); code < 0) {
    return libav_error(code, avcodec_get_name(stream.codecpar->codec_id));
  }
  codec->thread_count = 1;
  codec->pkt_timebase = stream.time_base;
  codec->max_pixels = kMostPixels;
  if (const int code = avcodec_open2(codec.get(), decoder, nullptr); code < 0) {
    return libav_error(code, avcodec_get_name(stream.codecpar->codec_id));
  }
  return codec;
}

}  // namespace twinsift
