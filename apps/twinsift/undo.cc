// SPDX-License-Identifier: Apache-2.0
// twinsift undo: puts back what a run took away, or lists the runs.
#include "act/undo.h"

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "json.h"
#include "output.h"
#include "report/facts.h"
#include "signals.h"

namespace twinsift::cli {
namespace {

bool wants_json(const Arguments& args) { return args.text("format", "text") == "json"; }

int print(Console& console, const std::string& text) {
  auto output = Output::open("-");
  if (!output) return fail(console, output.error());
  output->write(text);
  if (const Status done = output->finish(); !done) return fail(console, done.error());
  return kDone;
}

std::string as_text(const RunLine& line) {
  if (!line.error.empty()) {
    return fmt::format("{}  {}\n", line.run, escape_for_terminal(line.error));
  }
  return fmt::format("{}  {} of {}, {} held, {} back, {} purged{}\n", line.run,
                     human_bytes(line.bytes), counted(line.actions, "action"), line.held, line.back,
                     line.purged, line.ended ? "" : ", not finished");
}

std::string as_json(const RunLine& line) {
  JsonObject out;
  out.number("v", 1)
      .text("type", "run")
      .text("run", line.run)
      .text("command", line.command)
      .number("actions", line.actions)
      .number("held", line.held)
      .number("back", line.back)
      .number("purged", line.purged)
      .number("bytes", line.bytes)
      .flag("ended", line.ended);
  if (!line.error.empty()) out.text("error", line.error);
  return out.str() + "\n";
}

int list(const Arguments& args, Console& console) {
  const auto lines = list_runs();
  if (!lines) return fail(console, lines.error());
  std::string text;
  for (const RunLine& line : *lines) text += wants_json(args) ? as_json(line) : as_text(line);
  if (lines->empty()) console.note("there are no runs");
  return print(console, text);
}

std::string as_json(const UndoSummary& summary, const JsonArray& failures) {
  JsonObject out;
  out.number("v", 1)
      .text("type", "undo")
      .text("run", summary.run)
      .path("journal", summary.journal)
      .number("undone", summary.undone)
      .number("back_before", summary.before)
      .number("purged", summary.purged)
      .number("failed", summary.failed)
      .flag("interrupted", summary.interrupted)
      .text("trouble", summary.trouble)
      .raw("failures", failures.str());
  return out.str() + "\n";
}

}  // namespace

int run_undo(const Arguments& args) {
  Console console(!args.flag("quiet"), args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  if (args.flag("list")) return list(args, console);
  UndoOptions options;
  if (!args.operands().empty()) options.run = args.operands()[0];
  if (!args.flag("no-index")) options.collection = collection_of(args);
  options.stop = signals.token();
  JsonArray failures;
  std::uint64_t looked_at = 0;
  options.item = [&](const UndoItem& item) {
    console.progress({.stage = "undo", .items = ++looked_at, .current = item.path});
    if (item.reason.empty()) return;
    console.error(fmt::format("not undone: {}", item.reason));
    failures.add(JsonObject().path("path", item.path).text("reason", item.reason).str());
  };
  const auto summary = undo_run(options);
  console.clear();
  if (!summary) return fail(console, summary.error());
  const std::string again =
      summary->before == 0 ? "" : fmt::format(", {} back already", summary->before);
  console.note(fmt::format("run {}: {} undone{}, {} failed", summary->run,
                           counted(summary->undone, "action"), again,
                           summary->failed + summary->purged));
  tell_trouble(console, summary->trouble);
  if (wants_json(args)) {
    if (const int printed = print(console, as_json(*summary, failures)); printed != kDone) {
      return printed;
    }
  }
  if (summary->interrupted) {
    console.note("interrupted; the same command goes on");
    return SignalWatch::exit_status();
  }
  return summary->failed + summary->purged > 0 ? kFailedSome : kDone;
}

}  // namespace twinsift::cli
