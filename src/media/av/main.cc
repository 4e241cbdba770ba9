// SPDX-License-Identifier: Apache-2.0
// twinsift-av-decoder: reads recordings for twinsift in a process of its own.
#include <malloc.h>

#include "media/av/describe.h"
#include "media/decoder_process.h"
#include "media/recording_wire.h"

namespace twinsift {
namespace {

Result<Parts> answer(const Question& question, int file, std::uint64_t size) {
  const auto asked = question.as<RecordingQuestion>();
  switch (asked.task) {
    case RecordingTask::kDescribe: {
      TWINSIFT_TRY(Recording recording, describe_recording(file, size, asked.by, note_progress));
      return to_parts(std::move(recording));
    }
    case RecordingTask::kStrip: {
      TWINSIFT_TRY(RecordingStrip strip, make_strip(file, size, asked.strip, note_progress));
      return to_parts(std::move(strip));
    }
    case RecordingTask::kFormats:
      break;
  }
  Parts parts;
  append_facts(parts, recording_formats());
  return parts;
}

}  // namespace
}  // namespace twinsift

int main() {
  mallopt(M_ARENA_MAX, 1);  // libraries with threads would reserve addresses for a heap each
  return twinsift::serve_file_decoder("twinsift-av-decoder", twinsift::answer);
}
