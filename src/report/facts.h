// SPDX-License-Identifier: Apache-2.0
// What follows from a report and is shown by several formats, and how people read numbers.  The
// exported ones are used by the program, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/report.h"

namespace twinsift {

// For each member the comparison with the one to keep; null for that one itself.
std::vector<const MemberPair*> pairs_by_member(const Group& group);

// The bytes that would be free if every member went that may go: see must_stay.h.
std::uint64_t bytes_to_gain(const Group& group);

// "keeper", "duplicate", or "related" for a member that must stay; `pair` is its comparison with
// the keeper, if there is one.
std::string_view role_of(const Group& group, std::size_t place, const MemberPair* pair);

TWINSIFT_EXPORT std::string_view relation_name(Relation relation);  // "same", "contains", ...

// "999 B", "1.2 kB", "38.2 GB": powers of 1000.
TWINSIFT_EXPORT std::string human_bytes(std::uint64_t bytes);
// "1,204".
TWINSIFT_EXPORT std::string human_count(std::uint64_t n);
// "1 file", "1,204 files".
TWINSIFT_EXPORT std::string counted(std::uint64_t n, std::string_view noun);

std::string human_percent(double share);  // "97.2 %"; never rounded up to "100.0 %"
// "48 %", "less than 1 %"; 100 only for all, and 0 only for nothing.
std::string whole_percent(double share);
std::string utc_time(std::int64_t ns);  // "2026-01-31T12:00:00.000000000Z"
// The reverse, for that form alone; empty if it is no such time.
std::optional<std::int64_t> parse_utc_time(std::string_view text);

}  // namespace twinsift
