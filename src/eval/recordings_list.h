// SPDX-License-Identifier: Apache-2.0
// The recordings below a folder, and which of them get copies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/copy_run.h"
#include "eval/recordings_maker.h"
#include "ingest/reader.h"
#include "ingest/walk.h"

namespace twinsift {

struct ListedRecording {
  FileEntry file;
  Digest digest;
  RecordingFacts facts;
};

// All bytes of a file, if they are not too many.
Result<std::vector<std::byte>> read_recording(const FileEntry& file);

// All files with sound or film that libav can open, in the order of their digests and then of
// their paths, so that neither names nor the folders they lie in decide who comes first.
Result<std::vector<ListedRecording>> read_recordings(const std::string& folder,
                                                     RecordingMaker& maker, CopyRun& run);

// The first recordings, of each content one, that are of the kind and neither too short to be
// recognised nor too long to be copied so often, by their places in `recordings`.
std::vector<std::uint32_t> choose_originals(const std::vector<ListedRecording>& recordings,
                                            bool film, std::uint32_t most);

}  // namespace twinsift
