// SPDX-License-Identifier: Apache-2.0
// Which files hold the same bytes, found by reading as little as possible.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ingest/reader.h"
#include "ingest/walk.h"
#include "twinsift/pipeline.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct ContentIds {
  std::vector<Digest> digest;          // {0, 0} where it was not needed or could not be had
  std::vector<std::uint32_t> content;  // the first file with the same bytes; itself if unread
  std::vector<Skipped> skipped;        // files that could not be read, sorted by path
};

struct EqualFilesOptions {
  unsigned threads = 1;
  bool all = false;  // digests of all files that are not empty, whether they are needed or not
  // Told of each digest as soon as it is there, from any thread, so that hours of reading need not
  // be lost with the run.
  std::function<void(std::uint32_t file, const Digest& digest)> digested{};
};

// Compares files by size, then by a digest of the first 4 KiB, then by that of everything.
// A file whose size no other file has is not opened; no byte is read twice, except that the
// first 4 KiB of a file over 64 KiB may be.  At most one file per thread is open at a time.
//
// known[i] is 1 where digests[i] is given; such files are not opened, and files of the same size
// are compared with them.  Empty files are nobody's duplicates, and neither are files that
// cannot be read.  The only error is kCancelled.
// Requires: known and digests are as long as files.
Result<ContentIds> find_equal_files(std::span<const FileEntry> files,
                                    std::span<const std::uint8_t> known,
                                    std::vector<Digest> digests, const EqualFilesOptions& options,
                                    const Callbacks& callbacks);

}  // namespace twinsift
