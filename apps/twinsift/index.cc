// SPDX-License-Identifier: Apache-2.0
// twinsift index ACTION [PATH...]
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "help.h"
#include "json.h"
#include "output.h"
#include "report/facts.h"
#include "signals.h"
#include "twinsift/store.h"

namespace twinsift::cli {
namespace {

// What an action prints, in both formats, and what makes the exit status.
struct Answer {
  std::string text;
  JsonObject json;
  int status = kDone;
};

struct Task {
  const Arguments& args;
  Console& console;
  IndexOptions options;
  std::vector<std::string> paths;  // operands after the action
};

Error usage_error(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Result<Answer> add(Task& task) {
  const bool corpus = task.args.flag("corpus");
  TWINSIFT_TRY(const IndexSummary summary, corpus ? index_corpora(task.paths, task.options)
                                                  : index_files(task.paths, task.options));
  task.console.clear();
  if (task.args.flag("verbose")) tell_stages(task.console, {}, summary.stages, 0);
  Answer answer;
  answer.text = fmt::format("{}, {} of them known already, {} read, {} skipped, {} forgotten\n",
                            counted(summary.items, corpus ? "document" : "file"),
                            human_count(summary.known), human_bytes(summary.bytes),
                            human_count(summary.skipped.size()), human_count(summary.forgotten));
  answer.json.number("items", summary.items)
      .number("known", summary.known)
      .number("bytes", summary.bytes)
      .number("skipped", summary.skipped.size())
      .number("forgotten", summary.forgotten);
  answer.status = summary.skipped.empty() ? kDone : kSkippedSome;
  return answer;
}

Result<Answer> build(Task& task) {
  std::error_code ignored;
  if (std::filesystem::exists(task.options.collection + "/MANIFEST", ignored)) {
    return usage_error(
        fmt::format("{} is a collection already: use 'index add', or name another "
                    "folder with --index",
                    escape_for_terminal(task.options.collection)));
  }
  return add(task);
}

Result<Answer> remove(Task& task) {
  TWINSIFT_TRY(const std::uint64_t removed, index_remove(task.paths, task.options));
  Answer answer;
  answer.text = fmt::format("{} forgotten\n", counted(removed, "item"));
  answer.json.number("forgotten", removed);
  return answer;
}

Result<Answer> stat(Task& task) {
  TWINSIFT_TRY(const IndexStat stat, index_stat(task.options.collection));
  Answer answer;
  answer.text = fmt::format("collection   {}\nitems        {}\ncontents     {}\n",
                            escape_for_terminal(task.options.collection), human_count(stat.files),
                            human_count(stat.contents));
  JsonArray detectors;
  for (const auto& [spec, contents] : stat.detectors) {
    answer.text += fmt::format("  {}   {}\n", spec, human_count(contents));
    detectors.add(JsonObject().text("spec", spec).number("contents", contents).str());
  }
  answer.text += fmt::format(
      "failures     {}\nverdicts     {}\nremoved      {}\nrecords      {}, {} of it dead\n"
      "segments     {}, {}\nlargest      {} of one bucket\nunsorted     {}\n",
      human_count(stat.failures), human_count(stat.verdicts), human_count(stat.removed),
      human_bytes(stat.data_bytes), human_bytes(stat.dead_bytes), stat.segments,
      human_bytes(stat.segment_bytes), counted(stat.largest_bucket, "content"),
      counted(stat.unsorted, "record"));
  answer.json.path("collection", task.options.collection)
      .number("items", stat.files)
      .number("contents", stat.contents)
      .number("failures", stat.failures)
      .number("verdicts", stat.verdicts)
      .number("removed", stat.removed)
      .number("data_bytes", stat.data_bytes)
      .number("dead_bytes", stat.dead_bytes)
      .number("segment_bytes", stat.segment_bytes)
      .number("segments", stat.segments)
      .number("largest_bucket", stat.largest_bucket)
      .number("unsorted", stat.unsorted)
      .raw("detectors", detectors.str());
  return answer;
}

// A list of what is wrong, or was lost.
Answer list_of(const std::vector<std::string>& lines, std::string_view name,
               std::string_view none) {
  Answer answer;
  JsonArray items;
  for (const std::string& line : lines) {
    answer.text += escape_for_terminal(line) + "\n";
    items.add_text(line);
  }
  if (lines.empty()) answer.text = std::string(none) + "\n";
  answer.json.raw(name, items.str());
  return answer;
}

Result<Answer> verify(Task& task) {
  TWINSIFT_TRY(const auto wrong, index_verify(task.options.collection));
  Answer answer = list_of(wrong, "wrong", "every byte is as it was written");
  if (wrong.empty()) return answer;
  answer.status = kBadCollection;
  task.console.note(fmt::format("'twinsift index repair --index {}' keeps what is good",
                                task.options.collection));
  return answer;
}

Result<Answer> repair(Task& task) {
  TWINSIFT_TRY(const auto lost, index_repair(task.options.collection));
  return list_of(lost, "lost", "nothing was lost");
}

Result<Answer> compact(Task& task) {
  TWINSIFT_TRY(const std::uint64_t freed,
               index_compact(task.options.collection, task.options.sketch));
  Answer answer;
  answer.text = fmt::format("{} freed\n", human_bytes(freed));
  answer.json.number("freed", freed);
  return answer;
}

Result<Answer> mark(Task& task) {
  const std::string verdict = task.args.text("as", "");
  if (verdict.empty()) return usage_error("'index mark' needs --as not-duplicate, related or none");
  TWINSIFT_TRY([[maybe_unused]] auto done,
               set_verdict(task.paths[0], task.paths[1], verdict, task.options.collection));
  Answer answer;
  answer.text = "remembered\n";
  answer.json.text("verdict", verdict);
  return answer;
}

struct Action {
  std::string_view name;
  std::size_t least;  // paths
  std::size_t most;
  Result<Answer> (*run)(Task&);
};
constexpr std::array kActions = {
    Action{"build", 1, kAny, build},   Action{"add", 1, kAny, add},
    Action{"remove", 1, kAny, remove}, Action{"stat", 0, 0, stat},
    Action{"verify", 0, 0, verify},    Action{"repair", 0, 0, repair},
    Action{"compact", 0, 0, compact},  Action{"mark", 2, 2, mark},
};

Result<Answer> act(Task& task, const std::string& name) {
  for (const Action& action : kActions) {
    if (action.name != name) continue;
    if (task.paths.size() < action.least) {
      return usage_error(
          fmt::format("'index {}' needs {}", name, action.least == 2 ? "two files" : "a path"));
    }
    if (task.paths.size() > action.most) {
      return usage_error(fmt::format("'index {}' takes no further path: '{}'", name,
                                     escape_for_terminal(task.paths[action.most])));
    }
    return action.run(task);
  }
  std::vector<std::string_view> known;
  for (const Action& action : kActions) known.push_back(action.name);
  return usage_error(fmt::format("'{}' is nothing that can be done to a collection{}",
                                 escape_for_terminal(name), did_you_mean(name, known)));
}

}  // namespace

int run_index(const Arguments& args) {
  Console console(!args.flag("quiet") && !args.flag("no-progress"), args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  Task task{.args = args, .console = console, .options = {}, .paths = args.operands()};
  const std::string action = task.paths.front();
  task.paths.erase(task.paths.begin());
  task.options.collection = collection_of(args);
  if (task.options.collection.empty()) {
    return fail(console, usage_error("there is no home folder: name the collection with --index"));
  }
  task.options.match.features = args.text("features", task.options.match.features);
  task.options.match.pictures = args.text("pictures", task.options.match.pictures);
  task.options.match.sound = args.text("sound", task.options.match.sound);
  task.options.match.film = args.text("film", task.options.match.film);
  task.options.match.threads = args.count("threads", 0);
  task.options.sketch = args.text("sketch", "");
  task.options.walk = walk_options(args);
  task.options.retry_failed = args.flag("retry-failed");
  task.options.text_field = args.text("text-field", task.options.text_field);
  task.options.format = args.text("input-format", "");
  task.options.callbacks.progress = [&](const Progress& progress) { console.progress(progress); };
  task.options.callbacks.skipped = [&](const Skipped& skipped) { tell_skipped(console, skipped); };
  task.options.callbacks.stop = signals.token();
  const Result<Answer> answer = act(task, action);
  if (!answer) return fail_collection(console, answer.error(), task.options.collection);
  console.clear();
  auto output = Output::open("-");
  if (!output) return fail(console, output.error());
  output->write(args.text("format", "text") == "json" ? answer->json.str() + "\n" : answer->text);
  const Status written = output->finish();
  return written ? answer->status : fail(console, written.error());
}

}  // namespace twinsift::cli
