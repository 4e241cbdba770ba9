// SPDX-License-Identifier: Apache-2.0
// Small inputs that are read whole: lists and tables.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "twinsift/result.h"

namespace twinsift::cli {

// "standard input" for "-", otherwise the name itself.
std::string input_name(const std::string& path);

inline constexpr std::uint64_t kMostInput = std::uint64_t{1} << 32U;  // a list of 10^7 files

// The whole content of a file, of a pipe, or of standard input if the path is "-".  kCancelled once
// a stop is requested, even if nothing ever comes; kLimit if there are more than `most` bytes.
Result<std::string> read_input(const std::string& path, const std::stop_token& stop,
                               std::uint64_t most = kMostInput);

}  // namespace twinsift::cli
