// SPDX-License-Identifier: Apache-2.0
// twinsift purge: frees for good what old runs left in the quarantine, or shows what that would be.
#include "act/purge.h"

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "json.h"
#include "output.h"
#include "report/facts.h"
#include "signals.h"

namespace twinsift::cli {
namespace {

std::string as_json(const PurgeSummary& summary, bool act, const JsonArray& items) {
  JsonObject out;
  out.number("v", 1)
      .text("type", "purge")
      .flag("dry_run", !act)
      .number("runs", summary.runs)
      .number("purged", summary.purged)
      .number("refused", summary.refused)
      .number("failed", summary.failed)
      .number("young", summary.young)
      .number("bytes", summary.bytes)
      .flag("interrupted", summary.interrupted)
      .raw("items", items.str());
  return out.str() + "\n";
}

void tell(const PurgeSummary& summary, bool act, Console& console) {
  if (act) {
    console.note(fmt::format("{} freed, {}; {} refused, {} failed, {} not old enough",
                             counted(summary.purged, "action"), human_bytes(summary.bytes),
                             summary.refused, summary.failed, summary.young));
  } else {
    console.note(
        fmt::format("dry run: {} would be freed, {}; {} refused, {} not old enough; --yes "
                    "frees for good",
                    counted(summary.purged, "action"), human_bytes(summary.bytes), summary.refused,
                    summary.young));
  }
}

}  // namespace

int run_purge(const Arguments& args) {
  Console console(!args.flag("quiet"), args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  if (!args.given("older-than")) {
    return fail(console, {ErrorCode::kInvalidArgument,
                          "say how old a run must be, as in 'twinsift purge --older-than 30d'"});
  }
  const bool json = args.text("format", "text") == "json";
  auto output = Output::open("-");
  if (!output) return fail(console, output.error());
  PurgeOptions options;
  options.act = args.flag("yes");
  options.older_than_s = args.age("older-than", 0);
  options.stop = signals.token();
  JsonArray items;
  options.item = [&](const PurgeItem& item) {
    if (!item.reason.empty()) console.error(fmt::format("kept {}: {}", item.path, item.reason));
    if (json) {
      JsonObject object;
      object.text("run", item.run).path("path", item.path);
      if (!item.reason.empty()) object.text("reason", item.reason);
      items.add(object.str());
    } else if (item.reason.empty()) {
      output->write(fmt::format("{} {} ({})\n", options.act ? "freed" : "would free",
                                escape_for_terminal(item.path), item.run));
    }
  };
  const auto summary = purge_runs(options);
  console.clear();
  if (!summary) {
    static_cast<void>(output->finish());
    return fail(console, summary.error());
  }
  if (json) output->write(as_json(*summary, options.act, items));
  if (const Status done = output->finish(); !done) return fail(console, done.error());
  tell(*summary, options.act, console);
  if (summary->interrupted) return SignalWatch::exit_status();
  if (options.act && summary->failed > 0) return kFailedSome;
  return summary->refused > 0 ? (options.act && summary->purged > 0 ? kFailedSome : kRefused)
                              : kDone;
}

}  // namespace twinsift::cli
