// SPDX-License-Identifier: Apache-2.0
#include "act/perform.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "act/attributes.h"
#include "act/replace.h"
#include "act/restore.h"
#include "ingest/file_system.h"

namespace twinsift {
namespace {

TakenFile record_of(const Checked& checked, const std::string& digest) {
  const struct stat& status = checked.status;
  return {.path = checked.spot.path(),
          .device = status.st_dev,
          .inode = status.st_ino,
          .size = static_cast<std::uint64_t>(status.st_size),
          .mtime_ns = mtime_ns_of(status),
          .ctime_ns = ctime_ns_of(status),
          .digest = digest,
          .mode = status.st_mode,
          .uid = status.st_uid,
          .gid = status.st_gid,
          .links = status.st_nlink,
          .xattrs = attributes_of(checked.file.get()),
          .quarantined = "",
          .temp = ""};
}

void add_folder(const std::string& path, std::vector<FolderRecord>& folders) {
  const std::string folder(parent_of(path));
  if (std::ranges::find(folders, folder, &FolderRecord::path) == folders.end()) {
    folders.push_back({.path = folder});
  }
}

bool is_link(Action action) {
  return action == Action::kHardlink || action == Action::kSymlink || action == Action::kReflink;
}

Error changed(const std::string& path) {
  return {
      ErrorCode::kIo,
      fmt::format("{}: changed: something else took its place just now; make a new plan", path)};
}

Status quarantine_one(const TakenFile& file, const Checked& checked) {
  TWINSIFT_TRY(const OpenSpot kept, OpenSpot::open(file.quarantined));
  const Spot place = checked.spot.spot();
  if (const int error = move_new(place, kept.spot()); error != 0) {
    return errno_error(error == EEXIST ? file.quarantined : file.path, error);
  }
  for (const int folder : {kept.folder(), place.folder}) {
    if (const int error = sync_fd(folder); error != 0) return errno_error(file.path, error);
  }
  const auto moved = look_at(kept.spot());
  if (!moved || identity_of(*moved) != identity_of(checked.status)) return changed(file.path);
  return ok();
}

}  // namespace

Result<Intent> make_intent(std::uint64_t n, const PlannedAction& action,
                           const CheckedAction& checked, Quarantine& quarantine) {
  Intent intent{.n = n,
                .group = action.group,
                .action = action.action,
                .exact = action.exact,
                .target = "",
                .keeper = action.keeper};
  intent.files.push_back(record_of(checked.loser, action.loser.digest));
  if (is_link(action.action)) {
    TakenFile& loser = intent.files[0];
    TWINSIFT_TRY(const std::string folder, quarantine.folder_for(checked.loser.spot));
    const std::string run = folder.substr(folder.rfind('/') + 1);
    loser.temp = fmt::format("{}/.twinsift-{}-{}", parent_of(loser.path), run, n);
  } else {
    for (std::size_t i = 0; i < checked.companions.size(); ++i) {
      intent.files.push_back(record_of(checked.companions[i], action.companions[i].digest));
    }
  }
  if (action.action == Action::kSymlink) {
    TWINSIFT_TRY(intent.target, symlink_target(checked));
  }
  for (std::size_t i = 0; i < intent.files.size(); ++i) {
    const Checked& file = i == 0 ? checked.loser : checked.companions[i - 1];
    TWINSIFT_TRY(const std::string folder, quarantine.folder_for(file.spot));
    const std::string name = fmt::format("{:06}.{}", n, i);
    intent.files[i].quarantined = folder + '/' + name;
    TWINSIFT_TRY([[maybe_unused]] const auto noted,
                 quarantine.note(folder, name, intent.files[i].path));
    add_folder(intent.files[i].path, intent.folders);
  }
  intent.folders = folders_now(intent.folders);
  return intent;
}

Status perform(const Intent& intent, const CheckedAction& checked) {
  if (is_link(intent.action)) {
    TWINSIFT_TRY([[maybe_unused]] const auto replaced, replace_by_link(intent, checked));
  } else {
    for (std::size_t i = 0; i < intent.files.size(); ++i) {
      const Checked& file = i == 0 ? checked.loser : checked.companions[i - 1];
      TWINSIFT_TRY([[maybe_unused]] const auto moved, quarantine_one(intent.files[i], file));
    }
  }
  // What was compared before must hold now: a writer may have been at work meanwhile.
  TWINSIFT_TRY([[maybe_unused]] const auto keeper, check_unchanged(checked.keeper));
  const auto there = look_at(checked.keeper.spot.spot());
  if (!there || identity_of(*there) != identity_of(checked.keeper.status)) {
    return changed(checked.keeper.spot.path());
  }
  return check_unchanged(checked.loser);
}

}  // namespace twinsift
