// SPDX-License-Identifier: Apache-2.0
// Where a user's journals and quarantine are, by the XDG base directory specification.
#pragma once

#include <string>

#include "twinsift/result.h"

namespace twinsift {

Result<std::string> runs_folder();             // $XDG_STATE_HOME/twinsift/runs
Result<std::string> home_quarantine_folder();  // $XDG_DATA_HOME/twinsift/quarantine

// Makes a folder and those above it that are missing, for its owner alone, and syncs them.
Status make_private_folders(const std::string& path);

}  // namespace twinsift
