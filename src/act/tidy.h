// SPDX-License-Identifier: Apache-2.0
// Takes away what an undone or purged run leaves behind: empty folders and manifests.
#pragma once

#include "act/runs.h"

namespace twinsift {

// Removes each quarantine folder of the run that holds nothing but its manifest.  What cannot be
// removed stays: an empty folder harms nobody.
void tidy_quarantine(const RunRecord& run);

}  // namespace twinsift
