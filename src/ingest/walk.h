// SPDX-License-Identifier: Apache-2.0
// Which files a run looks at: each once, whatever paths, links or mounts lead to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twinsift/pipeline.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct FileEntry {
  std::string path;  // the argument and what follows, real bytes
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint32_t argument = 0;      // the first that leads to the file, 0, 1, ...
  std::uint32_t root = 0;          // path[0, root) is the folder the argument names or lies in
  bool through_link = false;       // the name itself is a symbolic link that was followed
  std::vector<std::string> links;  // other names of the same file seen on the way, sorted
};

struct WalkResult {
  std::vector<FileEntry> files;  // sorted by the bytes of the path
  std::vector<Skipped> skipped;  // sorted by path
  std::uint64_t directories = 0;
  std::uint64_t special = 0;  // FIFOs, sockets and devices that were passed over
};

// Walks the arguments.  Missing arguments, unreadable folders and the like become Skipped; the
// only error is kCancelled.  What is looked at and what is not: docs/SCOPE.md.
//
// Never opens anything but folders and ignore files, never recurses, holds at most 64 open
// descriptors whatever the depth.  Gives the same result for any order of directory entries and
// any number of threads; calls back from the calling one only.
// A file reached from several arguments belongs to the first of them, so that whoever puts
// reference folders first protects what is in them.
Result<WalkResult> walk(const std::vector<std::string>& arguments, const WalkOptions& options,
                        const Callbacks& callbacks, unsigned threads = 1);

// The NUL-separated names in a file, or in standard input for "-"; empty names are left out.
Result<std::vector<std::string>> read_file_list(const std::string& path_or_dash);

}  // namespace twinsift
