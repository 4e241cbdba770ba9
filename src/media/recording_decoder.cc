// SPDX-License-Identifier: Apache-2.0
// Recordings through the children.  A child may have been taken over by what it read: numbers are
// checked before anybody counts on them, and pictures before a page shows them.
#include <algorithm>
#include <cmath>

#include <simdjson.h>
#include <sys/stat.h>

#include "feature/film_print.h"
#include "feature/sound_print.h"
#include "media/preview.h"
#include "media/recording.h"
#include "media/recording_wire.h"
#include "twinsift/media.h"

namespace twinsift {
namespace {

constexpr DecoderProgram kProgram = {"twinsift-av-decoder", "TWINSIFT_AV_DECODER", "recordings"};
constexpr std::size_t kMostFacts = 64;
constexpr std::size_t kLongFact = 1024;
constexpr double kLongest = 1e9;  // seconds, which are 31 years

// As many values as the bytes have room for, if it is a whole number of them.
template <class T>
bool read_values(const std::string& bytes, std::vector<T>& values) {
  if (bytes.size() % sizeof(T) != 0) return false;
  values.resize(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return true;
}

bool is_length(double seconds) { return seconds >= 0 && seconds <= kLongest; }  // nor NaN

Result<std::vector<Fact>> checked_facts(Parts parts, std::size_t first) {
  if (parts.size() < first || parts.size() - first > 2 * kMostFacts) return bad_answer();
  const auto is_text = [](const std::string& part) {
    return part.size() <= kLongFact && simdjson::validate_utf8(part);
  };
  if (!std::all_of(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(), is_text)) {
    return bad_answer();
  }
  return facts_from(std::move(parts), first);
}

// Two numbers of something that is there, or of nothing.
bool agree(std::uint32_t has, std::uint32_t one, std::uint32_t other) {
  return has == 1 ? one > 0 && other > 0 : has == 0 && one == 0 && other == 0;
}

bool is_sensible(const RecordingHeader& header) {
  return is_length(header.seconds) && header.frame_rate >= 0 && header.frame_rate <= 1e6 &&
         agree(header.has_sound, header.sample_rate, header.channels) &&
         agree(header.has_film, header.width, header.height) &&
         header.has_sound + header.has_film > 0;
}

bool are_words(const Recording& recording, const RecordingBy& by) {
  const auto& sound = recording.sound;
  const auto& film = recording.film;
  if ((!recording.has_sound && !sound.empty()) || (!recording.has_film && !film.empty())) {
    return false;
  }
  const bool heard = sound.empty() || by.sound != SoundBy::kPrint || unpack_sound_print(sound);
  return heard && (film.empty() || by.film == FilmBy::kHsv || unpack_film_print(film));
}

bool is_frame(const std::string& file, std::uint32_t side) {
  if (file.size() > most_preview_bytes(side)) return false;
  const auto size = preview_size(file);
  return size && size->width <= side && size->height <= side;
}

}  // namespace

Result<Recording> recording_from_parts(Parts parts, const RecordingBy& by) {
  RecordingHeader header;
  if (parts.size() < 3 || parts[0].size() != sizeof(header)) return bad_answer();
  std::memcpy(&header, parts[0].data(), sizeof(header));
  if (!is_sensible(header)) return bad_answer();
  Recording recording;
  recording.seconds = header.seconds;
  recording.has_sound = header.has_sound == 1;
  recording.has_film = header.has_film == 1;
  recording.width = header.width;
  recording.height = header.height;
  recording.frame_rate = header.frame_rate;
  recording.sample_rate = header.sample_rate;
  recording.channels = header.channels;
  recording.damaged = header.damaged;
  if (!read_values(parts[1], recording.sound) || !read_values(parts[2], recording.film) ||
      !are_words(recording, by)) {
    return bad_answer();
  }
  TWINSIFT_TRY(recording.facts, checked_facts(std::move(parts), 3));
  return recording;
}

Result<RecordingStrip> strip_from_parts(Parts parts, const StripRequest& request) {
  std::vector<double> seconds;
  std::vector<double> times;
  RecordingStrip strip;
  if (parts.size() < 3 || !read_values(parts[0], seconds) || seconds.size() != 1 ||
      !is_length(seconds[0]) || !read_values(parts[1], strip.peaks) ||
      strip.peaks.size() > request.peaks || !read_values(parts[2], times) ||
      times.size() > request.frames || times.size() != parts.size() - 3) {
    return bad_answer();
  }
  strip.seconds = seconds[0];
  for (std::size_t i = 0; i < times.size(); ++i) {
    std::string& picture = parts[3 + i];
    if (!is_length(times[i]) || (i > 0 && times[i] <= times[i - 1])) return bad_answer();
    if (!is_frame(picture, request.side)) return bad_answer();
    strip.frames.push_back({.seconds = times[i], .picture = std::move(picture)});
  }
  return strip;
}

RecordingDecoder::RecordingDecoder(const RecordingLimits& limits)
    : pool_(kProgram, limits.process), limits_(limits) {}

Result<Parts> RecordingDecoder::ask(const Input& input, const Question& question) {
  std::uint64_t size = input.bytes.size();
  struct stat info = {};
  if (input.file >= 0 && fstat(input.file, &info) == 0) {
    size = static_cast<std::uint64_t>(info.st_size);
  }
  DecodeLimits limits = limits_.process;
  limits.time += std::chrono::seconds(size / limits_.bytes_per_second);
  if (input.file < 0) return pool_.ask(input.bytes, question, limits);
  return pool_.ask_about_file(input.file, question, limits, input.stop);
}

Result<Recording> RecordingDecoder::describe(const Input& input, const RecordingBy& by) {
  const RecordingQuestion question = {.task = RecordingTask::kDescribe, .by = by, .strip = {}};
  TWINSIFT_TRY(Parts parts, ask(input, Question(question)));
  return recording_from_parts(std::move(parts), by);
}

Result<RecordingStrip> RecordingDecoder::strip(const Input& input, const StripRequest& request) {
  StripRequest bounded = request;
  bounded.frames = std::min(bounded.frames, kMostStripFrames);
  bounded.peaks = std::min(bounded.peaks, kMostStripPeaks);
  const RecordingQuestion question = {.task = RecordingTask::kStrip, .by = {}, .strip = bounded};
  TWINSIFT_TRY(Parts parts, ask(input, Question(question)));
  return strip_from_parts(std::move(parts), bounded);
}

Result<std::vector<Fact>> RecordingDecoder::formats() {
  constexpr std::array kNothing = {std::byte{0}};
  TWINSIFT_TRY(Parts parts, pool_.ask(kNothing, Question(RecordingQuestion{})));
  return checked_facts(std::move(parts), 0);
}

Result<std::vector<Fact>> readable_recordings() { return RecordingDecoder().formats(); }

}  // namespace twinsift
