// SPDX-License-Identifier: Apache-2.0
// A report without what was there before: for those who look at their files again and again.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "twinsift/report.h"

namespace twinsift {

// Keeps the groups with a member that was modified at `since_ns` or later, and numbers them anew.
// Such a group keeps its old members, too: they are what the new one duplicates.
void keep_new_groups(Report& report, std::int64_t since_ns);

// Keeps the pairs of folders with one of these files below either of the two.
// Requires: `fresh` is sorted by bytes.
void keep_new_folders(Report& report, std::span<const std::string_view> fresh);

// Keeps the links with one of these files at either end.  Requires: as above.
void keep_new_links(Report& report, std::span<const std::string_view> fresh);

}  // namespace twinsift
