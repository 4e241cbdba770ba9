// SPDX-License-Identifier: Apache-2.0
#include "eval/recordings_list.h"

#include <tuple>

namespace twinsift {
namespace {

constexpr std::uint64_t kMaxRead = std::uint64_t{1} << 30U;

struct Lengths {
  double least = 0;  // seconds
  double most = 0;
};
constexpr Lengths kSoundLengths = {20, 300};
constexpr Lengths kFilmLengths = {4, 180};

// Without facts if it is no recording or cannot be read: find() will say so.
ListedRecording read_one(const FileEntry& file, RecordingMaker& maker, const CopyRun& run) {
  ListedRecording out{.file = file, .digest = {}, .facts = {}};
  auto reader = FileReader::open(out.file);
  if (!reader) return out;
  const auto digest =
      reader->digest([&](std::uint64_t) { return !run.callbacks().stop.stop_requested(); });
  if (!digest) return out;
  out.digest = *digest;
  const auto bytes = reader->read_all(kMaxRead);
  if (!bytes) return out;
  if (const auto facts = maker.facts(*bytes)) out.facts = *facts;
  return out;
}

}  // namespace

Result<std::vector<std::byte>> read_recording(const FileEntry& file) {
  TWINSIFT_TRY(FileReader reader, FileReader::open(file));
  return reader.read_all(kMaxRead);
}

Result<std::vector<ListedRecording>> read_recordings(const std::string& folder,
                                                     RecordingMaker& maker, CopyRun& run) {
  Callbacks callbacks;
  callbacks.stop = run.callbacks().stop;
  TWINSIFT_TRY(const WalkResult walked, walk({folder}, {}, callbacks, run.threads()));
  std::vector<ListedRecording> recordings(walked.files.size());
  TWINSIFT_TRY([[maybe_unused]] auto done,
               run.for_each("recordings", recordings.size(), [&](std::size_t i) {
                 recordings[i] = read_one(walked.files[i], maker, run);
                 return ok();
               }));
  std::erase_if(recordings, [](const ListedRecording& recording) {
    return !recording.facts.sound && !recording.facts.film;
  });
  std::ranges::sort(recordings, {}, [](const ListedRecording& recording) {
    return std::tuple(recording.digest, std::string_view(recording.file.path));
  });
  return recordings;
}

std::vector<std::uint32_t> choose_originals(const std::vector<ListedRecording>& recordings,
                                            bool film, std::uint32_t most) {
  const Lengths lengths = film ? kFilmLengths : kSoundLengths;
  std::vector<std::uint32_t> originals;
  for (std::uint32_t i = 0; i < recordings.size() && originals.size() < most; ++i) {
    const RecordingFacts& facts = recordings[i].facts;
    const bool again = i > 0 && recordings[i].digest == recordings[i - 1].digest;
    const bool suitable =
        facts.film == film && facts.seconds >= lengths.least && facts.seconds <= lengths.most;
    if (suitable && !again) originals.push_back(i);
  }
  return originals;
}

}  // namespace twinsift
