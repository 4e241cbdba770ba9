// SPDX-License-Identifier: Apache-2.0
// How many entries there is room for under a key (net/crowd.h), for all who plan or count labels.
#pragma once

#include <cstddef>

namespace twinsift::net {

inline constexpr std::size_t kMostEntries = 224;  // under one key: 62 KB of at most 65 KB
// Who asks follows a bucket before it is full: entries above one may have expired since.
inline constexpr std::size_t kCrowd = kMostEntries * 3 / 4;

}  // namespace twinsift::net
