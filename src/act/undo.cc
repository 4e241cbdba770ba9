// SPDX-License-Identifier: Apache-2.0
#include "act/undo.h"

#include <cstdint>
#include <optional>
#include <ranges>

#include <fmt/format.h>

#include "act/journal.h"
#include "act/remember.h"
#include "act/restore.h"
#include "act/runs.h"
#include "act/tidy.h"

namespace twinsift {
namespace {

// The run that has acted last.  Not the newest: an old one may have been continued since.  That an
// older journal cannot be read does not matter; a newer one may be the one that is meant.
Result<std::string> last_journal() {
  TWINSIFT_TRY(const auto names, run_names());
  std::string last;
  std::int64_t acted_ns = INT64_MIN;
  std::optional<Error> unread;
  for (const std::string& name : names) {
    TWINSIFT_TRY(const std::string path, journal_of(name));
    const auto run = read_run(path);
    if (!run) {
      unread = run.error();
      continue;
    }
    for (const auto& [n, item] : run->items) {
      if (item.time_ns < acted_ns) continue;
      acted_ns = item.time_ns;
      last = path;
      unread.reset();
    }
  }
  if (unread) return *unread;
  if (!last.empty()) return last;
  return Error{ErrorCode::kNotFound, "there is no run to undo: nothing was ever applied"};
}

class Undo {
 public:
  Undo(const UndoOptions& options, Journal journal)
      : options_(options), journal_(std::move(journal)) {}

  Result<UndoSummary> run(const RunRecord& run) {
    summary_.run = run.header.run;
    summary_.journal = run.path;
    TWINSIFT_TRY([[maybe_unused]] const auto marked, journal_.mark("undo"));
    for (const auto& [n, item] : std::views::reverse(run.items)) {
      if (options_.stop.stop_requested()) {
        summary_.interrupted = true;
        break;
      }
      TWINSIFT_TRY([[maybe_unused]] const auto done, undo_item(item));
    }
    tidy_quarantine(run);
    const Status told = remember_run(run.path, options_.collection);
    if (!told) summary_.trouble = told.error().message;
    return summary_;
  }

 private:
  // An error ends the undo: the journal could not be written.
  Status undo_item(const RunItem& item) {
    if (item.state == ItemState::kBack) {
      ++summary_.before;
      return ok();
    }
    if (item.state == ItemState::kPurged) {
      ++summary_.purged;
      return told(item, "it was freed for good by purge");
    }
    const auto back = restore(item);
    if (!back) return failed(item, back.error().message);
    // What was only begun may not have touched the file at all.
    if (*back == Restored::kMissing && item.state != ItemState::kOpen) {
      return failed(item, fmt::format("{}: it is neither there nor at {}",
                                      item.intent.files[0].path, item.intent.files[0].quarantined));
    }
    ++summary_.undone;
    TWINSIFT_TRY([[maybe_unused]] const auto written, journal_.mark("undone", item.intent.n));
    return told(item, "");
  }

  Status failed(const RunItem& item, const std::string& reason) {
    ++summary_.failed;
    TWINSIFT_TRY([[maybe_unused]] const auto written, journal_.not_undone(item.intent.n, reason));
    return told(item, reason);
  }

  Status told(const RunItem& item, const std::string& reason) {
    if (options_.item) options_.item({item.intent.files[0].path, reason});
    return ok();
  }

  const UndoOptions& options_;
  Journal journal_;
  UndoSummary summary_;
};

}  // namespace

Result<UndoSummary> undo_run(const UndoOptions& options) {
  TWINSIFT_TRY(const std::string path,
               options.run.empty() ? last_journal() : journal_of(options.run));
  TWINSIFT_TRY(Journal journal, Journal::open(path));
  TWINSIFT_TRY(const RunRecord run, read_run(path));
  return Undo(options, std::move(journal)).run(run);
}

Result<std::vector<RunLine>> list_runs() {
  TWINSIFT_TRY(const auto names, run_names());
  std::vector<RunLine> lines;
  for (const std::string& name : names) {
    TWINSIFT_TRY(const std::string path, journal_of(name));
    RunLine line;
    line.run = name;
    const auto run = read_run(path);
    if (!run) {
      line.error = run.error().message;
      lines.push_back(std::move(line));
      continue;
    }
    line.command = run->header.command;
    line.actions = run->header.actions;
    line.ended = run->ended;
    for (const auto& [n, item] : run->items) {
      const bool held = item.state == ItemState::kOpen || item.state == ItemState::kDone;
      ++(held ? line.held : item.state == ItemState::kBack ? line.back : line.purged);
      if (!held) continue;
      for (const TakenFile& file : item.intent.files) line.bytes += file.size;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace twinsift
