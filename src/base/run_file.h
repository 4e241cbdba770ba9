// SPDX-License-Identifier: Apache-2.0
// Runs of bytes, one behind the other in a temporary file that has no name: whatever happens to
// the process, nothing is left behind.  Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "twinsift/result.h"

namespace twinsift {

class RunFile {
 public:
  struct Run {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  // Empty: $TMPDIR or /tmp.  The file is made by the first append().
  explicit RunFile(std::string directory) : directory_(std::move(directory)) {}

  // Adds to the run that end_run() will end.
  Status append(std::span<const std::byte> bytes);
  void end_run();
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }

  // Requires: the bytes have been appended.
  Status read(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  std::string directory_;
  std::string name_;  // for messages
  Fd file_;
  std::uint64_t begin_ = 0;  // of the run that grows
  std::uint64_t end_ = 0;    // of the file
  std::vector<Run> runs_;
};

}  // namespace twinsift
