// SPDX-License-Identifier: Apache-2.0
#include "act/companion_check.h"

#include <algorithm>
#include <map>
#include <optional>

#include "act/companions.h"
#include "ingest/file_system.h"

namespace twinsift {
namespace {

struct Reason {
  std::string reason;
  std::string detail;
};

class CompanionCheck {
 public:
  CompanionCheck(std::vector<PlannedAction>& actions, const std::set<std::string>& members,
                 const ProtectedFolders& folders)
      : actions_(actions), members_(members), folders_(folders) {
    for (const PlannedAction& action : actions) going_.insert(action.loser.path);
  }

  void run(std::vector<Skipped>& left_out) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const PlannedAction& action : actions_) {
        if (!going_.contains(action.loser.path)) continue;
        auto reason = why_not(action);
        if (!reason) continue;
        left_out.push_back(
            {action.loser.path, std::move(reason->reason), std::move(reason->detail)});
        going_.erase(action.loser.path);
        changed = true;
      }
    }
    std::erase_if(actions_,
                  [&](const PlannedAction& action) { return !going_.contains(action.loser.path); });
    for (PlannedAction& action : actions_) attach(action);
  }

 private:
  const FileLook& look(const std::string& path) {
    const auto found = looks_.find(path);
    return found != looks_.end() ? found->second
                                 : looks_.emplace(path, look_at(path)).first->second;
  }

  std::optional<Reason> why_not(const PlannedAction& action) {
    const auto companions = finder_.find_all(action.loser.path);
    if (!companions) return Reason{"its companions are unknown", companions.error().message};
    for (const Companion& companion : *companions) {
      if (going_.contains(companion.path)) continue;
      if (auto reason = why_not(action, companion)) return reason;
    }
    return std::nullopt;
  }

  std::optional<Reason> why_not(const PlannedAction& action, const Companion& companion) {
    if (companion.kind == CompanionKind::kOwner) {
      return Reason{"its companion stays", "it belongs to " + companion.path};
    }
    if (companion.kind == CompanionKind::kSidecar && belongs_to_another(companion, action)) {
      return std::nullopt;  // it stays with the other
    }
    const FileLook& file = look(companion.path);
    if (!file.file) return Reason{"its companion cannot be read", file.error->message};
    if (members_.contains(companion.path) || folders_.contains(file.file->proof)) {
      return Reason{"its companion stays", "it belongs together with " + companion.path};
    }
    if (companion.kind == CompanionKind::kHalf && !keeper_has(action, file.file->proof)) {
      return Reason{"its other half has no copy",
                    companion.path + " would go along, but there is no equal file beside " +
                        action.keeper.path};
    }
    return std::nullopt;
  }

  // The other half of the loser does not count: it goes along, or the loser stays.
  bool belongs_to_another(const Companion& sidecar, const PlannedAction& action) {
    const auto owners = finder_.find(sidecar.path);
    return !owners || std::ranges::any_of(*owners, [&](const Companion& owner) {
      return owner.path != action.loser.path && !going_.contains(owner.path) &&
             companion_kind(name_of(action.loser.path), name_of(owner.path)) !=
                 CompanionKind::kHalf;
    });
  }

  // Whether a companion of the keeper has the same bytes.
  bool keeper_has(const PlannedAction& action, const FileProof& file) {
    const auto companions = finder_.find_all(action.keeper.path);
    return companions && std::ranges::any_of(*companions, [&](const Companion& companion) {
             const FileLook& copy = look(companion.path);
             return companion.path != file.path && copy.file &&
                    copy.file->proof.size == file.size && copy.file->proof.digest == file.digest;
           });
  }

  void attach(PlannedAction& action) {
    const auto companions = finder_.find_all(action.loser.path);
    for (const Companion& companion : *companions) {
      const bool stays =
          companion.kind == CompanionKind::kSidecar && belongs_to_another(companion, action);
      // What goes by a line of its own, or with another file, need not be listed here.
      if (stays || going_.contains(companion.path) || !taken_.insert(companion.path).second) {
        continue;
      }
      const FileProof& file = look(companion.path).file->proof;
      if (!keeper_has(action, file)) action.lacks.push_back("companion " + companion.path);
      action.companions.push_back(file);
    }
  }

  std::vector<PlannedAction>& actions_;
  const std::set<std::string>& members_;
  const ProtectedFolders& folders_;
  CompanionFinder finder_;
  std::set<std::string> going_;  // paths of the losers
  std::set<std::string> taken_;  // companions that a line has
  std::map<std::string, FileLook> looks_;
};

}  // namespace

void check_companions(std::vector<PlannedAction>& actions, const std::set<std::string>& members,
                      const ProtectedFolders& folders, std::vector<Skipped>& left_out) {
  CompanionCheck(actions, members, folders).run(left_out);
}

}  // namespace twinsift
