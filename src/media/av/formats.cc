// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include "media/av/describe.h"

namespace twinsift {
namespace {

struct Known {
  const char* name;
  AVCodecID codec;
};

constexpr std::array kFilm = {
    Known{"H.264", AV_CODEC_ID_H264},        Known{"HEVC", AV_CODEC_ID_HEVC},
    Known{"VP8", AV_CODEC_ID_VP8},           Known{"VP9", AV_CODEC_ID_VP9},
    Known{"AV1", AV_CODEC_ID_AV1},           Known{"MPEG-1/2", AV_CODEC_ID_MPEG2VIDEO},
    Known{"MPEG-4", AV_CODEC_ID_MPEG4},      Known{"WMV", AV_CODEC_ID_WMV3},
    Known{"Theora", AV_CODEC_ID_THEORA},     Known{"ProRes", AV_CODEC_ID_PRORES},
    Known{"Motion JPEG", AV_CODEC_ID_MJPEG},
};
constexpr std::array kSound = {
    Known{"MP3", AV_CODEC_ID_MP3},
    Known{"AAC", AV_CODEC_ID_AAC},
    Known{"Opus", AV_CODEC_ID_OPUS},
    Known{"Vorbis", AV_CODEC_ID_VORBIS},
    Known{"FLAC", AV_CODEC_ID_FLAC},
    Known{"ALAC", AV_CODEC_ID_ALAC},
    Known{"WMA", AV_CODEC_ID_WMAV2},
    Known{"AC-3", AV_CODEC_ID_AC3},
    Known{"DTS", AV_CODEC_ID_DTS},
    Known{"WavPack", AV_CODEC_ID_WAVPACK},
    Known{"Monkey's Audio", AV_CODEC_ID_APE},
    Known{"PCM", AV_CODEC_ID_PCM_S16LE},
    Known{"AMR", AV_CODEC_ID_AMR_NB},
};

std::string version_of(const char* name, unsigned version) {
  return fmt::format("{} {}.{}.{}", name, AV_VERSION_MAJOR(version), AV_VERSION_MINOR(version),
                     AV_VERSION_MICRO(version));
}

void append(std::vector<Fact>& facts, std::span<const Known> codecs) {
  for (const auto& [name, codec] : codecs) {
    const AVCodec* decoder = avcodec_find_decoder(codec);
    facts.emplace_back(name, decoder != nullptr ? decoder->name : "");
  }
}

}  // namespace

std::vector<Fact> recording_formats() {
  std::vector<Fact> facts = {
      {"libraries", fmt::format("{}, {}", version_of("libavformat", avformat_version()),
                                version_of("libavcodec", avcodec_version()))}};
  append(facts, kFilm);
  append(facts, kSound);
  return facts;
}

}  // namespace twinsift
