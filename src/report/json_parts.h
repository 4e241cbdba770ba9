// SPDX-License-Identifier: Apache-2.0
// The pieces of the JSON report.  json, ndjson and html are built from the same ones, so that
// a field means and is called the same everywhere.  Most append the fields of one object
// without its braces: ndjson puts "v" and "type" before them.
#pragma once

#include <string>
#include <string_view>

#include "report/coverage.h"
#include "twinsift/report.h"

namespace twinsift {

// "key":"..." for a path, and, if it is no UTF-8, "key_b64":"..." with its real bytes.
void append_path(std::string_view key, std::string_view path, std::string& out);

// Whole objects, with their braces.  No role: none is told.
TWINSIFT_EXPORT void append_member(const Member& member, std::string_view role, std::string& out);
TWINSIFT_EXPORT void append_evidence(const Evidence& evidence, std::string& out);

void append_run(const RunInfo& run, std::string& out);
void append_progress(const Progress& progress, std::string& out);
void append_skipped(const Skipped& skipped, std::string& out);
void append_group(const Group& group, std::string& out);
void append_link(const RecordingLink& link, std::string& out);
// A recording that several others have together.
void append_together(const LinkedCoverage& linked, std::string& out);
void append_folder(const FolderPair& pair, std::string& out);
void append_notes_and_stats(const Report& report, std::string& out);

}  // namespace twinsift
