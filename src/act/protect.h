// SPDX-License-Identifier: Apache-2.0
// Folders whose files are never touched, known by what they are and not by their names.
//
// Paths are resolved when they are given to resolve() and again before each action: a saved
// answer would be about the disk of yesterday, and a path leads to the same folder through links,
// `..` and bind mounts.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "act/disk.h"
#include "ingest/file_system.h"
#include "twinsift/result.h"

namespace twinsift {

// What is mounted below a folder, from elsewhere perhaps: it belongs to the folder as well, but the
// way up from its other name does not lead there.
std::set<Identity> mounted_below(const std::string& folder);

class Protected {
 public:
  // A path that leads nowhere is an error: what was to be protected would not be.
  static Result<Protected> resolve(const std::vector<std::string>& paths);

  // Whether the file with this name, or a folder above it, is protected.
  [[nodiscard]] Result<bool> holds(const OpenSpot& file) const;

 private:
  std::set<Identity> places_;
};

}  // namespace twinsift
