// SPDX-License-Identifier: Apache-2.0
// twinsift plan [REPORT]
#include "act/plan.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <unistd.h>

#include "act/planner.h"
#include "base/escape.h"
#include "commands.h"
#include "output.h"
#include "report/facts.h"
#include "report/import.h"
#include "signals.h"

namespace twinsift::cli {
namespace {

// Without --verbose so many files are named for each reason.
constexpr std::size_t kNamed = 5;

Result<PlanOptions> plan_options(const Arguments& args) {
  PlanOptions options;
  options.keep = args.text("keep", options.keep);
  TWINSIFT_TRY(options.action, parse_action(args.text("action", action_name(Action::kQuarantine))));
  options.protect = args.list("protect");
  options.reviewed = args.flag("reviewed");
  options.threads = args.count("threads", 0);
  return options;
}

std::string_view fate(Action action) {
  switch (action) {
    case Action::kQuarantine:
      return "to be moved to quarantine";
    case Action::kHardlink:
      return "to become hard links";
    case Action::kSymlink:
      return "to become symbolic links";
    case Action::kReflink:
      return "to share their blocks with the keeper";
    case Action::kDeleteList:
      return "to be listed";
  }
  return "";
}

void tell_left_out(Console& console, const std::vector<Skipped>& left_out, bool all) {
  std::map<std::string, std::vector<const Skipped*>> by_reason;
  for (const Skipped& one : left_out) by_reason[one.reason].push_back(&one);
  for (const auto& [reason, files] : by_reason) {
    console.note(fmt::format("{} left out: {}", counted(files.size(), "file"), reason));
    const std::size_t named = all ? files.size() : std::min(files.size(), kNamed);
    for (std::size_t i = 0; i < named; ++i) {
      console.note(fmt::format("  {}: {}", files[i]->path, files[i]->detail));
    }
    if (named < files.size()) {
      console.note(fmt::format("  and {} more; --verbose names all", files.size() - named));
    }
  }
}

void tell_plan(Console& console, const PlanResult& result, Action action) {
  const auto& actions = result.plan.actions;
  if (actions.empty()) return console.note("nothing to do: no file can go");
  const auto exact =
      static_cast<std::uint64_t>(std::ranges::count(actions, true, &PlannedAction::exact));
  const auto losing = static_cast<std::uint64_t>(
      std::ranges::count_if(actions, [](const PlannedAction& one) { return !one.lacks.empty(); }));
  std::uint64_t companions = 0;
  std::map<std::string, std::uint64_t> rules;
  for (const PlannedAction& one : actions) {
    companions += one.companions.size();
    ++rules[one.rule];
  }
  console.note(fmt::format("{}, {} {}", counted(actions.size(), "file"), human_bytes(result.bytes),
                           fate(action)));
  console.note(fmt::format("{} equal to the file that stays, {} nearly so{}", human_count(exact),
                           human_count(actions.size() - exact),
                           exact < actions.size() && !actions.front().reviewed
                               ? "; those need a review before they can go"
                               : ""));
  if (companions > 0) console.note(counted(companions, "companion file") + " would go along");
  if (losing > 0) {
    console.note(fmt::format("{} {} something that the keeper lacks; see \"lacks\" in the plan",
                             counted(losing, "file"), losing == 1 ? "has" : "have"));
  }
  std::string line = "decided by";
  for (const auto& [rule, count] : rules) {
    line += fmt::format("{} {} ({})", line.ends_with("by") ? "" : ",", rule, human_count(count));
  }
  console.note(line);
}

// The files that the report is about: a plan written over one of them would be its last word.
std::vector<std::string> members_of(const Report& report) {
  std::vector<std::string> paths;
  for (const twinsift::Group& group : report.groups) {
    for (const Member& member : group.members) {
      paths.push_back(below(report.run.folder, member.path));
    }
  }
  return paths;
}

Status write_plan(const std::string& target, const Plan& plan) {
  TWINSIFT_TRY(Output output, Output::open(target));
  output.write(plan_header_line(plan.header));
  for (const PlannedAction& action : plan.actions) {
    if (!output.write(plan_action_line(action))) break;
  }
  return output.finish();
}

}  // namespace

int run_plan(const Arguments& args, const std::string& command_line) {
  Console console(!args.flag("quiet") && !args.flag("no-progress"), args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  const std::string source = args.operands().empty() ? "-" : args.operands().front();
  if (args.operands().empty() && isatty(STDIN_FILENO) != 0) {
    return fail(console, {ErrorCode::kInvalidArgument,
                          "plan needs a REPORT, as in: twinsift find . --json | twinsift plan"});
  }
  const std::string target = args.text("output", "-");
  if (is_one_of(target, {source})) return refuse(console, target);
  auto options = plan_options(args);
  if (!options) return fail(console, options.error());
  options->command = command_line;
  options->callbacks.stop = signals.token();
  options->callbacks.progress = [&](const Progress& progress) { console.progress(progress); };
  const auto report = import_report_file(source, signals.token());
  if (!report) return fail(console, report.error());
  if (is_one_of(target, members_of(*report))) return refuse(console, target);
  const auto result = make_plan(*report, *options);
  if (!result) return fail(console, result.error());
  console.clear();
  if (const Status written = write_plan(target, result->plan); !written) {
    return fail(console, written.error());
  }
  for (const Skipped& skipped : report->skipped) tell_skipped(console, skipped);
  for (const Skipped& skipped : result->skipped) tell_skipped(console, skipped);
  tell_left_out(console, result->left_out, args.flag("verbose"));
  tell_plan(console, *result, options->action);
  return result->skipped.empty() ? kDone : kSkippedSome;
}

}  // namespace twinsift::cli
