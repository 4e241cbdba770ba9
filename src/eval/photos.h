// SPDX-License-Identifier: Apache-2.0
// The photos below a folder, which of them get copies, and which are known to show the same.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "eval/copy_maker.h"
#include "eval/image_run.h"
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
Result<std::vector<Photo>> read_photos(const std::string& folder, ImageRun& run);

// The first photos, of each content one, that can be decoded and are large enough, by their places
// in `photos`.
Result<std::vector<std::uint32_t>> choose_originals(const std::vector<Photo>& photos,
                                                    std::uint32_t most, CopyMaker& maker,
                                                    ImageRun& run);

// A number for every path; equal if the bytes are, or if a line of the file `same` says so: two
// paths, from `folder` or from the working directory, with a tab between them.  Further columns and
// lines that begin with # are passed over.
Result<std::map<std::string, std::uint32_t, std::less<>>> number_photos(
    const std::vector<Photo>& photos, const std::string& folder, const std::string& same);

}  // namespace twinsift
