// SPDX-License-Identifier: Apache-2.0
// Which files are known to show or sound the same, because their bytes are equal or because a
// person says so.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "ingest/reader.h"
#include "ingest/walk.h"
#include "twinsift/result.h"

namespace twinsift {

struct KnownFile {
  const FileEntry* file = nullptr;
  Digest digest;
};

using FileNumbers = std::map<std::string, std::uint32_t, std::less<>>;

// A number for every path; equal if the bytes are, or if a line of the file `same` says so: two
// paths, from `folder` or from the working directory, with a tab between them.  Further columns and
// lines that begin with # are passed over.  `thing` is what errors call a file, as in "photo".
// Requires: files in the order of their digests.
Result<FileNumbers> number_files(std::span<const KnownFile> files, const std::string& folder,
                                 const std::string& same, std::string_view thing);

}  // namespace twinsift
