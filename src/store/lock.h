// SPDX-License-Identifier: Apache-2.0
// The right to write a collection: one process at a time.  The system takes it back when the
// process ends, however it ends, so that a dead one never stands in the way.
#pragma once

#include <string>

#include "base/fd.h"
#include "twinsift/result.h"

namespace twinsift {

class WriteLock {
 public:
  // kIo, naming the process that has it, or why the folder cannot be written.
  static Result<WriteLock> take(const std::string& folder);

 private:
  explicit WriteLock(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

}  // namespace twinsift
