// SPDX-License-Identifier: Apache-2.0
// Small inputs that are read whole: lists and tables.
#pragma once

#include <stop_token>
#include <string>

#include "twinsift/result.h"

namespace twinsift::cli {

// "standard input" for "-", otherwise the name itself.
std::string input_name(const std::string& path);

// The whole content of a file, of a pipe, or of standard input if the path is "-".  kCancelled once
// a stop is requested, even if nothing ever comes.
Result<std::string> read_input(const std::string& path, const std::stop_token& stop);

}  // namespace twinsift::cli
