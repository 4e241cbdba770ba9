// SPDX-License-Identifier: Apache-2.0
// The journal of a run: what is about to be done is on the disk before it is done.
//
// One append-only NDJSON file per run.  Whoever finds it after a crash can tell from its last
// `intend` lines and a look at the disk what happened, finish it or undo it; no other line is
// needed for that.  docs/JOURNAL.md has every field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "act/plan.h"
#include "base/fd.h"
#include "twinsift/result.h"

namespace twinsift {

// A file as it was before the action, and where it is to be found meanwhile.
struct TakenFile {
  std::string path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::string digest;
  std::uint32_t mode = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint64_t links = 0;
  std::vector<std::pair<std::string, std::string>> xattrs{};
  std::string quarantined;  // the path that keeps it
  std::string temp;         // the name under which its replacement is made; empty if none
};

struct FolderRecord {
  std::string path;
  std::int64_t mtime_ns = 0;
  std::uint32_t mode = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
};

// Everything needed to finish or undo one action.
struct Intent {
  std::uint64_t n = 0;  // of the plan's actions, from 0
  std::uint64_t group = 0;
  Action action = Action::kQuarantine;
  bool exact = false;
  std::string target;  // text of the symbolic link
  FileProof keeper;
  std::vector<TakenFile> files{};       // the loser, then its companions
  std::vector<FolderRecord> folders{};  // the folders of these files, each once
};

struct RunHeader {
  std::string run;  // 20260131T120000.123456Z-3fa9
  std::string version;
  std::string command;
  std::string plan;  // SHA-256 of the plan, in hex
  std::uint64_t actions = 0;
  std::string options;  // as a sentence
};

struct RunCounts {
  std::uint64_t done = 0;
  std::uint64_t skipped = 0;
  std::uint64_t failed = 0;
  bool interrupted = false;
};

// The lines of one run, open for appending and locked against every other program.
class Journal {
 public:
  // Makes runs/RUN.plan and runs/RUN.ndjson with its first line, all on the disk on return.
  static Result<Journal> create(const RunHeader& header, std::string_view plan_text);
  // To go on with a run.  kLimit if another program is at work on it.
  static Result<Journal> open(const std::string& path);

  Status intend(const Intent& intent);
  Status done(std::uint64_t n, const std::vector<FolderRecord>& folders);
  Status skipped(std::uint64_t n, std::string_view reason);
  Status failed(std::uint64_t n, std::string_view reason, const std::vector<std::string>& where);
  Status end(const RunCounts& counts);
  Status mark(std::string_view type);                   // continue, undo, purge
  Status mark(std::string_view type, std::uint64_t n);  // undone, purging, purged
  Status not_undone(std::uint64_t n, std::string_view reason);

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Journal(Fd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
  Status append(const std::string& line, bool sync);

  Fd fd_;
  std::string path_;
  bool broken_ = false;  // half a line may be there: nothing may follow it
};

// "20260131T120000.123456Z-3fa9", of now.
std::string new_run_name();

// An `intend` line without its newline, which read_run() reads again.
std::string intent_line(const Intent& intent);

}  // namespace twinsift
