// SPDX-License-Identifier: Apache-2.0
// A plan: what would be done to which file, with the proof beside each line.
//
// A plan is NDJSON that a person may read and edit: one header, then one line for each file that
// would go.  Whoever acts on it believes none of it: each line says what the files were when the
// plan was made (size, times, device, inode, digest of the file and of the one that is kept), and
// is checked against the disk again before anything is touched.  docs/PLAN.md has every field.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// What becomes of a file that is not kept.
enum class Action : std::uint8_t {
  kQuarantine,  // moved away, where undo finds it
  kHardlink,    // replaced by a hard link to the keeper
  kSymlink,     // replaced by a symbolic link to the keeper
  kReflink,     // replaced by a copy that shares the keeper's blocks
  kDeleteList,  // named in a list for another tool; nothing is touched
};
std::string_view action_name(Action action);
Result<Action> parse_action(std::string_view name);

// Which file is meant, and what it was.
struct FileProof {
  std::string path;  // absolute, real bytes
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::string digest;  // XXH3-128 of the content, 32 hex digits
};

// One line: the loser goes, because the keeper stays.
struct PlannedAction {
  std::uint64_t group = 0;
  Action action = Action::kQuarantine;
  FileProof loser;
  FileProof keeper;
  bool exact = false;                   // the same bytes
  double score = 0;                     // of these two, by exact computation
  std::string detector;                 // spec that computed the score; "bytes" if exact
  std::string rule;                     // the keep rule that decided
  bool reviewed = false;                // a person has looked at this pair
  std::vector<FileProof> companions{};  // files that go with the loser
  std::vector<std::string> lacks{};     // what the loser has and the keeper lacks
};

struct PlanHeader {
  std::string version;
  std::string created;  // 2026-01-31T12:00:00Z
  std::string command;
  double threshold = 0;
  std::string keep;                    // the rules as given
  std::vector<std::string> protect{};  // absolute paths whose files are never touched
  std::uint64_t items = 0;             // files the report looked at; 0 if unknown
};

struct Plan {
  PlanHeader header;
  std::vector<PlannedAction> actions{};
};

std::string plan_header_line(const PlanHeader& header);     // with its newline
std::string plan_action_line(const PlannedAction& action);  // with its newline

// Reads a plan that somebody may have edited.  A line that is no JSON, lacks part of its proof, or
// has a field of the wrong kind is an error that names the line and the field: half a plan is none.
Result<Plan> read_plan(const std::string& path_or_dash);
// The same for a whole plan in memory; `name` is what errors call it.
Result<Plan> parse_plan(std::string_view bytes, const std::string& name);

}  // namespace twinsift
