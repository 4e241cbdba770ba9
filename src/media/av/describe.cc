// SPDX-License-Identifier: Apache-2.0
#include "media/av/describe.h"

#include <utility>

#include "feature/film_printer.h"
#include "feature/sound_print.h"

namespace twinsift {

Result<Recording> describe_recording(int file, std::uint64_t size, std::function<void()> progress) {
  TWINSIFT_TRY(const auto source, open_source(file, size));
  SoundPrinter sound;
  FilmPrinter film;
  RecordingSinks sinks;
  sinks.sound_rate = kSoundRate;
  sinks.sound = [&](std::span<const float> samples) { sound.add(samples); };
  sinks.wants_frame = [&](double seconds) { return film.wants(seconds); };
  sinks.frame = [&](double seconds, const Frame& frame) { film.add(seconds, frame.luma); };
  sinks.skip_loop_filter = true;
  sinks.progress = std::move(progress);
  TWINSIFT_TRY(const DecodedRecording decoded, decode_recording(*source, sinks));
  Recording recording;
  recording.seconds = decoded.seconds;
  recording.has_sound = decoded.has_sound;
  recording.has_film = decoded.has_film;
  recording.width = decoded.width;
  recording.height = decoded.height;
  recording.frame_rate = decoded.frame_rate;
  recording.sample_rate = decoded.sample_rate;
  recording.channels = decoded.channels;
  recording.damaged = decoded.damaged;
  if (decoded.has_sound) recording.sound = sound.finish();
  if (decoded.has_film) recording.film = film.finish(decoded.seconds);
  recording.facts = recording_facts(*source, decoded);
  return recording;
}

}  // namespace twinsift
