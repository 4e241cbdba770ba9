// SPDX-License-Identifier: Apache-2.0
// What the commands that run the pipeline have in common: how they end and what they tell.
#include <chrono>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/moment.h"
#include "commands.h"
#include "output.h"
#include "report/facts.h"
#include "signals.h"

namespace twinsift::cli {
namespace {

// Every error of a collection begins with its path or that of a file in it.
bool begins_with_path(std::string_view message, std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  if (path.empty() || !message.starts_with(path)) return false;
  message.remove_prefix(path.size());
  return message.starts_with('/') || message.starts_with(':');
}

}  // namespace

int fail(Console& console, const Error& error) {
  console.clear();
  const int interrupted = SignalWatch::exit_status();
  if (error.code == ErrorCode::kCancelled && interrupted != 0) {
    console.note("interrupted; nothing was changed");
    return interrupted;
  }
  // A reader who has seen enough has closed the pipe; the library calls that cancelled.
  const bool by_reader = error.code == ErrorCode::kIo || error.code == ErrorCode::kCancelled;
  if (by_reader && standard_output_closed()) return kDone;
  console.error(error.message);
  return kFailed;
}

int fail_collection(Console& console, const Error& error, const std::string& collection) {
  const int status = fail(console, error);
  const bool damaged = error.code == ErrorCode::kCorrupt || error.code == ErrorCode::kUnsupported ||
                       error.code == ErrorCode::kIo;
  return damaged && status == kFailed && begins_with_path(error.message, collection)
             ? kBadCollection
             : status;
}

std::string collection_of(const Arguments& arguments) {
  if (arguments.given("index")) return arguments.text("index", "");
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return std::string(value == nullptr ? "" : value);
  };
  // The XDG specification says that relative paths are to be ignored.
  if (const std::string data = variable("XDG_DATA_HOME"); data.starts_with('/')) {
    return data + "/twinsift/collection";
  }
  const std::string home = variable("HOME");
  return home.starts_with('/') ? home + "/.local/share/twinsift/collection" : "";
}

MatchOptions match_options(const Arguments& args) {
  const std::string level = args.text("level", "same");
  MatchOptions options;
  options.level = level == "edited"    ? Level::kEdited
                  : level == "similar" ? Level::kSimilar
                                       : Level::kSame;
  options.threshold = args.share("threshold", 0);
  options.recall = args.share("recall", options.recall);
  options.features = args.text("features", options.features);
  options.pictures = args.text("pictures", options.pictures);
  options.sound = args.text("sound", options.sound);
  options.film = args.text("film", options.film);
  return options;
}

std::optional<std::int64_t> moment_of(const Arguments& args, std::string_view name) {
  if (!args.given(name)) return std::nullopt;
  const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
  const auto moment = parse_moment(args.text(name, ""), now.count());
  return moment ? std::optional(*moment) : std::nullopt;
}

WalkOptions walk_options(const Arguments& args) {
  return {.hidden = args.flag("hidden"),
          .follow_links = args.flag("follow-links"),
          .one_file_system = args.flag("one-file-system"),
          .max_depth = args.given("max-depth") ? static_cast<int>(args.count("max-depth", 0)) : -1,
          .min_size = args.size("min-size", 1),
          .max_size = args.size("max-size", 0),
          .names = args.list("name"),
          .exclude = args.list("exclude")};
}

int refuse(Console& console, const std::string& output) {
  console.error(fmt::format("refused, because '{}' is also an input and would be overwritten",
                            escape_for_terminal(output)));
  return kRefused;
}

int finished(const Arguments& arguments, bool found, bool skipped) {
  if (found && arguments.flag("exit-code")) return kFound;
  return skipped ? kSkippedSome : kDone;
}

bool colour_output(const Arguments& arguments) {
  const std::string when = arguments.text("color", "auto");
  const std::string target = arguments.text("output", "-");
  return target == "-" ? use_colour(when, STDOUT_FILENO) : when == "always";
}

void tell_skipped(Console& console, const Skipped& skipped) {
  console.note(fmt::format("skipped {}: {}{}{}", skipped.path, skipped.reason,
                           skipped.detail.empty() ? "" : ": ", skipped.detail));
}

void tell_trouble(Console& console, const std::string& trouble) {
  if (!trouble.empty()) console.note("the collection was not told: " + trouble);
}

void tell_stages(Console& console, const RunInfo& run, const std::vector<StageStats>& stages,
                 std::uint64_t peak_rss) {
  if (!run.guarantee.empty()) console.note(run.guarantee);
  for (const StageStats& stage : stages) {
    std::string line =
        fmt::format("{}: {} items, {}, {:.2f} s", stage.name, human_count(stage.items),
                    human_bytes(stage.bytes), stage.seconds);
    for (const auto& [name, count] : stage.counts)
      line += fmt::format(", {} {}", human_count(count), name);
    console.note(line);
  }
  console.note(fmt::format("peak memory {}", human_bytes(peak_rss)));
}

}  // namespace twinsift::cli
