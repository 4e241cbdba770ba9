// SPDX-License-Identifier: Apache-2.0
// What time it is.  Nothing of a peer looks at a clock: it is told, so that hours pass in a test as
// fast as they can be computed.
#pragma once

#include <cstdint>

namespace twinsift::net {

struct Moment {
  double seconds = 0;             // of a clock that never goes back
  std::int64_t unix_seconds = 0;  // seconds since 1970, as the machine believes; it may jump
};

}  // namespace twinsift::net
