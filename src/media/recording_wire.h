// SPDX-License-Identifier: Apache-2.0
// What twinsift-av-decoder is asked, and how its answers travel:
//   formats:   facts
//   describe:  RecordingHeader, words of the sound, words of the film, facts
//   strip:     seconds, peaks, the time of each frame, then the frames
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "media/decoder_parts.h"
#include "media/recording.h"

namespace twinsift {

enum class RecordingTask : std::uint8_t { kFormats, kDescribe, kStrip };

struct RecordingQuestion {
  RecordingTask task = RecordingTask::kFormats;
  RecordingBy by;
  StripRequest strip;
};

struct RecordingHeader {
  double seconds = 0, frame_rate = 0;
  std::uint64_t damaged = 0;
  std::uint32_t has_sound = 0, has_film = 0, width = 0, height = 0, sample_rate = 0, channels = 0;
};

template <class T>
std::string raw_bytes(std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline Parts to_parts(Recording recording) {
  const RecordingHeader header = {.seconds = recording.seconds,
                                  .frame_rate = recording.frame_rate,
                                  .damaged = recording.damaged,
                                  .has_sound = recording.has_sound,
                                  .has_film = recording.has_film,
                                  .width = recording.width,
                                  .height = recording.height,
                                  .sample_rate = recording.sample_rate,
                                  .channels = recording.channels};
  Parts parts = {raw_bytes(std::span(&header, 1)),
                 raw_bytes(std::span<const std::uint64_t>(recording.sound)),
                 raw_bytes(std::span<const std::uint64_t>(recording.film))};
  append_facts(parts, std::move(recording.facts));
  return parts;
}

inline Parts to_parts(RecordingStrip strip) {
  std::vector<double> times;
  for (const StripFrame& frame : strip.frames) times.push_back(frame.seconds);
  Parts parts = {raw_bytes(std::span<const double>(&strip.seconds, 1)),
                 raw_bytes(std::span<const std::uint8_t>(strip.peaks)),
                 raw_bytes(std::span<const double>(times))};
  for (StripFrame& frame : strip.frames) parts.push_back(std::move(frame.picture));
  return parts;
}

// Refuse whatever does not make sense.  Prints that nobody could unpack would end a whole run, and
// a collection would keep them.
Result<Recording> recording_from_parts(Parts parts, const RecordingBy& by);
Result<RecordingStrip> strip_from_parts(Parts parts, const StripRequest& request);

}  // namespace twinsift
