// SPDX-License-Identifier: Apache-2.0
#include "act/check.h"

#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "act/disk.h"
#include "act/protect.h"
#include "act/quarantine.h"
#include "act/real_folders.h"
#include "act/together.h"
#include "act/wipeout.h"
#include "ingest/file_system.h"

namespace twinsift {
namespace {

// A name in a folder: unlike a path there is only one way to write it.
using Entry = std::pair<Identity, std::string>;

bool is_digest(std::string_view text) {
  constexpr std::size_t kDigits = 32;
  return text.size() == kDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

class Checker {
 public:
  Checker(const Plan& plan, const CheckOptions& options) : plan_(plan), options_(options) {}

  std::vector<std::string> run() {
    resolve_protected();
    for_each_action([&](const PlannedAction& action) { check_line(action); });
    if (!refusals_.empty()) return std::move(refusals_);  // the rest would be about nonsense
    for_each_action([&](const PlannedAction& action) { note_keeper(action.keeper); });
    for_each_action([&](const PlannedAction& action) {
      check_goer(action.loser);
      for (const FileProof& companion : action.companions) check_goer(companion);
    });
    for (std::string& parted : companion_refusals(plan_, options_.leave_out)) {
      refuse(std::move(parted));
    }
    for (std::string& alarm :
         wipeout_alarms(plan_, options_.leave_out, real_paths(options_.allow_wipeout))) {
      refuse(std::move(alarm));
    }
    return std::move(refusals_);
  }

 private:
  template <class Visit>
  void for_each_action(Visit visit) {
    for (number_ = 0; number_ < plan_.actions.size(); ++number_) {
      if (!options_.leave_out.contains(number_)) visit(plan_.actions[number_]);
    }
  }

  void refuse(std::string reason) { refusals_.push_back(std::move(reason)); }

  void resolve_protected() {
    std::vector<std::string> paths = plan_.header.protect;
    paths.insert(paths.end(), options_.protect.begin(), options_.protect.end());
    auto resolved = Protected::resolve(paths);
    if (!resolved) return refuse(resolved.error().message);
    protected_ = *std::move(resolved);
  }

  // What the line says of itself.
  void check_line(const PlannedAction& action) {
    const std::string where = fmt::format("action {} ({})", number_, action.loser.path);
    check_proof(action.loser, where);
    check_proof(action.keeper, where);
    for (const FileProof& companion : action.companions) check_proof(companion, where);
    const bool same_content =
        action.loser.size == action.keeper.size && action.loser.digest == action.keeper.digest;
    if (action.exact && !same_content) {
      refuse(
          fmt::format("{}: it is called exact, but its proof says that the contents differ; "
                      "make a new plan",
                      where));
    }
    const bool same_file =
        action.loser.path == action.keeper.path ||
        (action.loser.device == action.keeper.device && action.loser.inode == action.keeper.inode);
    if (same_file) {
      refuse(fmt::format("{}: it is the same file as its keeper; take the line out", where));
    }
    if (!action.exact) check_review(action, where);
  }

  void check_proof(const FileProof& proof, const std::string& where) {
    if (!proof.path.starts_with('/') || proof.inode == 0 || !is_digest(proof.digest)) {
      refuse(
          fmt::format("{}: it lacks part of its proof (path, inode or digest); make a new plan "
                      "with 'twinsift plan'",
                      where));
    }
    if (lies_in_quarantine(proof.path) || lies_in_quarantine(real_folders_.of(proof.path) + '/')) {
      refuse(fmt::format("{}: {} is in a quarantine; undo or purge that run first", where,
                         proof.path));
    }
  }

  void check_review(const PlannedAction& action, const std::string& where) {
    if (plan_.header.threshold <= 0) {
      refuse(
          fmt::format("{}: it is a near-duplicate, but the plan has no threshold to hold it "
                      "against; make a new plan",
                      where));
    }
    if (action.reviewed) return;
    if (!options_.unreviewed) {
      refuse(
          fmt::format("{}: it is a near-duplicate that nobody has reviewed; look at it and set "
                      "\"reviewed\" to true, or say --unreviewed",
                      where));
    } else if (action.action != Action::kQuarantine) {
      refuse(
          fmt::format("{}: unreviewed near-duplicates can only be quarantined; plan that for it, "
                      "or review it",
                      where));
    }
  }

  // A file that is gone is found out, and passed over, when its turn comes.
  void note_keeper(const FileProof& proof) {
    keepers_.emplace(Identity{proof.device, proof.inode}, proof.path);
    struct stat status {};
    if (stat_path(proof.path, false, status) == 0) {
      keepers_.emplace(identity_of(status), proof.path);
    }
  }

  void check_goer(const FileProof& proof) {
    const auto spot = OpenSpot::open(proof.path);
    std::optional<struct stat> status;
    if (spot) status = look_at(spot->spot());
    if (status) refuse_keeper(identity_of(*status), proof);
    refuse_keeper({proof.device, proof.inode}, proof);
    if (!spot) return;
    struct stat folder {};
    if (::fstat(spot->folder(), &folder) == 0 &&
        !goers_.insert({identity_of(folder), spot->spot().name}).second) {
      refuse(fmt::format("action {}: {} would go twice; take one of the lines out", number_,
                         proof.path));
    }
    const auto held = protected_.holds(*spot);
    if (!held) return refuse(held.error().message);
    if (*held) {
      refuse(fmt::format("action {}: {} is protected; take the line out", number_, proof.path));
    }
  }

  void refuse_keeper(const Identity& identity, const FileProof& proof) {
    const auto keeper = keepers_.find(identity);
    if (keeper == keepers_.end()) return;
    if (!told_.insert(number_).second) return;
    refuse(fmt::format(
        "action {}: {} would go, but it is {} that another line keeps; the last "
        "copy is never touched, so take one of the lines out",
        number_, proof.path,
        keeper->second == proof.path ? "the file" : "the same file as " + keeper->second));
  }

  static std::vector<std::string> real_paths(const std::vector<std::string>& paths) {
    std::vector<std::string> real;
    for (const std::string& path : paths) {
      std::error_code error;
      const auto canonical = std::filesystem::weakly_canonical(path, error);
      real.push_back(error ? path : canonical.string());
      if (real.back().size() > 1 && real.back().ends_with('/')) real.back().pop_back();
    }
    return real;
  }

  const Plan& plan_;
  const CheckOptions& options_;
  Protected protected_;
  RealFolders real_folders_;
  std::map<Identity, std::string> keepers_;
  std::set<Entry> goers_;
  std::set<std::uint64_t> told_;
  std::uint64_t number_ = 0;
  std::vector<std::string> refusals_;
};

}  // namespace

std::vector<std::string> reasons_to_refuse(const Plan& plan, const CheckOptions& options) {
  return Checker(plan, options).run();
}

}  // namespace twinsift
