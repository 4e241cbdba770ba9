// SPDX-License-Identifier: Apache-2.0
// One action of a plan, from the open files to the line in the journal that says it is done.
#pragma once

#include <cstdint>
#include <string>

#include "act/journal.h"
#include "act/plan.h"
#include "act/quarantine.h"
#include "act/recheck.h"
#include "twinsift/result.h"

namespace twinsift {

// Everything that undo needs to know, from the files as they are.  Makes the quarantine folder
// and its manifest, touches nothing else.
Result<Intent> make_intent(std::uint64_t n, const PlannedAction& action,
                           const CheckedAction& checked, Quarantine& quarantine);

// Does it.  Requires: the intent is in the journal.  After an error, restore() puts back what
// has been moved.
Status perform(const Intent& intent, const CheckedAction& checked);

}  // namespace twinsift
