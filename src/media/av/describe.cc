// SPDX-License-Identifier: Apache-2.0
#include "media/av/describe.h"

#include <algorithm>
#include <utility>

#include "media/av/printers.h"

namespace twinsift {

Result<Recording> describe_recording(int file, std::uint64_t size, const RecordingBy& by,
                                     std::function<void()> progress) {
  TWINSIFT_TRY(const auto source, open_source(file, size));
  const int rate = source->sound != nullptr ? source->sound->codecpar->sample_rate : 0;
  const auto sound = make_sound_words(by.sound, static_cast<unsigned>(std::max(rate, 0)));
  const auto film = make_film_words(by.film);
  RecordingSinks sinks;
  sinks.sound_rate = sound->rate();
  sinks.hasty_sound = sound->hasty();
  sinks.sound = [&](std::span<const float> samples) { sound->add(samples); };
  film->ask_for(sinks);
  sinks.wants_frame = [&](double seconds) { return film->wants(seconds); };
  sinks.frame = [&](double seconds, const Frame& frame) { film->add(seconds, frame); };
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
  if (decoded.has_sound) recording.sound = sound->finish(decoded.seconds);
  if (decoded.has_film) recording.film = film->finish(decoded.seconds);
  recording.facts = recording_facts(*source, decoded);
  return recording;
}

}  // namespace twinsift
