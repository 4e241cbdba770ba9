// SPDX-License-Identifier: Apache-2.0
#include "eval/find_copies.h"

#include <fmt/format.h>

#include "base/escape.h"

namespace twinsift {

bool is_judged(std::size_t number, Half half) {
  return half == Half::kAll || (number % 2 == 0) == (half == Half::kEven);
}

Result<Report> find_copies(const CopySearch& search, Level level, std::string_view name,
                           CopyRun& run, double& seconds) {
  const Stopwatch stopwatch;
  FindOptions options;
  options.match.level = level;
  options.match.threads = search.threads;
  options.match.temp_dir = search.temp_dir;
  options.match.sound = search.sound;
  options.match.film = search.film;
  options.references = {search.originals};
  options.cross = true;
  options.collection = search.collection;
  options.folders = false;
  options.callbacks.stop = run.callbacks().stop;
  options.callbacks.skipped = [&](const Skipped& skipped) { run.skip(skipped); };
  options.callbacks.progress = [&](Progress progress) {
    const std::string stage = fmt::format("{}: {}", name, progress.stage);
    progress.stage = stage;
    if (run.callbacks().progress) run.callbacks().progress(progress);
  };
  auto report = find(search.copies, options);
  seconds = stopwatch.seconds();
  return report;
}

std::string list_of(const std::vector<WrongMatch>& wrong) {
  std::string out = "level\tcopies\toriginal\tother\n";
  for (const WrongMatch& match : wrong) {
    out += fmt::format("{}\t{}\t{}\t{}\n", match.level, match.copies,
                       escape_for_terminal(match.original), escape_for_terminal(match.other));
  }
  return out;
}

}  // namespace twinsift
