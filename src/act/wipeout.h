// SPDX-License-Identifier: Apache-2.0
// The alarm for a plan that takes too much: nearly always a wrong threshold, a chained group or a
// forgotten option, and it is cheaper to ask once than to undo a library.
//
// A folder alarms if the plan takes more than half of the files in it and below, and there are at
// least 20 of them.  A group alarms if it holds more than 1 % of all items, which means something
// only from 2,000 items on.  An exact duplicate that becomes a link takes nothing: each name still
// leads to the same bytes.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "act/plan.h"

namespace twinsift {

inline constexpr std::uint64_t kAlarmFolder = 20;
inline constexpr std::uint64_t kAlarmItems = 2000;

// One sentence for each alarm.  `leave_out` are the actions that are done already; `allowed` are
// the paths for which the alarm is lifted, absolute and real, with everything below them.
std::vector<std::string> wipeout_alarms(const Plan& plan, const std::set<std::uint64_t>& leave_out,
                                        const std::vector<std::string>& allowed);

}  // namespace twinsift
