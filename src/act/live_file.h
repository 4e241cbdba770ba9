// SPDX-License-Identifier: Apache-2.0
// Files as they are at this moment, whatever a report says of them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "act/plan.h"
#include "ingest/file_system.h"
#include "twinsift/pipeline.h"

namespace twinsift {

struct LiveFile {
  FileProof proof;          // its path is absolute, links in the folders above are resolved
  std::uint64_t names = 1;  // hard links
};

// What became of a path: a file, or the reason why there is none.  `exists` tells a file that is
// there but cannot be read from one that is not.
struct FileLook {
  std::optional<LiveFile> file;
  std::optional<Error> error;
  bool exists = false;
};

// stat and digest, by reading it to the end.  Symbolic links are not followed: what is done to a
// plan's path is done to that name.
FileLook look_at(const std::string& path, const std::stop_token& stop = {});

// All of them, in their order, from several threads.  Cancelled: kCancelled.
Result<std::vector<FileLook>> look_at_all(std::span<const std::string> paths, unsigned threads,
                                          const Callbacks& callbacks);

// Folders (or files) whose content is never touched.  They are known by device and inode, and a
// file belongs to one if the way up from its real path meets it: renamed mounts, links and `..`
// make no difference.
class ProtectedFolders {
 public:
  // A folder that does not exist is an error: a typing mistake must not unprotect anything.
  static Result<ProtectedFolders> make(const std::vector<std::string>& paths);

  // Requires: the path of `file` is absolute and real.
  [[nodiscard]] bool contains(const FileProof& file) const;
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::set<Identity> identities_;
  std::vector<std::string> paths_;  // real and absolute
};

}  // namespace twinsift
