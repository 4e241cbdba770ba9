// SPDX-License-Identifier: Apache-2.0
#include "media/av/decode.h"

#include <algorithm>
#include <memory>

#include "media/av/film.h"
#include "media/av/sound.h"

namespace twinsift {
namespace {

constexpr int kMostReadErrors = 64;  // one after the other; then nothing more will come

class Decoding {
 public:
  Decoding(Source& source, const RecordingSinks& sinks) : source_(source), sinks_(sinks) {}

  Result<DecodedRecording> run() {
    TWINSIFT_TRY([[maybe_unused]] auto opened, open());
    TWINSIFT_TRY([[maybe_unused]] auto done, read_packets());
    if (const auto error = source_.io.error()) return *error;
    if (sound_) sound_->finish();
    if (film_) film_->add(nullptr);
    return summary();
  }

 private:
  Status open();
  Status read_packets();
  Status give(const AVPacket& packet);
  [[nodiscard]] bool gets_on(const AVPacket& packet);
  [[nodiscard]] Result<DecodedRecording> summary() const;

  Source& source_;
  const RecordingSinks& sinks_;
  std::unique_ptr<SoundStream> sound_;
  std::unique_ptr<FilmStream> film_;
  std::int64_t position_ = -1, sound_time_ = kNoTimestamp, film_time_ = kNoTimestamp;
  std::uint64_t damaged_ = 0;
};

// A stream whose codec does not open is left out, unless it is the only one.
Status Decoding::open() {
  Status failed = ok();
  if (source_.sound != nullptr && sinks_.sound) {
    auto sound = SoundStream::open(*source_.sound, source_.start,
                                   {sinks_.sound_rate, sinks_.hasty_sound}, sinks_.sound);
    if (sound) sound_ = *std::move(sound);
    if (!sound) failed = sound.error();
  }
  if (source_.film != nullptr && sinks_.frame) {
    auto film = FilmStream::open(*source_.format, *source_.film, source_.start, sinks_);
    if (film) film_ = *std::move(film);
    if (!film) failed = film.error();
  }
  read_only(source_, sound_ ? source_.sound : nullptr, film_ ? source_.film : nullptr);
  if (sound_ || film_) return ok();
  if (!failed) return failed;
  return Error{ErrorCode::kUnsupported, "nothing to hear or see: it has not what was asked for"};
}

Status Decoding::read_packets() {
  const PacketPtr packet(not_null(av_packet_alloc()));
  for (int errors = 0; errors < kMostReadErrors;) {
    const int code = av_read_frame(source_.format.get(), packet.get());
    throw_if_no_memory(code);
    if (code == AVERROR_EOF) return ok();
    if (code < 0) {
      if (code != AVERROR(EAGAIN)) ++damaged_;
      ++errors;
      continue;
    }
    errors = 0;
    if (sinks_.progress && gets_on(*packet)) sinks_.progress();
    TWINSIFT_TRY([[maybe_unused]] auto given, give(*packet));
    av_packet_unref(packet.get());
  }
  return ok();
}

Status Decoding::give(const AVPacket& packet) {
  if (av_packet_get_side_data(&packet, AV_PKT_DATA_ENCRYPTION_INFO, nullptr) != nullptr) {
    return Error{ErrorCode::kUnsupported, "encrypted"};
  }
  if (sound_ && packet.stream_index == source_.sound->index) sound_->add(&packet);
  if (film_ && packet.stream_index == source_.film->index) film_->add(&packet);
  return ok();
}

// A new place in the file, or a new time: what repeats itself does not count.
bool Decoding::gets_on(const AVPacket& packet) {
  std::int64_t& time =
      film_ && packet.stream_index == source_.film->index ? film_time_ : sound_time_;
  const bool further = packet.pos > position_ || (packet.dts != kNoTimestamp && packet.dts > time);
  position_ = std::max(position_, packet.pos);
  time = std::max(time, packet.dts);
  return further;
}

Result<DecodedRecording> Decoding::summary() const {
  DecodedRecording recording;
  recording.damaged = damaged_;
  if (sound_) {
    recording.has_sound = sound_->heard();
    recording.damaged += sound_->damaged();
    recording.seconds = sound_->seconds();
  }
  if (recording.has_sound) {
    recording.sample_rate = sound_->rate_in();
    recording.channels = sound_->channels();
  }
  if (film_) {
    recording.frames = film_->frames();
    recording.has_film = recording.frames > 0;
    recording.damaged += film_->damaged();
    recording.seconds = std::max(recording.seconds, film_->seconds());
  }
  if (recording.has_film) {
    recording.width = film_->width();
    recording.height = film_->height();
    recording.frame_rate = frame_rate_of(*source_.format, *source_.film);
  }
  if (recording.has_sound || recording.has_film) return recording;
  return Error{ErrorCode::kCorrupt, "damaged: nothing of it can be decoded"};
}

}  // namespace

Result<DecodedRecording> decode_recording(Source& source, const RecordingSinks& sinks) {
  return Decoding(source, sinks).run();
}

}  // namespace twinsift
