// SPDX-License-Identifier: Apache-2.0
// Puts back what an action took away, however far it came: the one way back for an action that
// failed, for a run that was killed, and for undo.
//
// Nothing is believed but the disk.  For each file there are three places where it can be: its own
// path, its number in the quarantine, and the temporary name beside it.  Which of them holds the
// old file, and which the link that was to replace it, says what is left to do; doing it again
// after a kill begins with the same look.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "act/journal.h"
#include "act/runs.h"
#include "twinsift/result.h"

namespace twinsift {

enum class Restored : std::uint8_t {
  kBack,     // the file is where it was
  kMissing,  // it is at none of the three places
};

// An error names the path that holds the file.
Result<Restored> restore_file(const Intent& intent, const TakenFile& file);

// All files of an action, the last first; then the times of their folders, where they are known
// and nobody else changed the folder.  kMissing if one file is missing; goes on after an error
// and returns the first.
Result<Restored> restore(const RunItem& item);

// The paths of an action that hold something which does not belong there.
std::vector<std::string> leftovers(const Intent& intent);

// The folders of an action as they are now.
std::vector<FolderRecord> folders_now(const std::vector<FolderRecord>& folders);

}  // namespace twinsift
