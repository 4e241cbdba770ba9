// SPDX-License-Identifier: Apache-2.0
#include "act/planner.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "act/companion_check.h"
#include "act/judge.h"
#include "act/keep_rules.h"
#include "act/lacks.h"
#include "act/live_file.h"
#include "report/facts.h"
#include "report/import.h"
#include "report/must_stay.h"

namespace twinsift {
namespace {

constexpr double kDefaultThreshold = 0.8;
// Reports hold six digits.
constexpr double kRounding = 5e-7;

Identity identity_of(const FileProof& file) { return {.device = file.device, .inode = file.inode}; }

bool replaces_by_link(Action action) {
  return action == Action::kHardlink || action == Action::kSymlink || action == Action::kReflink;
}

// Links of these kinds cannot lead to another file system.
bool stays_on_device(Action action) {
  return action == Action::kHardlink || action == Action::kReflink;
}

// A member that is there.
struct Present {
  std::uint32_t place = 0;         // in Group::members
  const LiveFile* file = nullptr;  // null: it cannot be read
  std::string path;
  bool is_protected = false;
};

class Planner {
 public:
  Planner(const Report& report, const PlanOptions& options, KeepRules rules,
          ProtectedFolders folders)
      : report_(report),
        options_(options),
        rules_(std::move(rules)),
        protected_(std::move(folders)),
        judge_(report, options.compare),
        threshold_(report.run.threshold > 0 ? report.run.threshold : kDefaultThreshold) {}

  Result<PlanResult> run() {
    TWINSIFT_TRY([[maybe_unused]] const auto looked, look());
    std::uint64_t done = 0;
    for (const Group& group : report_.groups) {
      if (options_.callbacks.stop.stop_requested()) {
        return Error{ErrorCode::kCancelled, "the run was stopped"};
      }
      TWINSIFT_TRY([[maybe_unused]] const auto planned, plan_group(group));
      if (options_.callbacks.progress) {
        options_.callbacks.progress({.stage = "planning",
                                     .items = ++done,
                                     .total_items = report_.groups.size(),
                                     .current = {}});
      }
    }
    if (!replaces_by_link(options_.action)) {
      check_companions(result_.plan.actions, members_, protected_, result_.left_out);
    }
    finish();
    return std::move(result_);
  }

 private:
  Status look() {
    std::vector<std::string> paths;
    std::map<std::string_view, std::size_t> index;
    for (const Group& group : report_.groups) {
      for (const Member& member : group.members) {
        if (index.try_emplace(member.path, paths.size()).second) {
          paths.push_back(below(report_.run.folder, member.path));
        }
      }
    }
    const unsigned threads = options_.threads != 0
                                 ? options_.threads
                                 : std::max(1U, std::thread::hardware_concurrency());
    TWINSIFT_TRY(const auto looks, look_at_all(paths, threads, options_.callbacks));
    for (const auto& [path, place] : index) {
      const FileLook& look = looks_.emplace(path, looks[place]).first->second;
      if (look.file) members_.insert(look.file->proof.path);
      if (!look.file) result_.skipped.push_back(to_skipped(paths[place], *look.error));
    }
    return ok();
  }

  void leave_out(std::string path, std::string reason, std::string detail) {
    result_.left_out.push_back({std::move(path), std::move(reason), std::move(detail)});
  }

  // The members that still count: there, not empty, each file once, and not already on its way.
  std::vector<Present> present_members(const Group& group) {
    std::vector<Present> present;
    std::map<Identity, std::string> seen;
    for (std::uint32_t place = 0; place < group.members.size(); ++place) {
      const Member& member = group.members[place];
      const FileLook& look = looks_.find(member.path)->second;
      if (!look.file) {
        const bool readable_kind = look.error->code != ErrorCode::kUnsupported;
        if (look.exists && readable_kind) {
          present.push_back(
              {place, nullptr, below(report_.run.folder, member.path), member.reference});
        }
        continue;
      }
      const FileProof& file = look.file->proof;
      const auto [first, is_new] = seen.try_emplace(identity_of(file), file.path);
      if (file.size == 0) {
        leave_out(file.path, "empty", "empty files are nobody's duplicates");
      } else if (!is_new) {
        if (first->second != file.path) {
          leave_out(file.path, "already one file", "it is another name of " + first->second);
        }
      } else if (losers_.contains(identity_of(file))) {
        leave_out(file.path, "goes already", "it is a duplicate in another group, too");
      } else {
        present.push_back(
            {place, &*look.file, file.path, member.reference || protected_.contains(file)});
      }
    }
    return present;
  }

  Status plan_group(const Group& group) {
    const std::vector<Present> present = present_members(group);
    if (present.size() < 2) return ok();
    std::vector<KeepCandidate> candidates;
    for (const Present& one : present) {
      const Member& member = group.members[one.place];
      KeepCandidate candidate{.path = one.path,
                              .size = member.size,
                              .mtime_ns = member.mtime_ns,
                              .is_protected = one.is_protected};
      if (one.file != nullptr) {
        candidate.size = one.file->proof.size;
        candidate.mtime_ns = one.file->proof.mtime_ns;
        candidate.links = one.file->names;
        if (is_unchanged(member, one.file->proof)) candidate.facts = member.facts;
      }
      candidates.push_back(std::move(candidate));
    }
    TWINSIFT_TRY(const KeepChoice choice, rules_.choose(group.medium, candidates));
    const Present& keeper = present[choice.keeper];
    if (keeper.file == nullptr) {
      leave_out(keeper.path, "cannot be read",
                fmt::format("it would be kept, so the other {} of its group stay, too",
                            counted(present.size() - 1, "file")));
      return ok();
    }
    learn(group, present);
    for (std::size_t i = 0; i < present.size(); ++i) {
      if (i == choice.keeper || present[i].file == nullptr) continue;
      consider(group, keeper, present[i], choice.rule[i]);
    }
    return ok();
  }

  void learn(const Group& group, const std::vector<Present>& present) {
    judge_.begin(group);
    std::map<std::uint32_t, const FileProof*> by_place;
    for (const Present& one : present) {
      if (one.file != nullptr) by_place.emplace(one.place, &one.file->proof);
    }
    for (const MemberPair& pair : group.pairs) {
      const auto a = by_place.find(pair.a);
      const auto b = by_place.find(pair.b);
      if (a != by_place.end() && b != by_place.end()) judge_.learn(pair, *a->second, *b->second);
    }
  }

  // How alike two files with different bytes are; empty, and left out, if that is not enough.
  std::optional<Judgement> judge_near(const FileProof& kept, const FileProof& file) {
    if (replaces_by_link(options_.action)) {
      leave_out(file.path, "not the same bytes",
                "only a file equal to its keeper can become a link to it");
      return std::nullopt;
    }
    auto judged = judge_.judge(kept, file);
    if (!judged) {
      result_.skipped.push_back(to_skipped(file.path, judged.error()));
      return std::nullopt;
    }
    if (judged->stays != MustStay::kNo) {
      leave_out(file.path, std::string(must_stay_reason(judged->stays)),
                must_stay_detail(judged->stays, kept.path));
      return std::nullopt;
    }
    if (judged->score + kRounding < threshold_) {
      leave_out(file.path, "not like the keeper",
                fmt::format("its score with {} is {:.3f}, the threshold {:.3f}", kept.path,
                            judged->score, threshold_));
      return std::nullopt;
    }
    return *std::move(judged);
  }

  // One member that is not the keeper: planned, or left out with the reason.
  void consider(const Group& group, const Present& keeper, const Present& loser,
                const std::string& rule) {
    const FileProof& file = loser.file->proof;
    const FileProof& kept = keeper.file->proof;
    if (loser.is_protected) {
      return leave_out(file.path, "protected", "it stays beside the keeper " + kept.path);
    }
    if (keepers_.contains(identity_of(file))) {
      return leave_out(file.path, "kept in another group", "others go because it stays");
    }
    PlannedAction action{.group = group.id,
                         .action = options_.action,
                         .loser = file,
                         .keeper = kept,
                         .exact = file.size == kept.size && file.digest == kept.digest,
                         .score = 1,
                         .detector = "bytes",
                         .rule = rule,
                         .reviewed = options_.reviewed};
    Judgement judgement;
    if (!action.exact) {
      auto alike = judge_near(kept, file);
      if (!alike) return;
      judgement = *std::move(alike);
      action.score = judgement.score;
      action.detector = judgement.detector;
    } else if (stays_on_device(options_.action) && file.device != kept.device) {
      return leave_out(
          file.path, "on another file system",
          fmt::format("a {} to {} cannot lead there", action_name(options_.action), kept.path));
    }
    action.lacks = what_is_lacking({.file = file,
                                    .facts = judgement.loser_facts,
                                    .containment = judgement.loser_in_keeper,
                                    .measure = judgement.recordings ? "time" : "text",
                                    .other_sound = judgement.other_sound},
                                   {.file = kept, .facts = judgement.keeper_facts}, action.exact);
    if (loser.file->names > 1) shared_.insert(identity_of(file));
    keepers_.insert(identity_of(kept));
    losers_.insert(identity_of(file));
    result_.plan.actions.push_back(std::move(action));
  }

  void finish() {
    PlanHeader& header = result_.plan.header;
    header.version = version();
    header.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    header.command = options_.command;
    header.threshold = threshold_;
    header.keep = options_.keep;
    header.protect = protected_.paths();
    for (const StageStats& stage : report_.stages) {
      if (stage.name == "walk") header.items = stage.items;
    }
    for (const PlannedAction& action : result_.plan.actions) {
      if (!shared_.contains(identity_of(action.loser))) result_.bytes += action.loser.size;
      for (const FileProof& companion : action.companions) result_.bytes += companion.size;
    }
    std::ranges::stable_sort(result_.left_out, {}, &Skipped::path);
    std::ranges::sort(result_.skipped, {}, &Skipped::path);
  }

  const Report& report_;
  const PlanOptions& options_;
  KeepRules rules_;
  ProtectedFolders protected_;
  Judge judge_;
  double threshold_;
  std::map<std::string, FileLook, std::less<>> looks_;  // by the path in the report
  std::set<std::string> members_;                       // real paths of all files of the report
  std::set<Identity> keepers_;
  std::set<Identity> losers_;
  std::set<Identity> shared_;  // losers that have other names, which stay
  PlanResult result_;
};

}  // namespace

Result<PlanResult> make_plan(const Report& report, const PlanOptions& options) {
  TWINSIFT_TRY(KeepRules rules, KeepRules::parse(options.keep));
  TWINSIFT_TRY(ProtectedFolders folders, ProtectedFolders::make(options.protect));
  return Planner(report, options, std::move(rules), std::move(folders)).run();
}

}  // namespace twinsift
