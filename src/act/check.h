// SPDX-License-Identifier: Apache-2.0
// What is wrong with a plan as a whole.  A plan may have been written by anybody; it is done either
// as it stands or, if one line of it breaks a rule, not at all.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "act/plan.h"

namespace twinsift {

struct CheckOptions {
  std::vector<std::string> protect{};        // beside those of the plan
  std::vector<std::string> allow_wipeout{};  // paths for which the alarm is lifted
  bool unreviewed = false;                   // near-duplicates may go without a review mark
  std::set<std::uint64_t> leave_out{};       // actions that are done already
};

// The reasons to refuse the plan, each one sentence; none: it may be done.
//
//   R1  a file that is kept by one line may not go by another, and none may go twice
//   R2  a file is never its own duplicate, whatever paths, links or mounts lead to it
//   R5  nothing below a protected path goes
//   R6  every line has its whole proof
//   R9  wipe-out alarm, see wipeout.h
//   R12 what a line takes along belongs to its file, and nothing that belongs to it stays
//   R14 near-duplicates need a review mark; with `unreviewed` they may be quarantined
std::vector<std::string> reasons_to_refuse(const Plan& plan, const CheckOptions& options);

}  // namespace twinsift
