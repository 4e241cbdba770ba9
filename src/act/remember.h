// SPDX-License-Identifier: Apache-2.0
// Tells a collection what a run has taken away, and what undo has brought back.
//
// The journal is the truth, and the collection is made to agree with it: only what is written down
// as done is told, and telling it again changes nothing.  So it does not matter how often a run was
// killed and continued.
//
// A file that was moved to the quarantine is no longer named, nor is one that a symbolic link took
// the place of.  If the content is gone with it, because the kept file is only nearly the same and
// no other file has it, the collection remembers that it was removed; undo takes that back, purge
// does not.
#pragma once

#include <string>

#include "twinsift/result.h"

namespace twinsift {

// Nothing is done for an empty collection.  An error says what keeps the collection from being
// told; it is never a reason not to act.
Status remember_run(const std::string& journal_path, const std::string& collection);

}  // namespace twinsift
