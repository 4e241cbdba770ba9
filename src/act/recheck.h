// SPDX-License-Identifier: Apache-2.0
// The look at both files just before something is done to one of them.
//
// The plan is a claim about the past.  Each file is opened without following a link and compared
// with its proof; then its content is read again: the bytes of exact duplicates are compared one
// by one, and the similarity of near-duplicates is computed again, from loser and keeper directly.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "act/disk.h"
#include "act/plan.h"
#include "base/fd.h"
#include "twinsift/result.h"

namespace twinsift {

// An open file that is what the plan says it is.
struct Checked {
  OpenSpot spot;
  Fd file;
  struct stat status {};
};

struct CheckedAction {
  Checked loser;
  Checked keeper;
  std::vector<Checked> companions;
};

// Opens the files of an action and compares size, mtime, device and inode.  An error means that
// the action must not be done; its sentence says why.
Result<CheckedAction> open_checked(const PlannedAction& action);

// Compares the contents.
Status check_contents(const CheckedAction& checked, const PlannedAction& action, double threshold,
                      const std::stop_token& stop);

// Fails if the open file was written to since it was checked.
Status check_unchanged(const Checked& checked);

}  // namespace twinsift
