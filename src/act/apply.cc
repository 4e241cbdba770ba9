// SPDX-License-Identifier: Apache-2.0
#include "act/apply.h"

#include <fstream>
#include <map>
#include <optional>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "act/journal.h"
#include "act/perform.h"
#include "act/protect.h"
#include "act/quarantine.h"
#include "act/recheck.h"
#include "act/remember.h"
#include "act/restore.h"
#include "act/runs.h"
#include "base/sha256.h"
#include "twinsift/pipeline.h"

namespace twinsift {
namespace {

std::string text_of(const Plan& plan) {
  std::string text = plan_header_line(plan.header);
  for (const PlannedAction& action : plan.actions) text += plan_action_line(action);
  return text;
}

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

// Whether the first line of a journal names the plan; spares reading the others whole.
bool begins_with_plan(const std::string& path, const std::string& digest) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  return std::getline(file, line) && line.find(digest) != std::string::npos;
}

// The last run of this plan that was not undone; an empty path if there is none.
Result<RunRecord> earlier_run(const std::string& digest) {
  TWINSIFT_TRY(const auto names, run_names());
  for (const std::string& name : std::views::reverse(names)) {
    TWINSIFT_TRY(const std::string path, journal_of(name));
    if (!begins_with_plan(path, digest)) continue;
    auto run = read_run(path);
    if (run && !run->undone) return *std::move(run);
  }
  return RunRecord{};
}

std::string options_text(const CheckOptions& options) {
  std::string text;
  if (options.unreviewed) text += " --unreviewed";
  for (const std::string& path : options.protect) text += " --protect " + path;
  for (const std::string& path : options.allow_wipeout) text += " --allow-wipeout " + path;
  return text.empty() ? text : text.substr(1);
}

class Apply {
 public:
  Apply(const Plan& plan, const ApplyOptions& options)
      : plan_(plan), options_(options), text_(text_of(plan)), digest_(hex(sha256(text_))) {}

  Result<ApplySummary> run() {
    summary_.planned = plan_.actions.size();
    TWINSIFT_TRY(RunRecord earlier, earlier_run(digest_));
    for (const auto& [n, item] : earlier.items) {
      if (item.state != ItemState::kBack) done_before_.insert(n);
    }
    if (is_refused()) return std::move(summary_);
    if (!earlier.path.empty() && options_.act) {
      TWINSIFT_TRY([[maybe_unused]] const auto continued, continue_run(earlier));
      if (is_refused()) return std::move(summary_);
    }
    const Status acted = act_on_all();
    const bool stopped = !acted && acted.error().code == ErrorCode::kCancelled;
    if (!acted && (!stopped || !journal_)) return acted.error();
    if (journal_) {
      TWINSIFT_TRY([[maybe_unused]] const auto ended, end());
      const Status told = remember_run(journal_->path(), options_.collection);
      if (!told) summary_.trouble = told.error().message;
    }
    return std::move(summary_);
  }

 private:
  bool is_refused() {
    CheckOptions check = options_.check;
    check.leave_out = done_before_;
    summary_.refusals = reasons_to_refuse(plan_, check);
    return !summary_.refusals.empty();
  }

  // What an earlier run of this plan has done is done; what it had only begun is put back.
  Status continue_run(RunRecord& earlier) {
    TWINSIFT_TRY(Journal journal, Journal::open(earlier.path));
    // Only under the lock is the journal known to say everything.
    TWINSIFT_TRY(earlier, read_run(earlier.path));
    journal_.emplace(std::move(journal));
    quarantine_.emplace(earlier.header.run);
    summary_.run = earlier.header.run;
    summary_.journal = earlier.path;
    summary_.continued = true;
    TWINSIFT_TRY([[maybe_unused]] const auto marked, journal_->mark("continue"));
    done_before_.clear();
    for (const auto& [n, item] : earlier.items) {
      if (item.state == ItemState::kOpen) {
        TWINSIFT_TRY([[maybe_unused]] const auto back, roll_back(item));
      } else if (item.state != ItemState::kBack) {
        done_before_.insert(n);
      }
    }
    return ok();
  }

  Status start_run() {
    const RunHeader header{.run = new_run_name(),
                           .version = std::string(version()),
                           .command = options_.command,
                           .plan = digest_,
                           .actions = plan_.actions.size(),
                           .options = options_text(options_.check)};
    TWINSIFT_TRY(Journal journal, Journal::create(header, text_));
    journal_.emplace(std::move(journal));
    quarantine_.emplace(header.run);
    summary_.run = header.run;
    summary_.journal = journal_->path();
    return ok();
  }

  Status act_on_all() {
    for (std::size_t n = 0; n < plan_.actions.size(); ++n) {
      if (options_.stop.stop_requested()) {
        summary_.interrupted = true;
        return ok();
      }
      const Status acted = act_on(n);
      if (acted) continue;
      summary_.interrupted = acted.error().code == ErrorCode::kCancelled;
      return acted;
    }
    return ok();
  }

  // An error ends the run: the journal could not be written, or the user has had enough.
  Status act_on(std::uint64_t n) {
    const PlannedAction& action = plan_.actions[n];
    if (stuck_.contains(n)) return failed(n, stuck_[n]);
    if (done_before_.contains(n)) return told(n, Outcome::kBefore, "", summary_.before);
    auto checked = open_checked(action);
    if (!checked) return skipped(n, checked.error().message);
    if (!options_.act) return told(n, Outcome::kWouldDo, "", summary_.done);
    const Status same = check_contents(*checked, action, plan_.header.threshold, options_.stop);
    if (!same && same.error().code == ErrorCode::kCancelled) return same;
    if (!same) return skipped(n, same.error().message);
    if (const Status free = check_protected(*checked); !free)
      return skipped(n, free.error().message);
    if (action.action == Action::kDeleteList) return list(n, action);
    return change(n, action, *checked);
  }

  // The folders are looked up again, at this moment.
  [[nodiscard]] Status check_protected(const CheckedAction& checked) const {
    std::vector<std::string> paths = plan_.header.protect;
    paths.insert(paths.end(), options_.check.protect.begin(), options_.check.protect.end());
    TWINSIFT_TRY(const Protected now, Protected::resolve(paths));
    std::vector<const OpenSpot*> goers = {&checked.loser.spot};
    for (const Checked& companion : checked.companions) goers.push_back(&companion.spot);
    for (const OpenSpot* goer : goers) {
      TWINSIFT_TRY(const bool held, now.holds(*goer));
      if (held) return Error{ErrorCode::kInvalidArgument, goer->path() + ": it is protected now"};
    }
    return ok();
  }

  Status list(std::uint64_t n, const PlannedAction& action) {
    if (options_.list) {
      if (const Status listed = options_.list(action); !listed) {
        if (listed.error().code != ErrorCode::kInvalidArgument) return listed;
        return skipped(n, listed.error().message);
      }
    }
    return told(n, Outcome::kListed, "", summary_.listed);
  }

  Status change(std::uint64_t n, const PlannedAction& action, const CheckedAction& checked) {
    if (!journal_) {
      TWINSIFT_TRY([[maybe_unused]] const auto started, start_run());
    }
    const auto intent = make_intent(n, action, checked, *quarantine_);
    if (!intent) return skipped(n, intent.error().message);
    TWINSIFT_TRY([[maybe_unused]] const auto written, journal_->intend(*intent));
    if (const Status performed = perform(*intent, checked); !performed) {
      const std::string reason = performed.error().message;
      TWINSIFT_TRY(const std::string more, put_back(RunItem{.intent = *intent}, reason));
      return failed(n, reason + more);
    }
    TWINSIFT_TRY([[maybe_unused]] const auto noted,
                 journal_->done(n, folders_now(intent->folders)));
    for (const TakenFile& file : intent->files) summary_.bytes += file.size;
    return told(n, Outcome::kDone, "", summary_.done);
  }

  // Puts an action back and writes that down; what could not be put back, to be told.
  Result<std::string> put_back(const RunItem& item, const std::string& reason) {
    const auto back = restore(item);
    std::vector<std::string> where;
    std::string more;
    if (!back) {
      where = leftovers(item.intent);
      if (where.empty()) where.push_back(item.intent.files[0].path);
      more = fmt::format("; and going back failed, too: {}", back.error().message);
      for (const std::string& path : where) more += fmt::format("; look at {}", path);
    }
    TWINSIFT_TRY([[maybe_unused]] const auto written,
                 journal_->failed(item.intent.n, reason + more, where));
    return more;
  }

  Status roll_back(const RunItem& item) {
    TWINSIFT_TRY(const std::string more,
                 put_back(item, "the program was ended before it was done"));
    if (!more.empty()) stuck_.emplace(item.intent.n, "not finished by an earlier run" + more);
    return ok();
  }

  Status skipped(std::uint64_t n, const std::string& reason) {
    if (journal_) {
      TWINSIFT_TRY([[maybe_unused]] const auto written, journal_->skipped(n, reason));
    }
    return told(n, Outcome::kSkipped, reason, summary_.skipped);
  }

  Status failed(std::uint64_t n, const std::string& reason) {
    return told(n, Outcome::kFailed, reason, summary_.failed);
  }

  Status told(std::uint64_t n, Outcome outcome, const std::string& reason, std::uint64_t& count) {
    ++count;
    if (outcome == Outcome::kWouldDo) summary_.bytes += plan_.actions[n].loser.size;
    if (options_.item) options_.item({n, &plan_.actions[n], outcome, reason});
    return ok();
  }

  Status end() {
    TWINSIFT_TRY([[maybe_unused]] const auto finished, quarantine_->finish());
    return journal_->end({.done = summary_.done + summary_.before,
                          .skipped = summary_.skipped,
                          .failed = summary_.failed,
                          .interrupted = summary_.interrupted});
  }

  const Plan& plan_;
  const ApplyOptions& options_;
  std::string text_;
  std::string digest_;
  ApplySummary summary_;
  std::set<std::uint64_t> done_before_;
  std::map<std::uint64_t, std::string> stuck_;  // begun by an earlier run and not to be put back
  std::optional<Journal> journal_;
  std::optional<Quarantine> quarantine_;
};

}  // namespace

Result<ApplySummary> apply_plan(const Plan& plan, const ApplyOptions& options) {
  return Apply(plan, options).run();
}

Result<Plan> plan_of_run(const std::string& run) {
  TWINSIFT_TRY(const std::string journal, journal_of(run));
  return read_plan(plan_copy_of(journal));
}

}  // namespace twinsift
