// SPDX-License-Identifier: Apache-2.0
// Runs a program to its end, and tells what it wrote.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/fd.h"
#include "twinsift/result.h"

namespace twinsift {

// What the program at `path` writes to its standard output, given `input` as its standard input.
// Its errors go where ours do.  kIo: it cannot be run, or ends with anything but 0; kCancelled: it
// was killed, because `stop` was asked for.
Result<std::string> run_program(const std::string& path, const std::vector<std::string>& arguments,
                                const Fd& input, const std::stop_token& stop);

}  // namespace twinsift
