// SPDX-License-Identifier: Apache-2.0
// twinsift apply: does what a plan says, or shows what that would be.
#include "act/apply.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "act/plan.h"
#include "base/escape.h"
#include "commands.h"
#include "json.h"
#include "output.h"
#include "report/facts.h"
#include "signals.h"

namespace twinsift::cli {
namespace {

constexpr std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kWouldDo:
      return "would-do";
    case Outcome::kDone:
      return "done";
    case Outcome::kBefore:
      return "done-before";
    case Outcome::kListed:
      return "listed";
    case Outcome::kSkipped:
      return "skipped";
    case Outcome::kFailed:
      break;
  }
  return "failed";
}

// Tells of each action as it is done: as text at once, as JSON at the end.
class Teller {
 public:
  Teller(const Arguments& args, Console& console, Output& output, bool lines)
      : json_(args.text("format", "text") == "json"),
        lines_(lines && !json_),
        console_(console),
        output_(output) {}

  void item(const ItemReport& report) {
    const bool bad = report.outcome == Outcome::kSkipped || report.outcome == Outcome::kFailed;
    if (bad) {
      console_.note(fmt::format("{} {}: {}", outcome_name(report.outcome),
                                report.action->loser.path, report.reason));
    }
    if (json_) {
      JsonObject object;
      object.number("n", report.n)
          .text("action", action_name(report.action->action))
          .path("path", report.action->loser.path)
          .path("keeper", report.action->keeper.path)
          .text("outcome", outcome_name(report.outcome));
      if (bad) object.text("reason", report.reason);
      items_.add(object.str());
    } else if (lines_ && !bad && report.outcome != Outcome::kBefore) {
      output_.write(fmt::format(
          "{}{} {} (keeps {})\n", report.outcome == Outcome::kWouldDo ? "would " : "",
          action_name(report.action->action), escape_for_terminal(report.action->loser.path),
          escape_for_terminal(report.action->keeper.path)));
    }
  }

  void summary(const ApplySummary& summary, bool act) {
    if (json_) {
      output_.write(as_json(summary, act));
      return;
    }
    if (!act) {
      console_.note(fmt::format("dry run: {} of {} would be done, {}; --yes does it", summary.done,
                                counted(summary.planned, "action"), human_bytes(summary.bytes)));
      return;
    }
    console_.note(fmt::format("{} done, {} skipped, {} failed, {}{}",
                              counted(summary.done + summary.listed, "action"), summary.skipped,
                              summary.failed, human_bytes(summary.bytes), before(summary)));
    if (!summary.run.empty()) {
      console_.note(fmt::format("'twinsift undo {}' takes it back; the journal is {}", summary.run,
                                summary.journal));
    }
    if (summary.interrupted) {
      console_.note(
          fmt::format("interrupted; 'twinsift apply --continue {}' goes on", summary.run));
    }
  }

 private:
  static std::string before(const ApplySummary& summary) {
    return summary.before == 0 ? "" : fmt::format(", {} done before", summary.before);
  }

  std::string as_json(const ApplySummary& summary, bool act) const {
    JsonArray refusals;
    for (const std::string& reason : summary.refusals) refusals.add_text(reason);
    JsonObject out;
    out.number("v", 1)
        .text("type", "apply")
        .flag("dry_run", !act)
        .text("run", summary.run)
        .path("journal", summary.journal)
        .flag("continued", summary.continued)
        .number("planned", summary.planned)
        .number("done", summary.done)
        .number("done_before", summary.before)
        .number("listed", summary.listed)
        .number("skipped", summary.skipped)
        .number("failed", summary.failed)
        .number("bytes", summary.bytes)
        .flag("interrupted", summary.interrupted)
        .text("trouble", summary.trouble)
        .raw("refused", refusals.str())
        .raw("items", items_.str());
    return out.str() + "\n";
  }

  bool json_;
  bool lines_;
  Console& console_;
  Output& output_;
  JsonArray items_;
};

// The list of what another tool is to delete.  It appears only when it is complete.
class DeleteList {
 public:
  static Result<DeleteList> open(const std::string& target, bool null) {
    DeleteList list;
    TWINSIFT_TRY(Output output, Output::open(target));
    list.output_.emplace(std::move(output));
    list.null_ = null;
    return list;
  }

  Status add(const PlannedAction& action) {
    TWINSIFT_TRY([[maybe_unused]] const auto checked, check(action.loser.path));
    for (const FileProof& file : action.companions) {
      TWINSIFT_TRY([[maybe_unused]] const auto fits, check(file.path));
    }
    write(action.loser.path);
    for (const FileProof& file : action.companions) write(file.path);
    return ok();
  }

  Status finish() { return output_->finish(); }

 private:
  [[nodiscard]] Status check(const std::string& path) const {
    if (null_ || path.find('\n') == std::string::npos) return ok();
    return Error{ErrorCode::kInvalidArgument,
                 path + ": a line cannot hold a name with a newline; use --null"};
  }
  void write(const std::string& path) { output_->write(path + (null_ ? '\0' : '\n')); }

  std::optional<Output> output_;
  bool null_ = false;
};

bool has_list(const Plan& plan) {
  return std::ranges::any_of(plan.actions, [](const PlannedAction& action) {
    return action.action == Action::kDeleteList;
  });
}

Error usage(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Result<Plan> plan_for(const Arguments& args) {
  const std::string run = args.text("continue", "");
  if (args.operands().empty() == run.empty()) {
    return usage(run.empty() ? "a plan is missing; 'twinsift plan' makes one"
                             : "give either a plan or --continue RUN");
  }
  return run.empty() ? read_plan(args.operands()[0]) : plan_of_run(run);
}

// What the list must not be written over.
std::vector<std::string> inputs_of(const Arguments& args, const Plan& plan) {
  std::vector<std::string> inputs = args.operands();
  for (const PlannedAction& action : plan.actions) {
    inputs.push_back(action.loser.path);
    inputs.push_back(action.keeper.path);
    for (const FileProof& companion : action.companions) inputs.push_back(companion.path);
  }
  return inputs;
}

int refused(Console& console, const std::vector<std::string>& reasons) {
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < std::min(reasons.size(), kMost); ++i) console.error(reasons[i]);
  if (reasons.size() > kMost) {
    console.error(fmt::format("and {} more reasons", reasons.size() - kMost));
  }
  console.error("refused; nothing was changed");
  return kRefused;
}

int ended(const ApplySummary& summary) {
  if (summary.interrupted) return SignalWatch::exit_status();
  return summary.skipped + summary.failed > 0 ? kFailedSome : kDone;
}

int apply_it(const Arguments& args, const Plan& plan, ApplyOptions options, Console& console) {
  const std::string target = args.text("output", "-");
  const bool list = has_list(plan) && options.act;
  if (list && target == "-" && args.text("format", "text") == "json") {
    return fail(console, usage("the list and the summary cannot both go to standard output; name a "
                               "file for the list with -o"));
  }
  if (list && is_one_of(target, inputs_of(args, plan))) return refuse(console, target);
  auto output = Output::open("-");
  if (!output) return fail(console, output.error());
  std::optional<DeleteList> names;
  if (list) {
    auto opened = DeleteList::open(target, args.flag("null"));
    if (!opened) return fail(console, opened.error());
    names.emplace(*std::move(opened));
    options.list = [&](const PlannedAction& action) { return names->add(action); };
  }
  Teller teller(args, console, *output, !(list && target == "-"));
  std::uint64_t looked_at = 0;
  options.item = [&](const ItemReport& item) {
    console.progress({.stage = options.act ? "apply" : "check",
                      .items = ++looked_at,
                      .total_items = plan.actions.size(),
                      .current = item.action->loser.path});
    teller.item(item);
  };
  const auto summary = apply_plan(plan, options);
  console.clear();
  if (!summary) {
    static_cast<void>(output->finish());
    return fail(console, summary.error());
  }
  if (names && summary->refusals.empty() && !summary->interrupted) {
    if (const Status written = names->finish(); !written) return fail(console, written.error());
  }
  const bool complete = summary->refusals.empty();
  if (complete || args.text("format", "text") == "json") teller.summary(*summary, options.act);
  tell_trouble(console, summary->trouble);
  if (const Status done = output->finish(); !done) return fail(console, done.error());
  return complete ? ended(*summary) : refused(console, summary->refusals);
}

}  // namespace

int run_apply(const Arguments& args, const std::string& command_line) {
  Console console(!args.flag("quiet"), args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  const auto plan = plan_for(args);
  if (!plan) {
    const int status = fail(console, plan.error());
    // A plan that cannot be believed is refused, not mended.
    return plan.error().code == ErrorCode::kCorrupt ? kRefused : status;
  }
  ApplyOptions options;
  options.act = args.flag("yes");
  options.check.protect = args.list("protect");
  options.check.allow_wipeout = args.list("allow-wipeout");
  options.check.unreviewed = args.flag("unreviewed");
  options.command = command_line;
  if (!args.flag("no-index")) options.collection = collection_of(args);
  options.stop = signals.token();
  return apply_it(args, *plan, std::move(options), console);
}

}  // namespace twinsift::cli
