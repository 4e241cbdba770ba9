// SPDX-License-Identifier: Apache-2.0
// Where files wait until somebody is sure: on their own file system, so that the very inode is
// kept and nothing is ever copied.  docs/JOURNAL.md says where that is and why.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "act/disk.h"
#include "base/fd.h"
#include "twinsift/result.h"

namespace twinsift {

// A file system as rename(2) sees it: the same device mounted twice is two of them.
struct Mount {
  std::uint64_t device = 0;
  std::uint64_t mount = 0;  // 0 if the kernel does not tell
  auto operator<=>(const Mount&) const = default;
};
Result<Mount> mount_of(int fd, const std::string& path);

// The quarantine folders of one run, one for each file system.
class Quarantine {
 public:
  explicit Quarantine(std::string run) : run_(std::move(run)) {}

  // The folder for a file, made if need be.  A folder that is a symbolic link, belongs to somebody
  // else or is open to others is an error.
  Result<std::string> folder_for(const OpenSpot& file);

  // Adds a line to the manifest of a folder.
  Status note(const std::string& folder, const std::string& name, const std::string& path);

  // Syncs the manifests.
  Status finish();

 private:
  std::string run_;
  std::map<Mount, std::string> folders_;
  std::map<std::string, Fd> manifests_;
};

inline constexpr char kManifest[] = "manifest.ndjson";

// Whether a path leads into a quarantine, ours or another user's.
bool lies_in_quarantine(const std::string& path);

}  // namespace twinsift
