// SPDX-License-Identifier: Apache-2.0
// The photos below a folder, and which of them get copies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/copy_maker.h"
#include "eval/copy_run.h"
#include "ingest/reader.h"
#include "ingest/walk.h"
#include "media/picture.h"

namespace twinsift {

struct Photo {
  FileEntry file;
  PictureKind kind = PictureKind::kNone;
  Digest digest;
};

// All files that begin like a picture, in the order of their digests and then of their paths, so
// that neither names nor the folders they lie in decide who comes first.
Result<std::vector<Photo>> read_photos(const std::string& folder, CopyRun& run);

// The first photos, of each content one, that can be decoded and are large enough, by their places
// in `photos`.
Result<std::vector<std::uint32_t>> choose_originals(const std::vector<Photo>& photos,
                                                    std::uint32_t most, CopyMaker& maker,
                                                    CopyRun& run);

}  // namespace twinsift
