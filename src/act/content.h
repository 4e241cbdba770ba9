// SPDX-License-Identifier: Apache-2.0
// The content of open files, read again just before something is done to them.
#pragma once

#include <stop_token>
#include <string>

#include "twinsift/result.h"

namespace twinsift {

// An open file and what messages call it.
struct OpenContent {
  int fd = -1;
  std::string path;
};

// XXH3-128 of everything, 32 hex digits.  Does not move the file's own position.
Result<std::string> digest_of(const OpenContent& file, const std::stop_token& stop);

// Whether both hold the same bytes, compared one by one.
Result<bool> same_bytes(const OpenContent& a, const OpenContent& b, const std::stop_token& stop);

}  // namespace twinsift
