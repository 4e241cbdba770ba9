// SPDX-License-Identifier: Apache-2.0
#include "act/wipeout.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>

#include "act/real_folders.h"
#include "ingest/file_system.h"
#include "report/facts.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

bool takes_something(const PlannedAction& action) {
  return action.action == Action::kQuarantine || action.action == Action::kDeleteList ||
         !action.exact;
}

bool is_below(std::string_view path, std::string_view folder) {
  if (folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_allowed(std::string_view path, const std::vector<std::string>& allowed) {
  return std::ranges::any_of(allowed,
                             [&](const std::string& folder) { return is_below(path, folder); });
}

// How many files there are in a folder and below, on its file system, but no more than `enough`:
// whoever finds that many need not look further.
std::uint64_t count_files(const std::string& folder, std::uint64_t enough) {
  struct stat root {};
  if (stat_path(folder, true, root) != 0) return 0;
  std::uint64_t files = 0;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator() && files < enough;
       at.increment(error)) {
    struct stat status {};
    if (stat_path(at->path().string(), false, status) != 0) continue;
    if (S_ISREG(status.st_mode)) ++files;
    const bool ours = at->path().filename().string().starts_with(".twinsift");
    if (S_ISDIR(status.st_mode) && (status.st_dev != root.st_dev || ours)) {
      at.disable_recursion_pending();
    }
  }
  return files;
}

// Files that go and may not, by each folder above them.
std::map<std::string, std::uint64_t> losses_by_folder(const Plan& plan,
                                                      const std::set<std::uint64_t>& leave_out,
                                                      const std::vector<std::string>& allowed) {
  std::map<std::string, std::uint64_t> losses;
  RealFolders real;  // a loss must not be parted among the names of a folder
  const auto add = [&](const std::string& path) {
    std::string folder = real.of(path);
    if (is_allowed(path, allowed) || is_allowed(folder, allowed)) return;
    for (;; folder = parent_of(folder)) {
      ++losses[folder];
      if (folder == "/" || folder == ".") break;
    }
  };
  for (std::size_t n = 0; n < plan.actions.size(); ++n) {
    const PlannedAction& action = plan.actions[n];
    if (leave_out.contains(n) || !takes_something(action)) continue;
    add(action.loser.path);
    for (const FileProof& companion : action.companions) add(companion.path);
  }
  return losses;
}

struct FolderLoss {
  std::string folder;
  std::uint64_t losses = 0;
  std::uint64_t files = 0;
};

std::vector<FolderLoss> folders_with_great_loss(const Plan& plan,
                                                const std::set<std::uint64_t>& leave_out,
                                                const std::vector<std::string>& allowed) {
  std::vector<FolderLoss> found;
  for (const auto& [folder, losses] : losses_by_folder(plan, leave_out, allowed)) {
    if (2 * losses <= kAlarmFolder) continue;
    const std::uint64_t files = count_files(folder, 2 * losses);
    if (files >= kAlarmFolder && 2 * losses > files) found.push_back({folder, losses, files});
  }
  return found;
}

// Of folders inside each other the one that says most is told: the smallest that has all of the
// losses, and none below it again.
void add_folder_alarms(const Plan& plan, const std::set<std::uint64_t>& leave_out,
                       const std::vector<std::string>& allowed, std::vector<std::string>& alarms) {
  const auto found = folders_with_great_loss(plan, leave_out, allowed);
  std::vector<std::string> told;
  for (const FolderLoss& at : found) {
    const bool smaller_says_all = std::ranges::any_of(found, [&](const FolderLoss& other) {
      return other.folder != at.folder && other.losses == at.losses &&
             is_below(other.folder, at.folder);
    });
    if (smaller_says_all || is_allowed(at.folder, told)) continue;
    told.push_back(at.folder);
    alarms.push_back(
        fmt::format("{}: the plan takes {} of the {} files in it and below; if that is what you "
                    "want, say --allow-wipeout '{}'",
                    at.folder, human_count(at.losses), human_count(at.files), at.folder));
  }
}

void add_group_alarms(const Plan& plan, const std::set<std::uint64_t>& leave_out,
                      const std::vector<std::string>& allowed, std::vector<std::string>& alarms) {
  if (plan.header.items < kAlarmItems) return;
  struct Group {
    std::uint64_t losers = 0;
    bool allowed = true;
    std::string keeper;
  };
  std::map<std::uint64_t, Group> groups;
  for (std::size_t n = 0; n < plan.actions.size(); ++n) {
    const PlannedAction& action = plan.actions[n];
    if (leave_out.contains(n) || !takes_something(action)) continue;
    Group& group = groups[action.group];
    ++group.losers;
    group.keeper = action.keeper.path;
    group.allowed = group.allowed && is_allowed(action.loser.path, allowed);
  }
  for (const auto& [number, group] : groups) {
    const std::uint64_t members = group.losers + 1;
    if (group.allowed || 100 * members <= plan.header.items) continue;
    alarms.push_back(fmt::format(
        "group {} holds {} of all {} items, of which only {} would stay; look at it, then say "
        "--allow-wipeout with the folder of its files",
        number, human_count(members), human_count(plan.header.items), group.keeper));
  }
}

}  // namespace

std::vector<std::string> wipeout_alarms(const Plan& plan, const std::set<std::uint64_t>& leave_out,
                                        const std::vector<std::string>& allowed) {
  std::vector<std::string> alarms;
  add_folder_alarms(plan, leave_out, allowed, alarms);
  add_group_alarms(plan, leave_out, allowed, alarms);
  return alarms;
}

}  // namespace twinsift
