// SPDX-License-Identifier: Apache-2.0
// Companions at the moment of acting (see companions.h).  The planner has kept them together, but a
// plan is a text in which people delete lines, and the files may have changed since.
#pragma once

#include <cstdint>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <sys/stat.h>

#include "act/content.h"
#include "act/plan.h"
#include "twinsift/result.h"

namespace twinsift {

// The reasons to refuse a plan because of companions, each one sentence:
//   what a line takes along must belong to the file of the line, else it would go without proof;
//   what belongs to a file that goes must go, too, unless it also belongs to one that stays.
// Actions in `leave_out` are done already: their files count as going, but are not judged.
std::vector<std::string> companion_refusals(const Plan& plan,
                                            const std::set<std::uint64_t>& leave_out);

// A file that goes along with another one.
struct GoesAlong {
  std::string path;  // where it was before it went
  OpenContent content;
  struct stat status {};
};

// The other half of a file (RAW, Live Photo) is content of its own: fails unless a file with the
// same bytes lies beside the keeper.  Sidecars may go without that; the plan says so.
Status check_half(const std::string& loser, const GoesAlong& companion, const std::string& keeper,
                  const std::stop_token& stop);

}  // namespace twinsift
