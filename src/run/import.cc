// SPDX-License-Identifier: Apache-2.0
#include "run/import.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "act/judge.h"
#include "act/live_file.h"
#include "base/cancel.h"
#include "base/escape.h"
#include "base/parallel.h"
#include "report/facts.h"
#include "report/import.h"
#include "run/new_since.h"
#include "run/run.h"
#include "twinsift/media.h"

namespace twinsift {
namespace {

// Texts are for people to read side by side: nobody reads more than this.
constexpr std::size_t kMaxExplained = 2000;

class ImportRun {
 public:
  ImportRun(const Report& claimed, const FindOptions& options, Resolved resolved)
      : claimed_(claimed), options_(options), resolved_(std::move(resolved)) {}

  Result<Report> run() {
    TWINSIFT_TRY(const auto media, make_media_types(options_.match));
    report_.run = make_run_info(options_.match, resolved_, options_.command);
    for (const auto& medium : media) report_.run.detectors.push_back(medium->spec());
    if (options_.callbacks.started) options_.callbacks.started(report_.run);
    StageClock clock("import");
    TWINSIFT_TRY([[maybe_unused]] const auto looked, look(clock.stats()));
    for (const Skipped& skipped : claimed_.skipped) skip(skipped);
    report_.notes = claimed_.notes;
    TWINSIFT_TRY([[maybe_unused]] const auto verified, verify());
    if (options_.new_since_ns) keep_new_groups(report_, *options_.new_since_ns);
    sort_groups();
    clock.finish(report_.stages);
    report_.peak_rss = peak_rss();
    return std::move(report_);
  }

 private:
  // What came of one group that was claimed.
  struct Outcome {
    std::vector<Group> groups;
    std::vector<std::string> notes;
    std::vector<Skipped> skipped;
  };

  void skip(Skipped skipped) {
    if (options_.callbacks.skipped) options_.callbacks.skipped(skipped);
    report_.skipped.push_back(std::move(skipped));
  }

  Status look(StageStats& stats) {
    std::vector<std::string> paths;
    for (const Group& group : claimed_.groups) {
      for (const Member& member : group.members) {
        if (looks_.try_emplace(member.path, paths.size()).second) {
          paths.push_back(below(claimed_.run.folder, member.path));
        }
      }
    }
    TWINSIFT_TRY(found_, look_at_all(paths, resolved_.threads, options_.callbacks));
    stats.items = paths.size();
    for (const auto& [path, place] : looks_) {
      if (found_[place].file) {
        stats.bytes += found_[place].file->proof.size;
      } else {
        skip(to_skipped(paths[place], *found_[place].error));
      }
    }
    return ok();
  }

  Status verify() {
    std::vector<Outcome> outcomes(claimed_.groups.size());
    ProgressMeter meter(options_.callbacks, "comparing", claimed_.groups.size(), 0);
    parallel_for(claimed_.groups.size(), resolved_.threads, options_.callbacks.stop,
                 [&](std::size_t i, unsigned /*worker*/) {
                   outcomes[i] = verify_group(claimed_.groups[i], i < kMaxExplained);
                   meter.add(1, 0, "");
                 });
    if (options_.callbacks.stop.stop_requested()) return cancelled_error();
    for (Outcome& outcome : outcomes) {
      std::ranges::move(outcome.groups, std::back_inserter(report_.groups));
      std::ranges::move(outcome.notes, std::back_inserter(report_.notes));
      for (Skipped& skipped : outcome.skipped) skip(std::move(skipped));
    }
    return ok();
  }

  // The members as they are now: each file once, references first, the others as they were.
  [[nodiscard]] std::vector<Member> present_members(const Group& group) const {
    std::vector<Member> present;
    std::map<Identity, std::size_t> seen;
    for (const Member& claimed : group.members) {
      const FileLook& look = found_[looks_.find(claimed.path)->second];
      if (!look.file || look.file->proof.size == 0) continue;  // empty: nobody's duplicate
      const FileProof& file = look.file->proof;
      const auto [place, is_new] =
          seen.try_emplace(Identity{.device = file.device, .inode = file.inode}, present.size());
      if (!is_new) {
        Member& same = present[place->second];
        same.reference = same.reference || claimed.reference;
        const std::string name = below(claimed_.run.folder, claimed.path);
        if (same.path != name) same.links.push_back(name);
        continue;
      }
      Member member{.path = below(claimed_.run.folder, claimed.path),
                    .size = file.size,
                    .mtime_ns = file.mtime_ns,
                    .digest = file.digest,
                    .reference = claimed.reference};
      if (is_unchanged(claimed, file)) member.facts = claimed.facts;
      present.push_back(std::move(member));
    }
    std::ranges::stable_partition(present, &Member::reference);
    return present;
  }

  [[nodiscard]] Outcome verify_group(const Group& claimed, bool explain) const {
    Outcome outcome;
    std::vector<Member> rest = present_members(claimed);
    if (rest.size() < 2) return outcome;
    Group group{.medium = "file", .members = {rest.front()}, .pairs = {}};
    std::map<std::string, std::vector<Member>> others;  // by digest
    for (std::size_t i = 1; i < rest.size(); ++i) {
      if (!add_to(group, rest[i], explain, outcome)) others[rest[i].digest].push_back(rest[i]);
    }
    if (group.members.size() > 1) outcome.groups.push_back(std::move(group));
    for (auto& [digest, equal] : others) {
      if (equal.size() < 2) continue;
      Group copies{.medium = "file", .members = {equal.front()}, .pairs = {}};
      for (std::size_t i = 1; i < equal.size(); ++i) add_identical(copies, equal[i]);
      outcome.groups.push_back(std::move(copies));
    }
    return outcome;
  }

  static void add_identical(Group& group, const Member& member) {
    MemberPair pair;
    pair.b = static_cast<std::uint32_t>(group.members.size());
    pair.score = 1;
    pair.identical = true;
    pair.evidence.jaccard = pair.evidence.containment_a = pair.evidence.containment_b = 1;
    group.members.push_back(member);
    group.pairs.push_back(std::move(pair));
  }

  // False if the member does not belong to the group.
  bool add_to(Group& group, const Member& member, bool explain, Outcome& outcome) const {
    const Member& keeper = group.representative();
    if (member.size == keeper.size && member.digest == keeper.digest) {
      add_identical(group, member);
      return true;
    }
    auto found = compare(keeper.path, member.path,
                         {.match = options_.match, .explain = options_.explain && explain});
    if (!found) {
      outcome.skipped.push_back(to_skipped(member.path, found.error()));
      return false;
    }
    if (found->score < resolved_.threshold) {
      outcome.notes.push_back(fmt::format("{} left its group: it is only {} like {}", member.path,
                                          human_percent(found->score), keeper.path));
      return false;
    }
    MemberPair pair;
    pair.b = static_cast<std::uint32_t>(group.members.size());
    pair.score = found->score;
    pair.relation = found->relation;
    pair.evidence = std::move(found->evidence);
    pair.text_a = std::move(found->text_a);
    pair.text_b = std::move(found->text_b);
    pair.preview_a = std::move(found->preview_a);
    pair.preview_b = std::move(found->preview_b);
    pair.strip_a = std::move(found->strip_a);
    pair.strip_b = std::move(found->strip_b);
    group.medium = found->medium;
    group.score = std::min(group.score, pair.score);
    group.members.front().facts = std::move(found->a.facts);
    group.members.push_back(member);
    group.members.back().facts = std::move(found->b.facts);
    group.pairs.push_back(std::move(pair));
    return true;
  }

  // As find() does: most bytes to gain first, then by path.
  void sort_groups() {
    std::ranges::stable_sort(report_.groups, [](const Group& a, const Group& b) {
      const std::uint64_t gain_a = bytes_to_gain(a);
      const std::uint64_t gain_b = bytes_to_gain(b);
      return std::tie(gain_b, a.representative().path) < std::tie(gain_a, b.representative().path);
    });
    for (std::size_t i = 0; i < report_.groups.size(); ++i) report_.groups[i].id = i + 1;
  }

  const Report& claimed_;
  const FindOptions& options_;
  Resolved resolved_;
  std::map<std::string_view, std::size_t> looks_;  // path in the report -> place in found_
  std::vector<FileLook> found_;
  Report report_;
};

}  // namespace

Result<Report> verify_report(const Report& claimed, const FindOptions& options) {
  TWINSIFT_TRY(Resolved resolved, resolve(options.match));
  return ImportRun(claimed, options, std::move(resolved)).run();
}

}  // namespace twinsift
