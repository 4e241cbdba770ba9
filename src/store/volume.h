// SPDX-License-Identifier: Apache-2.0
// Which file system a path lies on.  A file on a disk that is not there is offline, not gone.
#pragma once

#include <cstdint>
#include <string>

#include "twinsift/result.h"

namespace twinsift {

// The volume of the path or, if it is not there, of the nearest folder above it that is.
// Requires: an absolute path.
Result<std::uint64_t> volume_of(const std::string& path);

// Whether something that was at this path, on this volume, is out of reach rather than gone: where
// it was there is another volume now.
bool is_offline(const std::string& path, std::uint64_t volume);

// Whether the path, which was on this volume, is gone rather than out of reach.  What cannot be
// looked at is not gone.
bool has_vanished(const std::string& path, std::uint64_t volume);

}  // namespace twinsift
