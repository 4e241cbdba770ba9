// SPDX-License-Identifier: Apache-2.0
#include "eval/av_copies/writer.h"

#include <algorithm>
#include <new>

namespace twinsift {
namespace {

constexpr int kBuffer = 1 << 16;

// Muxers go back to fill in lengths and indexes.
struct Memory {
  std::string bytes;
  std::size_t place = 0;

  static int write(void* self, std::uint8_t* from, int count) {
    auto& memory = *static_cast<Memory*>(self);
    const auto size = static_cast<std::size_t>(count);
    memory.bytes.resize(std::max(memory.bytes.size(), memory.place + size));
    std::copy_n(from, size, memory.bytes.begin() + static_cast<std::ptrdiff_t>(memory.place));
    memory.place += size;
    return count;
  }
  static std::int64_t seek(void* self, std::int64_t offset, int whence) {
    auto& memory = *static_cast<Memory*>(self);
    const auto size = static_cast<std::int64_t>(memory.bytes.size());
    if (whence == AVSEEK_SIZE) return size;
    if (whence == SEEK_CUR) offset += static_cast<std::int64_t>(memory.place);
    if (whence == SEEK_END) offset += size;
    if (offset < 0 || offset > size) return AVERROR(EINVAL);
    memory.place = static_cast<std::size_t>(offset);
    return offset;
  }
};

}  // namespace

struct Writer::State {
  State() = default;
  ~State() {
    avformat_free_context(format);
    if (io != nullptr) av_freep(&io->buffer);
    avio_context_free(&io);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Memory memory;
  AVIOContext* io = nullptr;
  AVFormatContext* format = nullptr;
  PacketHandle packet{av_packet_alloc()};
};

Writer::Writer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() = default;

Result<Writer> Writer::make(const char* container) {
  auto state = std::make_unique<State>();
  const int code = avformat_alloc_output_context2(&state->format, nullptr, container, nullptr);
  if (code < 0) return Error{ErrorCode::kUnsupported, fmt::format("no files of {}", container)};
  auto* buffer = static_cast<std::uint8_t*>(av_malloc(kBuffer));
  state->io =
      avio_alloc_context(buffer, kBuffer, 1, &state->memory, nullptr, Memory::write, Memory::seek);
  if (buffer == nullptr || state->io == nullptr) throw std::bad_alloc();
  state->format->pb = state->io;
  // Neither the moment nor the version of the library: equal copies shall be equal bytes.
  state->format->flags |= AVFMT_FLAG_BITEXACT;
  // A stream may be written as a whole before the next one begins.
  state->format->max_interleave_delta = 0;
  return Writer(std::move(state));
}

Result<CodecHandle> Writer::encoder(const char* name) {
  const AVCodec* found = avcodec_find_encoder_by_name(name);
  if (found == nullptr) return no_encoder(name);
  CodecHandle codec(avcodec_alloc_context3(found));
  if (!codec) throw std::bad_alloc();
  codec->thread_count = 1;
  codec->flags |= AV_CODEC_FLAG_BITEXACT;
  if ((state_->format->oformat->flags & AVFMT_GLOBALHEADER) != 0) {
    codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  }
  return codec;
}

Result<int> Writer::add(AVCodecContext& codec, AVDictionary** options) {
  const int code = avcodec_open2(&codec, codec.codec, options);
  if (code < 0) return av_error("cannot be encoded", code);
  AVStream* stream = avformat_new_stream(state_->format, nullptr);
  if (stream == nullptr) throw std::bad_alloc();
  avcodec_parameters_from_context(stream->codecpar, &codec);
  stream->time_base = codec.time_base;
  return stream->index;
}

Status Writer::begin() {
  const int code = avformat_write_header(state_->format, nullptr);
  if (code < 0) return av_error("cannot be written", code);
  return ok();
}

Status Writer::write(AVCodecContext& codec, int stream, const AVFrame* frame) {
  int code = avcodec_send_frame(&codec, frame);
  if (code < 0) return av_error("cannot be encoded", code);
  while (true) {
    code = avcodec_receive_packet(&codec, state_->packet.get());
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return ok();
    if (code < 0) return av_error("cannot be encoded", code);
    state_->packet->stream_index = stream;
    av_packet_rescale_ts(state_->packet.get(), codec.time_base,
                         state_->format->streams[stream]->time_base);
    code = av_interleaved_write_frame(state_->format, state_->packet.get());
    if (code < 0) return av_error("cannot be written", code);
  }
}

Result<std::string> Writer::finish() {
  const int code = av_write_trailer(state_->format);
  if (code < 0) return av_error("cannot be written", code);
  avio_flush(state_->io);
  return std::move(state_->memory.bytes);
}

}  // namespace twinsift
