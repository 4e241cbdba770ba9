// SPDX-License-Identifier: Apache-2.0
// Companions stay together (see companions.h): either a file and all that belongs to it go, or
// none of them does.
//
// For each file that would go:
//   a companion that goes by a line of its own is fine;
//   one that stays as a member of some group, or is protected, keeps the file;
//   the other half of it (RAW, Live Photo) goes along only if the keeper has the same beside it;
//   a sidecar of either goes along, unless it says something about another file that stays, too;
//   a sidecar itself goes only with the file it says something about.
// Keeping one file may keep others, so this is repeated until nothing changes.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "act/live_file.h"
#include "act/plan.h"

namespace twinsift {

// Takes the actions away that would part companions, says why in `left_out`, and gives the others
// their companions.  `members` are the real paths of all files of the report.
void check_companions(std::vector<PlannedAction>& actions, const std::set<std::string>& members,
                      const ProtectedFolders& folders, std::vector<Skipped>& left_out);

}  // namespace twinsift
