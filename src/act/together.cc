// SPDX-License-Identifier: Apache-2.0
#include "act/together.h"

#include <algorithm>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>

#include "act/companions.h"
#include "ingest/file_system.h"

namespace twinsift {
namespace {

// Where a link takes a file's place its name stays, and nothing is parted.
bool takes_name(const PlannedAction& action) {
  return action.action == Action::kQuarantine || action.action == Action::kDeleteList;
}

CompanionKind kind_beside(std::string_view path, std::string_view other) {
  if (parent_of(path) != parent_of(other)) return CompanionKind::kNone;
  return companion_kind(name_of(path), name_of(other));
}

// Whether it belongs to the loser or, as a sidecar, to its other half.
bool belongs(const PlannedAction& action, const FileProof& companion) {
  const CompanionKind kind = kind_beside(action.loser.path, companion.path);
  if (kind == CompanionKind::kSidecar || kind == CompanionKind::kHalf) return true;
  return std::ranges::any_of(action.companions, [&](const FileProof& half) {
    return kind_beside(action.loser.path, half.path) == CompanionKind::kHalf &&
           kind_beside(half.path, companion.path) == CompanionKind::kSidecar;
  });
}

class Together {
 public:
  explicit Together(const Plan& plan) : plan_(plan) {
    for (const PlannedAction& action : plan.actions) {
      if (!takes_name(action)) continue;
      going_.insert(action.loser.path);
      for (const FileProof& companion : action.companions) going_.insert(companion.path);
    }
  }

  std::vector<std::string> run(const std::set<std::uint64_t>& leave_out) {
    for (std::uint64_t n = 0; n < plan_.actions.size(); ++n) {
      if (leave_out.contains(n)) continue;
      refuse_strangers(n);
      if (takes_name(plan_.actions[n])) refuse_parting(n);
    }
    return std::move(refusals_);
  }

 private:
  void refuse_strangers(std::uint64_t n) {
    const PlannedAction& action = plan_.actions[n];
    for (const FileProof& companion : action.companions) {
      if (belongs(action, companion)) continue;
      refusals_.push_back(
          fmt::format("action {}: {} would go along, but it is no companion of {}; take it out of "
                      "the line",
                      n, companion.path, action.loser.path));
    }
  }

  void refuse_parting(std::uint64_t n) {
    const std::string& loser = plan_.actions[n].loser.path;
    struct stat status {};
    if (stat_path(loser, false, status) != 0) return;  // it is passed over when its turn comes
    const auto companions = finder_.find_all(loser);
    if (!companions) return refusals_.push_back(companions.error().message);
    for (const Companion& companion : *companions) {
      if (going_.contains(companion.path) || stays_with_another(companion)) continue;
      refusals_.push_back(
          fmt::format("action {}: {} would go and {} would stay, but they belong together; take "
                      "the line out or make a new plan",
                      n, loser, companion.path));
      return;
    }
  }

  bool stays_with_another(const Companion& companion) {
    if (companion.kind != CompanionKind::kSidecar) return false;
    const auto owners = finder_.find(companion.path);
    return owners && std::ranges::any_of(*owners, [&](const Companion& owner) {
             return !going_.contains(owner.path);
           });
  }

  const Plan& plan_;
  CompanionFinder finder_;
  std::set<std::string> going_;
  std::vector<std::string> refusals_;
};

// Whether the path leads to another file with these bytes.
Result<bool> is_copy(const std::string& path, const GoesAlong& of, const std::stop_token& stop) {
  const Fd file = open_path(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (status.st_size != of.status.st_size || identity_of(status) == identity_of(of.status)) {
    return false;
  }
  return same_bytes({file.get(), path}, of.content, stop);
}

}  // namespace

std::vector<std::string> companion_refusals(const Plan& plan,
                                            const std::set<std::uint64_t>& leave_out) {
  return Together(plan).run(leave_out);
}

Status check_half(const std::string& loser, const GoesAlong& companion, const std::string& keeper,
                  const std::stop_token& stop) {
  if (kind_beside(loser, companion.path) != CompanionKind::kHalf) return ok();
  // Most often it has the same ending, and then the folder need not be read.
  const std::string_view ending = name_of(companion.path);
  const std::string likely = keeper.substr(0, keeper.rfind('.'))
                                 .append(ending.substr(std::min(ending.rfind('.'), ending.size())));
  if (kind_beside(keeper, likely) == CompanionKind::kHalf) {
    TWINSIFT_TRY(const bool copy, is_copy(likely, companion, stop));
    if (copy) return ok();
  }
  CompanionFinder finder;  // a new one: what it has read must be true now
  TWINSIFT_TRY(const auto beside, finder.find(keeper));
  for (const Companion& other : beside) {
    if (other.kind != CompanionKind::kHalf) continue;
    TWINSIFT_TRY(const bool copy, is_copy(other.path, companion, stop));
    if (copy) return ok();
  }
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("{}: there is no equal file beside {} now, so this may be the last copy",
                           companion.path, keeper)};
}

}  // namespace twinsift
