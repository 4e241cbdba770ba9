// SPDX-License-Identifier: Apache-2.0
// The runs of the past, as their journals tell of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "act/journal.h"
#include "twinsift/result.h"

namespace twinsift {

enum class ItemState : std::uint8_t {
  kOpen,     // begun; only the disk knows how far it came
  kDone,     // in the quarantine
  kBack,     // failed and restored, or undone: nothing of it is in the quarantine
  kPurging,  // perhaps freed
  kPurged,
};

struct RunItem {
  Intent intent;
  ItemState state = ItemState::kOpen;
  std::vector<std::int64_t> folder_mtimes{};  // after the action, if it is known to be done
  std::int64_t time_ns = 0;                   // of the last intend
};

struct RunRecord {
  std::string path;  // of the journal
  RunHeader header;  // an empty plan: the program was killed before the first line was whole
  std::map<std::uint64_t, RunItem> items{};
  bool ended = false;
  bool undone = false;  // an undo has been begun
};

// Reads a journal.  A torn last line is left out; one that is broken elsewhere is kCorrupt.
Result<RunRecord> read_run(const std::string& journal_path);

// The names of all runs, oldest first.
Result<std::vector<std::string>> run_names();

// The path of the journal of a run; kNotFound says which runs there are.
Result<std::string> journal_of(const std::string& run);
std::string plan_copy_of(const std::string& journal_path);

}  // namespace twinsift
