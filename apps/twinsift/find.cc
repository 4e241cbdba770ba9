// SPDX-License-Identifier: Apache-2.0
// twinsift find PATH...
#include <chrono>

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "input.h"
#include "output.h"
#include "report/import.h"
#include "run/import.h"
#include "signals.h"
#include "twinsift/pipeline.h"

namespace twinsift::cli {
namespace {

FindOptions find_options(const Arguments& args) {
  FindOptions options;
  options.match = match_options(args);
  options.match.sketch = args.text("sketch", options.match.sketch);
  options.match.filter = args.text("filter", options.match.filter);
  options.match.candidates = args.text("candidates", options.match.candidates);
  options.match.threads = args.count("threads", 0);
  options.match.memory = args.size("memory", 0);
  options.match.temp_dir = args.text("temp-dir", "");
  options.walk = walk_options(args);
  options.references = args.list("ref");
  options.cross = args.flag("cross");
  options.exact_only = args.flag("exact");
  options.folders = !args.flag("no-folders");
  options.explain = args.flag("explain") || args.text("format", "text") == "html";
  if (!args.flag("no-index")) options.collection = collection_of(args);
  options.retry_failed = args.flag("retry-failed");
  options.new_since_ns = moment_of(args, "new-since");
  return options;
}

// Adds the paths of a NUL-separated list to `paths`.
Status read_list(const std::string& name, const std::stop_token& stop,
                 std::vector<std::string>& paths) {
  TWINSIFT_TRY(const std::string all, read_input(name, stop));
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\0', begin), all.size());
    if (end > begin) paths.emplace_back(all, begin, end - begin);
    begin = end + 1;
  }
  return ok();
}

Result<std::vector<std::string>> paths_of(const Arguments& args, const std::stop_token& stop) {
  std::vector<std::string> paths = args.operands();
  if (args.given("import")) {
    if (paths.empty() && !args.given("files0-from") && !args.given("ref")) return paths;
    return Error{ErrorCode::kInvalidArgument,
                 "--import looks at the files of a report; it takes no other paths"};
  }
  if (args.given("files0-from")) {
    TWINSIFT_TRY([[maybe_unused]] auto done, read_list(args.text("files0-from", ""), stop, paths));
  } else if (paths.empty()) {
    return Error{ErrorCode::kInvalidArgument, "find needs a PATH, as in: twinsift find ."};
  }
  return paths;
}

// Lets the library talk to the person and, while the search goes on, to a live reporter.
Callbacks callbacks_for(Console& console, Reporter* live, Output& output,
                        const std::stop_token& stop) {
  Callbacks callbacks;
  callbacks.progress = [&console](const Progress& progress) { console.progress(progress); };
  callbacks.skipped = [&console](const Skipped& skipped) { tell_skipped(console, skipped); };
  callbacks.stop = stop;
  if (live == nullptr) return callbacks;
  callbacks.started = [live, &output](const RunInfo& run) {
    live->begin(run);
    output.flush();
  };
  // A program that reads the progress wants to know once a second, not once per file.
  using Clock = std::chrono::steady_clock;
  callbacks.progress = [live, &console, &output,
                        last = Clock::time_point{}](const Progress& progress) mutable {
    console.progress(progress);
    const auto now = Clock::now();
    if (now - last < std::chrono::seconds(1)) return;
    last = now;
    live->progress(progress);
    output.flush();
  };
  callbacks.skipped = [live, &console, &output](const Skipped& skipped) {
    live->skip(skipped);
    output.flush();
    tell_skipped(console, skipped);
  };
  return callbacks;
}

// Looks for duplicates below the paths, or at those of a report.
Result<Report> find_or_import(const Arguments& args, const std::vector<std::string>& paths,
                              const FindOptions& options) {
  if (!args.given("import")) return find(paths, options);
  TWINSIFT_TRY(const Report claimed,
               import_report_file(args.text("import", ""), options.callbacks.stop));
  return verify_report(claimed, options);
}

Result<Report> search(const Arguments& args, const std::vector<std::string>& paths,
                      FindOptions options, Console& console) {
  const std::string target = args.text("output", "-");
  TWINSIFT_TRY(Output output, Output::open(target));
  const std::string format = args.text("format", "text");
  const bool live = format == "ndjson";  // the others tell the whole story at its end
  const ReportOptions look{.colour = colour_output(args), .null_separated = args.flag("null")};
  TWINSIFT_TRY(const auto reporter, make_reporter(format, look, [&](std::string_view bytes) {
                 return output.write(bytes);
               }));
  const std::stop_token stop = options.callbacks.stop;
  options.callbacks = callbacks_for(console, live ? reporter.get() : nullptr, output, stop);
  TWINSIFT_TRY(Report report, find_or_import(args, paths, options));
  console.clear();
  if (!live) reporter->begin(report.run);
  write_report(report, *reporter);
  TWINSIFT_TRY([[maybe_unused]] auto done, output.finish());
  return report;
}

}  // namespace

int run_find(const Arguments& args, const std::string& command_line) {
  Console console(!args.flag("quiet") && !args.flag("no-progress"), args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  const auto paths = paths_of(args, signals.token());
  if (!paths) return fail(console, paths.error());
  const std::string target = args.text("output", "-");
  if (is_one_of(target, {args.text("import", "-")}) || is_one_of(target, *paths) ||
      is_one_of(target, args.list("ref"))) {
    return refuse(console, target);
  }
  FindOptions options = find_options(args);
  options.command = command_line;
  options.callbacks.stop = signals.token();
  const auto report = search(args, *paths, options, console);
  if (!report) return fail_collection(console, report.error(), options.collection);
  for (const std::string& note : report->notes) console.note(note);
  if (args.flag("verbose")) tell_stages(console, report->run, report->stages, report->peak_rss);
  return finished(args, !report->groups.empty(), !report->skipped.empty());
}

}  // namespace twinsift::cli
