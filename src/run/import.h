// SPDX-License-Identifier: Apache-2.0
// A report of another program, looked at: which of its groups are groups, by our own comparison.
#pragma once

#include "twinsift/pipeline.h"
#include "twinsift/report.h"

namespace twinsift {

// Of `claimed` only the paths, and who is with whom, are taken over.  Files that are gone are
// skipped, names of one file become one member, sizes, times and digests are read from the disk.
// The first member of a group, or one from a reference folder, is the one to keep; members with
// other bytes are compared with it, and those below the threshold leave the group, which a note
// tells.  Those that left and have equal bytes among themselves are a group of their own.
TWINSIFT_EXPORT Result<Report> verify_report(const Report& claimed, const FindOptions& options);

}  // namespace twinsift
