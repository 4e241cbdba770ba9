// SPDX-License-Identifier: Apache-2.0
// twinsift dedup IN... -o OUT
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "commands.h"
#include "json.h"
#include "output.h"
#include "report/facts.h"
#include "signals.h"
#include "twinsift/pipeline.h"

namespace twinsift::cli {
namespace {

DedupOptions dedup_options(const Arguments& args) {
  DedupOptions options;
  options.match.threshold = args.share("threshold", 0);
  options.match.recall = args.share("recall", options.match.recall);
  options.match.features = args.text("features", options.match.features);
  options.match.sketch = args.text("sketch", options.match.sketch);
  options.match.filter = args.text("filter", options.match.filter);
  options.match.candidates = args.text("candidates", options.match.candidates);
  options.match.threads = args.count("threads", 0);
  options.match.memory = args.size("memory", 0);
  options.match.temp_dir = args.text("temp-dir", "");
  options.inputs = args.operands();
  options.against = args.list("against");
  options.output = args.text("output", "");
  options.pairs = args.text("pairs", "");
  options.clusters = args.text("clusters", "");
  options.text_field = args.text("text-field", options.text_field);
  options.id_field = args.text("id-field", "");
  options.format = args.text("input-format", "");
  options.keep = args.text("keep", "first") == "longest" ? Keep::kLongest : Keep::kFirst;
  options.drop = args.text("drop", "extra") == "all" ? Drop::kAll : Drop::kExtra;
  return options;
}

void tell_summary(Console& console, const DedupSummary& s) {
  console.note(fmt::format("{}, {} kept, {} dropped, {}", counted(s.documents, "document"),
                           human_count(s.kept), human_count(s.dropped),
                           counted(s.clusters, "group")));
  if (s.malformed > 0) console.note(counted(s.malformed, "line") + " could not be read");
  if (s.repaired > 0) console.note(counted(s.repaired, "line") + " held invalid UTF-8");
}

std::string summary_json(const DedupSummary& s) {
  JsonArray detectors;
  for (const std::string& spec : s.run.detectors) detectors.add_text(spec);
  JsonObject run;
  run.text("version", s.run.version)
      .text("command", s.run.command)
      .text("started", s.run.started)
      .share("threshold", s.run.threshold)
      .share("recall", s.run.recall)
      .raw("detectors", detectors.str())
      .text("guarantee", s.run.guarantee)
      .number("threads", s.run.threads);
  JsonArray skipped;
  for (const Skipped& item : s.skipped) {
    skipped.add(JsonObject()
                    .path("path", item.path)
                    .text("reason", item.reason)
                    .text("detail", item.detail)
                    .str());
  }
  JsonArray notes;
  for (const std::string& note : s.notes) notes.add_text(note);
  JsonArray stages;
  for (const StageStats& stage : s.stages) {
    JsonObject one;
    one.text("name", stage.name)
        .number("items", stage.items)
        .number("bytes", stage.bytes)
        .share("seconds", stage.seconds);
    for (const auto& [name, count] : stage.counts) one.number(name, count);
    stages.add(one.str());
  }
  JsonObject out;
  out.number("v", 1)
      .raw("run", run.str())
      .number("documents", s.documents)
      .number("kept", s.kept)
      .number("dropped", s.dropped)
      .number("clusters", s.clusters)
      .number("pairs", s.pairs)
      .number("malformed", s.malformed)
      .number("repaired", s.repaired)
      .number("bytes", s.bytes)
      .raw("skipped", skipped.str())
      .raw("notes", notes.str())
      .raw("stages", stages.str())
      .number("peak_rss", s.peak_rss);
  return out.str() + "\n";
}

// The corpus itself may be on standard output, and then the summary must not be.
Status print_json(const DedupOptions& options, const DedupSummary& summary) {
  const std::string json = summary_json(summary);
  if (options.output == "-" || options.pairs == "-" || options.clusters == "-") {
    std::fwrite(json.data(), 1, json.size(), stderr);
    return ok();
  }
  TWINSIFT_TRY(Output output, Output::open("-"));
  output.write(json);
  return output.finish();
}

// One name for each file, however it is written.
std::string plain_name(const std::string& path) {
  std::error_code ignored;
  if (path.empty() || path == "-") return path;
  const auto plain =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  return plain.empty() ? path : plain.string();
}

// Two results in one file would be a file of neither kind.
Status check_targets(const DedupOptions& options) {
  const std::string output = plain_name(options.output);
  const std::string pairs = plain_name(options.pairs);
  const std::string clusters = plain_name(options.clusters);
  if (output.empty() && pairs.empty() && clusters.empty()) {
    return Error{
        ErrorCode::kInvalidArgument,
        "dedup needs a place for its result: -o OUT, --pairs FILE or --clusters FILE ('-' is "
        "standard output)"};
  }
  const bool clash = (!output.empty() && (output == pairs || output == clusters)) ||
                     (!pairs.empty() && pairs == clusters);
  if (clash)
    return Error{ErrorCode::kInvalidArgument,
                 "--output, --pairs and --clusters need different files"};
  return ok();
}

}  // namespace

int run_dedup(const Arguments& args, const std::string& command_line) {
  Console console(!args.flag("quiet") && !args.flag("no-progress"), args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  DedupOptions options = dedup_options(args);
  const auto checked = check_targets(options);
  if (!checked) return fail(console, checked.error());
  for (const std::string& target : {options.output, options.pairs, options.clusters}) {
    if (is_one_of(target, options.inputs) || is_one_of(target, options.against))
      return refuse(console, target);
  }
  options.command = command_line;
  options.callbacks.stop = signals.token();
  options.callbacks.progress = [&](const Progress& progress) { console.progress(progress); };
  options.callbacks.skipped = [&](const Skipped& skipped) { tell_skipped(console, skipped); };
  const auto summary = dedup(options);
  if (!summary) return fail(console, summary.error());
  console.clear();
  if (args.text("format", "text") == "json") {
    const auto printed = print_json(options, *summary);
    if (!printed) return fail(console, printed.error());
  } else {
    tell_summary(console, *summary);
  }
  for (const std::string& note : summary->notes) console.note(note);
  if (args.flag("verbose")) tell_stages(console, summary->run, summary->stages, summary->peak_rss);
  return finished(args, summary->dropped > 0, summary->malformed > 0 || !summary->skipped.empty());
}

}  // namespace twinsift::cli
