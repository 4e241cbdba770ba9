// SPDX-License-Identifier: Apache-2.0
// Ages and moments as people write them: "30d", "2026-01-31".  The program uses them, too.
// Errors say what is allowed and do not repeat the text.
#pragma once

#include <cstdint>
#include <string_view>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// Seconds from "30d", "12h", "2w", "90m" or "10s".
TWINSIFT_EXPORT Result<std::int64_t> parse_age(std::string_view text);

// Nanoseconds since 1970 of "2026-01-31", "2026-01-31T12:00" or "2026-01-31T12:00:30", by the local
// clock or, with a Z at the end, by UTC; or of an age before `now_ns`.  Years 1970 to 2200.
TWINSIFT_EXPORT Result<std::int64_t> parse_moment(std::string_view text, std::int64_t now_ns);

}  // namespace twinsift
