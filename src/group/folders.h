// SPDX-License-Identifier: Apache-2.0
// Similar and nested folders.
//
// A folder is the set of the contents of all files below it, at any depth.  For folders X and Y,
// neither inside the other, that share s >= 2 contents:
//     J = s / (|X| + |Y| - s),    C(X in Y) = s / |X|.
// They are the same if J >= threshold; else the smaller is contained in the larger if C is, and
// if the larger one is as small as it can be: none of its sub-folders shares as many contents
// with the smaller folder or is the same as it.  (Without that, every copy of a folder would
// be reported as "contained in the whole disk".)
// Of these pairs only the top-most are reported: a pair is dropped if there is another whose
// folders are, in either order, equal to or above its own.
//
// Limits: contents that lie in more than 128 folders, counting all those above, do not make two
//         folders a pair, they only count once something rarer has.
// Cost:   O(n log n) for n files, plus 128 for each folder above each file that has a copy;
//         memory is linear in the number of path segments.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "twinsift/report.h"

namespace twinsift {

struct FolderFile {
  std::string_view path;
  std::uint32_t content = 0;  // equal numbers for equal bytes
  std::uint64_t size = 0;
  std::uint32_t root = 0;  // path[0, root): no folder above it is looked at; 0: "." is the last
};

// Most shared bytes first, then by path; in each pair a < b.
std::vector<FolderPair> similar_folders(std::span<const FolderFile> files, double threshold);

}  // namespace twinsift
