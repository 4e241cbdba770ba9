// SPDX-License-Identifier: Apache-2.0
#include "eval/recordings_maker.h"

#include <chrono>
#include <cstring>
#include <vector>

#include "base/sibling_program.h"
#include "media/decoder_parts.h"

namespace twinsift {
namespace {

constexpr DecoderProgram kProgram = {"twinsift-av-copies", "TWINSIFT_AV_COPIES",
                                     "copies of recordings"};
constexpr DecodeLimits kLimits = {.time = std::chrono::minutes(5),
                                  .memory = std::uint64_t{2} << 30U,
                                  .output = std::uint64_t{1} << 30U};

template <class T>
Result<T> value_from(const Parts& parts) {
  T value;
  if (parts.empty() || parts[0].size() != sizeof(value)) return bad_answer();
  std::memcpy(&value, parts[0].data(), sizeof(value));
  return value;
}

}  // namespace

RecordingMaker::RecordingMaker() : pool_(kProgram, kLimits) {}

Status RecordingMaker::check() {
  if (!find_sibling_program(kProgram.name, kProgram.variable).empty()) return ok();
  return Error{ErrorCode::kNotFound,
               "twinsift-av-copies, which makes the copies, was not found: this build may have "
               "been made without recordings, or TWINSIFT_AV_COPIES leads nowhere"};
}

Result<RecordingFacts> RecordingMaker::facts(std::span<const std::byte> recording) {
  const RecordingQuestion question = {.first_size = recording.size()};
  TWINSIFT_TRY(const Parts parts, pool_.ask(recording, Question(question)));
  return value_from<RecordingFacts>(parts);
}

Result<AttackedCopy> RecordingMaker::copy(std::span<const std::byte> recording, RecordingTask task,
                                          std::size_t attack, std::uint64_t seed) {
  return ask(recording, {.task = task,
                         .attack = static_cast<std::uint8_t>(attack),
                         .seed = seed,
                         .first_size = recording.size()});
}

Result<AttackedCopy> RecordingMaker::mixed(std::span<const std::byte> pictures,
                                           std::span<const std::byte> sound, std::size_t attack,
                                           std::uint64_t seed) {
  std::vector<std::byte> both(pictures.begin(), pictures.end());
  both.insert(both.end(), sound.begin(), sound.end());
  return ask(both, {.task = RecordingTask::kFilm,
                    .attack = static_cast<std::uint8_t>(attack),
                    .seed = seed,
                    .first_size = pictures.size()});
}

Result<std::vector<float>> RecordingMaker::samples(std::span<const std::byte> recording) {
  const RecordingQuestion question = {.task = RecordingTask::kSamples,
                                      .first_size = recording.size()};
  TWINSIFT_TRY(const Parts parts, pool_.ask(recording, Question(question)));
  if (parts.size() != 1 || parts[0].size() % sizeof(float) != 0) return bad_answer();
  std::vector<float> samples(parts[0].size() / sizeof(float));
  std::memcpy(samples.data(), parts[0].data(), parts[0].size());
  return samples;
}

Result<Film> RecordingMaker::frames(std::span<const std::byte> recording) {
  static_assert(kRawFrameRate == Film::kRate);
  const RecordingQuestion question = {.task = RecordingTask::kFrames,
                                      .first_size = recording.size()};
  TWINSIFT_TRY(const Parts parts, pool_.ask(recording, Question(question)));
  TWINSIFT_TRY(const auto head, value_from<RawFramesHead>(parts));
  const bool small =
      head.width > 0 && head.width <= kRawSide && head.height > 0 && head.height <= kRawSide;
  const std::size_t bytes = std::size_t{3} * head.width * head.height;
  if (!small || parts.size() != 2 || parts[1].size() % bytes != 0) return bad_answer();
  Film film{.width = head.width, .height = head.height};
  for (std::size_t at = 0; at < parts[1].size(); at += bytes) {
    film.frames.emplace_back(parts[1].begin() + static_cast<std::ptrdiff_t>(at),
                             parts[1].begin() + static_cast<std::ptrdiff_t>(at + bytes));
  }
  return film;
}

Result<AttackedCopy> RecordingMaker::ask(std::span<const std::byte> item,
                                         const RecordingQuestion& question) {
  TWINSIFT_TRY(Parts parts, pool_.ask(item, Question(question)));
  if (parts.size() != 2) return bad_answer();
  AttackedCopy out;
  TWINSIFT_TRY(out.map, value_from<CopyMap>(parts));
  out.file = std::move(parts[1]);
  return out;
}

}  // namespace twinsift
