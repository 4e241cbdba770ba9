// SPDX-License-Identifier: Apache-2.0
// A program that goes on in the background once it works, and fails in the foreground if it does
// not.
#pragma once

#include <optional>
#include <string>

#include "base/fd.h"
#include "twinsift/result.h"

namespace twinsift::cli {

class Background {
 public:
  // If wanted, the caller becomes two: see parent_status().  Requires: no other thread runs.
  static Result<Background> begin(bool wanted);

  // In the one that was started: its exit status, once the other one is ready or has failed.  In
  // the other one, and if nothing was wanted: nothing.
  std::optional<int> parent_status();

  // The one in the background works: it lets go of the terminal and writes to `log` from now on.
  Status ready(const std::string& log);

 private:
  Background() = default;

  int child_ = -1;  // in the parent
  Fd pipe_;         // to read in the parent, to write in the child
};

}  // namespace twinsift::cli
