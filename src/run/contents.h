// SPDX-License-Identifier: Apache-2.0
// What a run knows of the contents it has met: their features, or why there are none.
//
// A content is known by its digest, whichever file it was read from, and is decoded once: whoever
// claims it first decodes it.  It is kept in memory and temporary files for one run, or in a
// collection for all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "feature/weights.h"
#include "ingest/reader.h"
#include "run/recorder.h"
#include "store/collection.h"
#include "twinsift/media.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct KnownContent {
  std::uint32_t medium = 0;        // its place among the media of the run
  SetView features{};              // empty: nothing to compare; packed: for the medium
  std::vector<Fact> facts{};       // for people
  std::optional<Error> failure{};  // why it could not be decoded
};

// claim() and learn() may be called from many threads, the others once no one does that any more.
class Contents {
 public:
  virtual ~Contents() = default;

  // True: the caller decodes this content and calls learn().  False: it is known, or somebody else
  // is at it.
  virtual Result<bool> claim(const Digest& digest, std::uint32_t medium) = 0;
  virtual Status learn(const Digest& digest, std::uint32_t medium,
                       Result<Description> description) = 0;
  // False: nobody has decoded this content with the media of this run, or it is to be tried again.
  [[nodiscard]] virtual Result<bool> knows(const Digest& digest) const = 0;

  // Nothing for contents that no medium has looked at.  Views are good as long as this is.
  [[nodiscard]] virtual Result<std::optional<KnownContent>> find(const Digest& digest) const = 0;
};

// Features beyond `memory` bytes live in temporary files.
std::unique_ptr<Contents> contents_in_memory(std::uint64_t memory, std::string temp_dir);

struct StoredContentsOptions {
  const Collection* collection = nullptr;
  Recorder* recorder = nullptr;         // none: the collection is only read
  bool retry_failed = false;            // decode again what could not be decoded before
  std::vector<DetectorId> detectors{};  // of each medium; 0: the collection does not know it
};
// What the collection does not get goes to `rest`.
std::unique_ptr<Contents> contents_in_collection(StoredContentsOptions options, Contents& rest);

}  // namespace twinsift
