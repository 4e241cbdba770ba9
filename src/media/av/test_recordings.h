// SPDX-License-Identifier: Apache-2.0
// Small recordings for tests, written by libav's encoders.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "base/fd.h"
#include "media/av/libav.h"

namespace twinsift {

struct TestFilm {
  AVCodecID codec = AV_CODEC_ID_MPEG4;
  int width = 64;
  int height = 48;
  int frames = 25;
  int rate = 25;  // in a second
  // When a frame is shown, in 1/rate seconds.
  std::function<std::int64_t(int)> time = [](int i) { return i; };
  // The luma of a pixel, in the range of television.
  std::function<int(int frame, int x, int y)> luma = [](int i, int, int) { return 40 + 4 * i; };
  int b_frames = 0;     // on which no other depends, between two others
  double rotation = 0;  // clockwise, of the display matrix
  int disposition = AV_DISPOSITION_DEFAULT;
  AVPixelFormat format = AV_PIX_FMT_YUV420P;
};

struct TestSound {
  AVCodecID codec = AV_CODEC_ID_PCM_S16LE;
  int rate = 44100;
  int channels = 1;
  double seconds = 1;
  double begins = 0;
  // The value of a sample, -1 to 1.
  std::function<double(double seconds, int channel)> wave = [](double t, int) {
    return 0.5 * std::sin(2 * std::numbers::pi * 440 * t);
  };
  std::function<double(double)> stamp = [](double t) { return t; };  // what a packet claims
  int disposition = AV_DISPOSITION_DEFAULT;
};

struct TestRecording {
  const char* container = "matroska";
  std::vector<TestFilm> films = {};
  std::vector<TestSound> sounds = {};
  std::vector<std::pair<std::string, std::string>> tags = {};
  std::vector<std::pair<std::string, std::string>> options = {};  // of the container's writer
};

inline void must(int code) {
  if (code < 0) throw std::runtime_error("libav cannot write the test's recording");
}

class RecordingWriter {
 public:
  explicit RecordingWriter(const TestRecording& recording) {
    AVFormatContext* format = nullptr;
    must(avformat_alloc_output_context2(&format, nullptr, recording.container, nullptr));
    format_.reset(format);
    must(avio_open_dyn_buf(&format_->pb));
    for (const auto& [name, value] : recording.tags) {
      av_dict_set(&format_->metadata, name.c_str(), value.c_str(), 0);
    }
    for (const TestFilm& film : recording.films) add_stream(film);
    for (const TestSound& sound : recording.sounds) add_stream(sound);
    AVDictionary* options = nullptr;
    for (const auto& [name, value] : recording.options) {
      av_dict_set(&options, name.c_str(), value.c_str(), 0);
    }
    const int begun = avformat_write_header(format_.get(), &options);
    av_dict_free(&options);
    must(begun);
    std::size_t stream = 0;
    for (const TestFilm& film : recording.films) write(film, stream++);
    for (const TestSound& sound : recording.sounds) write(sound, stream++);
    must(av_write_trailer(format_.get()));
    std::uint8_t* data = nullptr;
    const int size = avio_close_dyn_buf(format_->pb, &data);
    format_->pb = nullptr;
    bytes_.assign(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
    av_free(data);
  }
  std::string bytes() && { return std::move(bytes_); }

 private:
  CodecPtr& new_codec(AVCodecID id) {
    codecs_.emplace_back(not_null(avcodec_alloc_context3(not_null(avcodec_find_encoder(id)))));
    if ((format_->oformat->flags & AVFMT_GLOBALHEADER) != 0) {
      codecs_.back()->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    }
    codecs_.back()->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL;
    return codecs_.back();
  }
  AVStream* new_stream(CodecPtr& codec, int disposition) {
    must(avcodec_open2(codec.get(), nullptr, nullptr));
    AVStream* stream = not_null(avformat_new_stream(format_.get(), nullptr));
    must(avcodec_parameters_from_context(stream->codecpar, codec.get()));
    stream->time_base = codec->time_base;
    stream->disposition = disposition;
    return stream;
  }
  void add_stream(const TestFilm& film) {
    CodecPtr& codec = new_codec(film.codec);
    codec->width = film.width;
    codec->height = film.height;
    codec->time_base = {1, film.rate};
    codec->framerate = {film.rate, 1};
    codec->pix_fmt = film.format;
    codec->max_b_frames = film.b_frames;
    codec->flags |= AV_CODEC_FLAG_QSCALE;
    codec->global_quality = 2 * FF_QP2LAMBDA;
    AVStream* stream = new_stream(codec, film.disposition);
    stream->avg_frame_rate = codec->framerate;
    if (film.rotation != 0) {
      auto* matrix = reinterpret_cast<std::int32_t*>(
          av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(std::int32_t)));
      av_display_rotation_set(not_null(matrix), film.rotation);
    }
  }
  void add_stream(const TestSound& sound) {
    CodecPtr& codec = new_codec(sound.codec);
    codec->sample_rate = sound.rate;
    codec->time_base = {1, sound.rate};
    codec->sample_fmt = codec->codec->sample_fmts[0];
    codec->bit_rate = 128000;
    av_channel_layout_default(&codec->ch_layout, sound.channels);
    new_stream(codec, sound.disposition);
  }
  void write(const TestFilm& film, std::size_t stream) {
    for (int i = 0; i < film.frames; ++i) {
      const FramePtr frame(not_null(av_frame_alloc()));
      frame->width = film.width;
      frame->height = film.height;
      frame->format = film.format;
      must(av_frame_get_buffer(frame.get(), 0));
      for (int plane = 0; plane < 3 && frame->data[plane] != nullptr; ++plane) {
        const int rows = plane == 0 ? film.height : film.height / 2;
        std::fill_n(frame->data[plane], frame->linesize[plane] * rows, std::uint8_t{128});
      }
      for (int y = 0; y < film.height; ++y) {
        for (int x = 0; x < film.width; ++x) {
          frame->data[0][y * frame->linesize[0] + x] =
              static_cast<std::uint8_t>(film.luma(i, x, y));
        }
      }
      frame->pts = film.time(i);
      encode(frame.get(), stream);
    }
    encode(nullptr, stream);
  }
  void write(const TestSound& sound, std::size_t stream) {
    const AVCodecContext& codec = *codecs_[stream];
    const int most = codec.frame_size > 0 ? codec.frame_size : 1024;
    const int total = static_cast<int>(sound.seconds * sound.rate);
    for (int first = 0; first < total; first += most) {
      const FramePtr frame(not_null(av_frame_alloc()));
      frame->nb_samples = std::min(most, total - first);
      frame->format = codec.sample_fmt;
      frame->sample_rate = sound.rate;
      must(av_channel_layout_copy(&frame->ch_layout, &codec.ch_layout));
      must(av_frame_get_buffer(frame.get(), 0));
      for (int i = 0; i < frame->nb_samples; ++i) {
        const double t = static_cast<double>(first + i) / sound.rate;
        for (int c = 0; c < sound.channels; ++c) put(*frame, i, c, sound.wave(t, c));
      }
      const double time = sound.begins + sound.stamp(static_cast<double>(first) / sound.rate);
      frame->pts = std::llround(time * sound.rate);
      encode(frame.get(), stream);
    }
    encode(nullptr, stream);
  }
  static void put(AVFrame& frame, int i, int c, double value) {
    const auto format = static_cast<AVSampleFormat>(frame.format);
    const bool planar = av_sample_fmt_is_planar(format) != 0;
    const int at = planar ? i : i * frame.ch_layout.nb_channels + c;
    std::uint8_t* plane = frame.extended_data[planar ? c : 0];
    switch (av_get_packed_sample_fmt(format)) {
      case AV_SAMPLE_FMT_S16:
        reinterpret_cast<std::int16_t*>(plane)[at] = static_cast<std::int16_t>(value * 32767);
        break;
      case AV_SAMPLE_FMT_FLT:
        reinterpret_cast<float*>(plane)[at] = static_cast<float>(value);
        break;
      default:
        must(-1);
    }
  }
  void encode(const AVFrame* frame, std::size_t stream) {
    AVCodecContext* codec = codecs_[stream].get();
    must(avcodec_send_frame(codec, frame));
    const PacketPtr packet(not_null(av_packet_alloc()));
    while (avcodec_receive_packet(codec, packet.get()) >= 0) {
      const AVStream* out = format_->streams[stream];
      av_packet_rescale_ts(packet.get(), codec->time_base, out->time_base);
      packet->stream_index = out->index;
      must(av_interleaved_write_frame(format_.get(), packet.get()));
    }
  }

  struct FreeOutput {
    void operator()(AVFormatContext* format) const { avformat_free_context(format); }
  };
  std::unique_ptr<AVFormatContext, FreeOutput> format_;
  std::vector<CodecPtr> codecs_;
  std::string bytes_;
};

inline std::string make_recording(const TestRecording& recording) {
  silence_libav();
  return RecordingWriter(recording).bytes();
}

// The bytes as an open file without a name.
inline Fd file_of(std::string_view bytes) {
  Fd file(memfd_create("recording", MFD_CLOEXEC));
  if (!file || !write_all(file.get(), bytes, "recording")) must(-1);
  return file;
}

}  // namespace twinsift
