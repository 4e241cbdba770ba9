// SPDX-License-Identifier: Apache-2.0
// Takes a run back: every file to its place, the last action first.
//
// Undo can be killed and repeated; it never replaces a file that has appeared since, and what it
// cannot put back stays where it is, named in the message.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct UndoItem {
  std::string path;    // of the file that went
  std::string reason;  // empty: it is back
};

struct UndoOptions {
  std::string run;           // empty: the last one that did something
  std::string collection{};  // is told of what is back; empty: none
  std::function<void(const UndoItem&)> item{};
  std::stop_token stop{};
};

struct UndoSummary {
  std::string run;
  std::string journal;
  std::uint64_t undone = 0;  // actions
  std::uint64_t before = 0;  // were back already
  std::uint64_t purged = 0;  // cannot come back
  std::uint64_t failed = 0;
  bool interrupted = false;
  std::string trouble;  // why the collection was not told
};

TWINSIFT_EXPORT Result<UndoSummary> undo_run(const UndoOptions& options);

// One line for each run, oldest first.
struct RunLine {
  std::string run;
  std::string command;
  std::uint64_t actions = 0;  // in the plan
  std::uint64_t held = 0;     // in the quarantine, or begun and not finished
  std::uint64_t back = 0;     // undone, or failed and put back
  std::uint64_t purged = 0;
  std::uint64_t bytes = 0;  // in the quarantine
  bool ended = false;
  std::string error;  // the journal cannot be read
};
TWINSIFT_EXPORT Result<std::vector<RunLine>> list_runs();

}  // namespace twinsift
