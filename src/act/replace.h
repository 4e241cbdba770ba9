// SPDX-License-Identifier: Apache-2.0
// A link takes the place of a file, and at no moment is there neither.
//
// The old file first gets a second name in the quarantine.  The new thing is made under a
// temporary name in the same folder and checked, then the two names are exchanged, and only after
// a look at what came out is the temporary name removed.  There is no second choice of action: what
// cannot be linked as planned fails.
#pragma once

#include <string>

#include "act/journal.h"
#include "act/recheck.h"
#include "twinsift/result.h"

namespace twinsift {

// The text of a symbolic link to the keeper: relative if both are on one file system.
Result<std::string> symlink_target(const CheckedAction& checked);

// Requires: the intent is in the journal and its action is a hard link, symlink or reflink.
// After an error the caller puts everything back with restore().
Status replace_by_link(const Intent& intent, const CheckedAction& checked);

}  // namespace twinsift
