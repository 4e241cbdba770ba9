// SPDX-License-Identifier: Apache-2.0
// The regular files of a folder, from their names to their entries: what a walk spends its time
// on, and all of it that other threads may do.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <dirent.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/helpers.h"
#include "ingest/walk.h"
#include "twinsift/pipeline.h"

namespace twinsift {

// Shared, because a walk may be done with a folder before its files have been looked at.
using OpenDir = std::shared_ptr<DIR>;

// Takes over the descriptor.  On failure there is no folder, and errno says why.
OpenDir open_dir(Fd fd);

// The argument that a walk is busy with.
struct Origin {
  std::uint32_t argument = 0;
  std::uint32_t root = 0;    // FileEntry::root
  std::size_t relative = 0;  // where the part of a path below the argument begins
};

// Adds the file unless the options leave it out.
void add_file(std::string path, const struct stat& status, bool through_link, const Origin& origin,
              const WalkOptions& options, std::vector<FileEntry>& files);

// Some files of one folder, to be looked at, and what was seen.
struct FolderFiles {
  OpenDir dir;
  std::string path;   // the folder's, with the slash
  std::string names;  // each with a NUL
  std::size_t count = 0;
  Origin origin;

  std::vector<FileEntry> files;  // in the order of the names
  std::vector<Skipped> skipped;
};

// Looks at all of them and lets go of the folder.  Ends early if asked to.
void look_at_files(FolderFiles& batch, const WalkOptions& options, const std::stop_token& stop);

// Has files looked at by several threads, and gives back what they saw in the order in which the
// files were given.  All members are for one thread; the options must outlive it.
class FileLookers {
 public:
  static constexpr std::size_t kMaxFolders = 16;  // that are kept open for other threads

  // `threads` with the calling one.  The others are started once some hundred files were given.
  FileLookers(const WalkOptions& options, std::stop_token stop, unsigned threads);

  void look_at(FolderFiles batch);
  // The next batch in order, if it has been looked at.
  std::optional<FolderFiles> next();
  // Returns when all batches have been looked at.
  void finish() { helpers_.finish(); }

 private:
  struct Batch {
    FolderFiles work;
    std::atomic<bool> done = false;
  };

  const WalkOptions& options_;
  std::stop_token stop_;
  std::size_t given_ = 0;  // files
  std::deque<Batch> batches_;
  Helpers helpers_;  // the last, so that nobody works when the rest goes
};

}  // namespace twinsift
