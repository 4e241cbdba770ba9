// SPDX-License-Identifier: Apache-2.0
// twinsift-av-copies: makes attacked copies of recordings for `twinsift eval audio` and `twinsift
// eval video`, in a process of its own so that neither the program nor the library links libav.
#include <algorithm>

#include <malloc.h>

#include "eval/av_copies/copy_wire.h"
#include "eval/av_copies/make.h"
#include "eval/av_copies/raw.h"
#include "eval/av_copies/source.h"
#include "media/decoder_process.h"

namespace twinsift {
namespace {

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

// An encoder that is missing is no fault of the recording.
Result<Parts> parts_of(Result<MadeCopy> copy) {
  if (!copy && copy.error().code == ErrorCode::kNotFound) return Parts{bytes_of(CopyMap()), ""};
  if (!copy) return copy.error();
  return Parts{bytes_of(copy->map), std::move(copy->file)};
}

Result<Parts> answer(const Question& question, std::span<const std::byte> bytes) {
  const auto asked = question.as<RecordingQuestion>();
  const std::size_t size = std::min<std::size_t>(asked.first_size, bytes.size());
  const auto recording = bytes.first(size);
  switch (asked.task) {
    case RecordingTask::kFacts: {
      TWINSIFT_TRY(const Source source, Source::open(recording));
      return Parts{bytes_of(source.facts())};
    }
    case RecordingTask::kSamples: {
      TWINSIFT_TRY(std::string samples, raw_samples(recording));
      return Parts{std::move(samples)};
    }
    case RecordingTask::kFrames: {
      TWINSIFT_TRY(RawFrames frames, raw_frames(recording));
      return Parts{bytes_of(RawFramesHead{frames.width, frames.height}), std::move(frames.pixels)};
    }
    case RecordingTask::kSound:
      if (asked.attack >= kSoundAttacks.size()) break;
      return parts_of(make_sound_copy(recording, kSoundAttacks[asked.attack], asked.seed));
    case RecordingTask::kFilm:
      if (asked.attack >= kFilmAttacks.size()) break;
      return parts_of(
          make_film_copy(recording, bytes.subspan(size), kFilmAttacks[asked.attack], asked.seed));
  }
  return Error{ErrorCode::kInvalidArgument, "no such attack"};
}

}  // namespace
}  // namespace twinsift

int main() {
  // The limit on memory is one on addresses, of which every heap of a thread reserves many.
  mallopt(M_ARENA_MAX, 1);
  av_log_set_level(AV_LOG_QUIET);
  return twinsift::serve_decoder("twinsift-av-copies", twinsift::answer);
}
