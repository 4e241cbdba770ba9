// SPDX-License-Identifier: Apache-2.0
// What time it is.  Nothing of a peer looks at a clock: it is told, so that hours pass in a test as
// fast as they can be computed.
#pragma once

#include <chrono>
#include <cstdint>

namespace twinsift::net {

struct Moment {
  double seconds = 0;             // of std::chrono::steady_clock, which never goes back
  std::int64_t unix_seconds = 0;  // since 1970, as the machine believes; it may jump
};

inline std::chrono::steady_clock::time_point steady_time(double seconds) {
  return std::chrono::steady_clock::time_point(
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(
          std::chrono::duration<double>(seconds)));
}

inline double steady_seconds(std::chrono::steady_clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

}  // namespace twinsift::net
