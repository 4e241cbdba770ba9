// SPDX-License-Identifier: Apache-2.0
// The commands.  Each takes checked arguments and returns the exit status of the process.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli.h"
#include "terminal.h"
#include "twinsift/pipeline.h"

namespace twinsift::cli {

enum ExitCode : int {
  kDone = 0,
  kFound = 1,  // only with --exit-code
  kFailed = 2,
  kSkippedSome = 3,
  kRefused = 4,
  kFailedSome = 5,
  kBadCollection = 6,  // damaged, locked or too new
};

// `command_line` is what was typed, for the report.
int run_find(const Arguments& arguments, const std::string& command_line);
int run_compare(const Arguments& arguments);
int run_plan(const Arguments& arguments, const std::string& command_line);
int run_dedup(const Arguments& arguments, const std::string& command_line);
int run_index(const Arguments& arguments);
int run_query(const Arguments& arguments);
// Becomes the program twinsift-peer, which reads these words itself.
int run_peer(std::span<const std::string> words);
int run_apply(const Arguments& arguments, const std::string& command_line);
int run_undo(const Arguments& arguments);
int run_purge(const Arguments& arguments);
int run_doctor();
int run_config(const Arguments& arguments);
int run_tune(const Arguments& arguments);
int run_eval(const Arguments& arguments);
int run_train(const Arguments& arguments);

// Says the error and returns the exit status that belongs to it.
int fail(Console& console, const Error& error);

// The same where a collection is in play, which may be none: if the error is about that one,
// because it is damaged, locked, too new or out of reach, the status says so.
int fail_collection(Console& console, const Error& error, const std::string& collection);

// Where the collection is: what --index says, else the person's own; empty if there is no home.
std::string collection_of(const Arguments& arguments);

// How alike things must be, from the options that find and query share.
MatchOptions match_options(const Arguments& arguments);
// Nanoseconds since 1970 of a date, or of an age before now; nothing if it is not given.
std::optional<std::int64_t> moment_of(const Arguments& arguments, std::string_view name);
// Which files are looked at.
WalkOptions walk_options(const Arguments& arguments);

// Says that the output is one of the inputs; returns kRefused.
int refuse(Console& console, const std::string& output);

// The exit status of a run that came to its end.
int finished(const Arguments& arguments, bool found, bool skipped);

// Whether the result is to be coloured: a file is only if that was asked for.
bool colour_output(const Arguments& arguments);

void tell_skipped(Console& console, const Skipped& skipped);

// Why the collection does not know what was done, if there is a reason.
void tell_trouble(Console& console, const std::string& trouble);

// What --verbose adds: how the promise was kept and where the time went.
void tell_stages(Console& console, const RunInfo& run, const std::vector<StageStats>& stages,
                 std::uint64_t peak_rss);

}  // namespace twinsift::cli
