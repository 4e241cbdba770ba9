// SPDX-License-Identifier: Apache-2.0
// What the page needs to know of recordings beyond the JSON of the report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twinsift/report.h"

namespace twinsift {

bool is_recording(const Group& group);

// More fields of the JSON of a group: of each pair `words`, `changes` and why it `stays`, then
// `coverage_words`, `gain` and, if asked for, the loudness of each member in `strips`.
void append_recording_fields(const Group& group, bool with_peaks, std::string& out);

// The strips of the members: each pair brings two, and the one to keep is in many; null if unknown.
std::vector<const RecordingStrip*> strips_of(const Group& group);

// The frames that are pictures by their heads, as a template of the page; empty if there are none.
std::string frames_template(std::uint64_t group, std::size_t member, const RecordingStrip& strip);

}  // namespace twinsift
