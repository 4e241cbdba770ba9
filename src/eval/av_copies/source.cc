// SPDX-License-Identifier: Apache-2.0
#include "eval/av_copies/source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

extern "C" {
#include <libavutil/opt.h>
}

namespace twinsift {
namespace {

constexpr int kBuffer = 1 << 16;

class Memory {
 public:
  explicit Memory(std::span<const std::byte> bytes) : bytes_(bytes) {}

  static int read(void* self, std::uint8_t* to, int most) {
    auto& memory = *static_cast<Memory*>(self);
    const std::size_t left = memory.bytes_.size() - memory.place_;
    const std::size_t count = std::min(left, static_cast<std::size_t>(most));
    if (count == 0) return AVERROR_EOF;
    std::memcpy(to, memory.bytes_.data() + memory.place_, count);
    memory.place_ += count;
    return static_cast<int>(count);
  }
  static std::int64_t seek(void* self, std::int64_t offset, int whence) {
    auto& memory = *static_cast<Memory*>(self);
    const auto size = static_cast<std::int64_t>(memory.bytes_.size());
    if (whence == AVSEEK_SIZE) return size;
    if (whence == SEEK_CUR) offset += static_cast<std::int64_t>(memory.place_);
    if (whence == SEEK_END) offset += size;
    if (offset < 0 || offset > size) return AVERROR(EINVAL);
    memory.place_ = static_cast<std::size_t>(offset);
    return offset;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t place_ = 0;
};

// Demuxers of what is no recording: pictures, which libav takes for films, and texts.
bool is_still(std::string_view name) {
  constexpr std::array<std::string_view, 6> kStills = {"image2", "gif", "apng",
                                                       "tty",    "ico", "xbin"};
  return name.ends_with("_pipe") || std::ranges::find(kStills, name) != kStills.end();
}

bool is_film(const AVStream& stream) {
  return stream.codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
         (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) == 0 && stream.nb_frames != 1;
}

}  // namespace

struct Source::State {
  explicit State(std::span<const std::byte> bytes) : memory(bytes) {}
  ~State() {
    avformat_close_input(&format);
    if (io != nullptr) av_freep(&io->buffer);
    avio_context_free(&io);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Memory memory;
  AVIOContext* io = nullptr;
  AVFormatContext* format = nullptr;
};

Source::Source(std::unique_ptr<State> state) : state_(std::move(state)) {}
Source::Source(Source&&) noexcept = default;
Source& Source::operator=(Source&&) noexcept = default;
Source::~Source() = default;

Result<Source> Source::open(std::span<const std::byte> bytes) {
  auto state = std::make_unique<State>(bytes);
  auto* buffer = static_cast<std::uint8_t*>(av_malloc(kBuffer));
  state->io =
      avio_alloc_context(buffer, kBuffer, 0, &state->memory, Memory::read, nullptr, Memory::seek);
  state->format = avformat_alloc_context();
  if (buffer == nullptr || state->io == nullptr || state->format == nullptr) throw std::bad_alloc();
  state->format->pb = state->io;
  // A play list must not make us open other files.
  av_opt_set(state->format, "protocol_whitelist", "", 0);
  int code = avformat_open_input(&state->format, nullptr, nullptr, nullptr);
  if (code < 0) return av_error("no recording", code);
  if (is_still(state->format->iformat->name)) {
    return Error{ErrorCode::kUnsupported, "no recording: a still picture or text"};
  }
  code = avformat_find_stream_info(state->format, nullptr);
  if (code < 0) return av_error("damaged", code);
  return Source(std::move(state));
}

const AVStream* Source::sound() const {
  const int best = av_find_best_stream(state_->format, AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
  return best < 0 ? nullptr : state_->format->streams[best];
}

const AVStream* Source::film() const {
  const int best = av_find_best_stream(state_->format, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (best < 0 || !is_film(*state_->format->streams[best])) return nullptr;
  return state_->format->streams[best];
}

RecordingFacts Source::facts() const {
  RecordingFacts facts;
  const std::int64_t duration = state_->format->duration;
  if (duration > 0) facts.seconds = static_cast<double>(duration) / AV_TIME_BASE;
  facts.sound = sound() != nullptr;
  facts.film = film() != nullptr;
  return facts;
}

Status Source::decode(const AVStream& stream, const std::function<Status(AVFrame&)>& take) {
  const AVCodec* decoder = avcodec_find_decoder(stream.codecpar->codec_id);
  if (decoder == nullptr) return Error{ErrorCode::kUnsupported, "there is no decoder for it"};
  const CodecHandle codec(avcodec_alloc_context3(decoder));
  const PacketHandle packet(av_packet_alloc());
  const FrameHandle frame(av_frame_alloc());
  if (!codec || !packet || !frame) throw std::bad_alloc();
  avcodec_parameters_to_context(codec.get(), stream.codecpar);
  codec->pkt_timebase = stream.time_base;
  codec->thread_count = 1;
  int code = avcodec_open2(codec.get(), decoder, nullptr);
  if (code < 0) return av_error("cannot be decoded", code);
  av_seek_frame(state_->format, -1, 0, AVSEEK_FLAG_BACKWARD);  // it may be decoded twice
  bool more = true;
  while (more) {
    more = av_read_frame(state_->format, packet.get()) >= 0;
    if (more && packet->stream_index != stream.index) {
      av_packet_unref(packet.get());
      continue;
    }
    avcodec_send_packet(codec.get(), more ? packet.get() : nullptr);
    av_packet_unref(packet.get());
    while (avcodec_receive_frame(codec.get(), frame.get()) >= 0) {
      TWINSIFT_TRY([[maybe_unused]] auto taken, take(*frame));
    }
  }
  return ok();
}

}  // namespace twinsift
