// SPDX-License-Identifier: Apache-2.0
#include "act/restore.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <ranges>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "act/content.h"
#include "act/disk.h"
#include "ingest/file_system.h"

namespace twinsift {
namespace {

using MaybeStat = std::optional<struct stat>;

bool has_content(const Spot& at, const std::string& digest) {
  const Fd file(::openat(at.folder, at.name.c_str(),
                         O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file) return false;
  const auto found = digest_of({file.get(), at.name}, {});
  return found && *found == digest;
}

// Makes the folder of a path again, and those above it.
Status make_folders_again(const std::string& path, const Intent& intent) {
  struct stat status {};
  if (path == "/" || stat_path(path, true, status) == 0) return ok();
  TWINSIFT_TRY([[maybe_unused]] const auto above,
               make_folders_again(std::string(parent_of(path)), intent));
  TWINSIFT_TRY(const OpenSpot spot, OpenSpot::open(path));
  constexpr mode_t kUsual = 0777;  // less what the umask takes
  const int made = make_folder(spot.spot(), kUsual);
  if (made != 0 && made != EEXIST) return errno_error(path, made);
  const auto known = std::ranges::find(intent.folders, path, &FolderRecord::path);
  if (known != intent.folders.end() && made == 0) {
    // The owner first: changing it takes set-ID bits away.  Not everybody may.
    static_cast<void>(!::fchownat(spot.folder(), spot.spot().name.c_str(), known->uid, known->gid,
                                  AT_SYMLINK_NOFOLLOW));
    static_cast<void>(
        !::fchmodat(spot.folder(), spot.spot().name.c_str(), known->mode & 07777U, 0));
  }
  if (const int error = sync_fd(spot.folder()); error != 0) return errno_error(path, error);
  return ok();
}

// One file and its three places.
class FileRestorer {
 public:
  FileRestorer(const Intent& intent, const TakenFile& file) : intent_(intent), file_(file) {}

  Result<Restored> run() {
    TWINSIFT_TRY([[maybe_unused]] const auto opened, open_places());
    TWINSIFT_TRY([[maybe_unused]] const auto foreign, return_foreign());
    if (is_old(place_)) return finish();
    const OpenSpot* source = is_old(kept_) || holds_moved(kept_) ? &*kept_
                             : is_old(temp_)                     ? &*temp_
                                                                 : nullptr;
    if (source == nullptr) {
      remove_ours();
      return Restored::kMissing;
    }
    if (!place_) {
      TWINSIFT_TRY([[maybe_unused]] const auto made,
                   make_folders_again(std::string(parent_of(file_.path)), intent_));
      TWINSIFT_TRY([[maybe_unused]] const auto again, open_places());
    }
    if (!place_) return errno_error(file_.path, ENOENT);
    TWINSIFT_TRY([[maybe_unused]] const auto moved, put_back(*source));
    return finish();
  }

 private:
  using Place = std::optional<OpenSpot>;

  Status open_places() {
    for (const auto& [path, place] :
         {std::pair{&file_.path, &place_}, std::pair{&file_.quarantined, &kept_},
          std::pair{&file_.temp, &temp_}}) {
      if (path->empty() || *place) continue;
      auto opened = OpenSpot::open(*path);
      if (!opened && opened.error().code != ErrorCode::kNotFound) return opened.error();
      if (opened) place->emplace(*std::move(opened));
    }
    return ok();
  }

  static MaybeStat look(const Place& place) {
    return place ? look_at(place->spot()) : std::nullopt;
  }

  // The inode tells, on the file system of the quarantine: the numbers of devices may change with
  // each start of the machine.
  bool is_old(const Place& place) const {
    const MaybeStat status = look(place);
    return status && S_ISREG(status->st_mode) && status->st_ino == file_.inode && is_near(*status);
  }

  bool is_near(const struct stat& status) const {
    struct stat folder {};
    return !kept_ || ::fstat(kept_->folder(), &folder) != 0 || folder.st_dev == status.st_dev;
  }

  // Whatever was renamed into the quarantine came from the file's place, even if somebody had
  // put another file there a moment before.
  bool holds_moved(const Place& place) const {
    return intent_.action == Action::kQuarantine && look(place).has_value();
  }

  // Whether the place holds the thing that was made to replace the file.
  bool is_ours(const Place& place) const {
    const MaybeStat status = look(place);
    if (!status) return false;
    switch (intent_.action) {
      case Action::kHardlink:
        return S_ISREG(status->st_mode) && status->st_ino == intent_.keeper.inode &&
               is_near(*status);
      case Action::kSymlink:
        return S_ISLNK(status->st_mode) && link_text(place->spot()) == intent_.target;
      case Action::kReflink:
        return S_ISREG(status->st_mode) && !is_old(place) &&
               has_content(place->spot(), intent_.keeper.digest);
      case Action::kQuarantine:
      case Action::kDeleteList:
        break;
    }
    return false;
  }

  // Whether what is_ours() can go without anything being lost with it.
  bool is_spare(const Place& place) const {
    const MaybeStat status = look(place);
    if (!status || !is_ours(place)) return false;
    if (intent_.action == Action::kHardlink) return status->st_nlink > 1;
    if (intent_.action == Action::kSymlink || intent_.exact) return true;
    // The clone of a keeper that differs from the file: the keeper must still be there.
    const auto keeper = OpenSpot::open(intent_.keeper.path);
    return keeper && has_content(keeper->spot(), intent_.keeper.digest);
  }

  // If somebody's new file came out of the exchange of names and the program was killed before it
  // could look, that file has the temporary name now.
  Status return_foreign() {
    const MaybeStat there = look(temp_);
    if (!there || !place_ || is_old(temp_) || is_ours(temp_) || is_old(place_)) return ok();
    if (!is_ours(place_)) return ok();
    const int error = exchange(temp_->spot(), place_->spot());
    if (error != 0) return errno_error(file_.temp, error);
    return ok();
  }

  Status put_back(const OpenSpot& source) {
    const int moved = move_new(source.spot(), place_->spot());
    if (moved == 0) return sync(source);
    if (moved != EEXIST) return in_the_way(source, errno_error(file_.path, moved).message);
    if (!is_ours(place_)) return in_the_way(source, "something else is at its place now");
    if (!is_spare(place_)) {
      return in_the_way(source, fmt::format("what is at its place is the last copy of {}; give "
                                            "that its name back first",
                                            intent_.keeper.path));
    }
    const int exchanged = exchange(source.spot(), place_->spot());
    if (exchanged == EINVAL) {  // the file system cannot exchange
      const int replaced = move_over(source.spot(), place_->spot());
      if (replaced != 0) return in_the_way(source, errno_error(file_.path, replaced).message);
      return sync(source);
    }
    if (exchanged != 0) return in_the_way(source, errno_error(file_.path, exchanged).message);
    const Place& out = kept_ && &source == &*kept_ ? kept_ : temp_;
    if (is_ours(out)) return sync(source);  // finish() removes it
    const int back = exchange(source.spot(), place_->spot());
    if (back != 0) return errno_error(file_.path, back);
    return in_the_way(source, "something else is at its place now");
  }

  Status in_the_way(const OpenSpot& source, std::string_view why) const {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: {}; the file is at {}", file_.path, why, source.path())};
  }

  Status sync(const OpenSpot& source) const {
    for (const int folder : {place_->folder(), source.folder()}) {
      if (const int error = sync_fd(folder); error != 0) return errno_error(file_.path, error);
    }
    return ok();
  }

  // The file is at its place: whatever else we made or named goes.
  Result<Restored> finish() {
    remove_ours();
    for (const Place* place : {&temp_, &kept_}) {
      if (!look(*place)) continue;
      return Error{ErrorCode::kIo, fmt::format("{}: it is back, but something else is at {} and "
                                               "could not be removed; look at it",
                                               file_.path, (*place)->path())};
    }
    return Restored::kBack;
  }

  void remove_ours() {
    const bool in_place = is_old(place_);
    for (const Place* place : {&temp_, &kept_}) {
      if (!look(*place)) continue;
      // A clone that is not finished has the temporary name, and the file is still in place.
      const bool unfinished = place == &temp_ && intent_.action == Action::kReflink && in_place;
      const bool second_name = is_old(*place) && in_place;
      const bool unlinked = (second_name || unfinished || is_spare(*place) || is_twin(*place)) &&
                            remove_name((*place)->spot()) == 0;
      if (unlinked) sync_fd((*place)->folder());
    }
  }

  // A further name of whatever is at the file's place.
  bool is_twin(const Place& place) const {
    const MaybeStat a = look(place);
    const MaybeStat b = look(place_);
    return a && b && S_ISREG(a->st_mode) && identity_of(*a) == identity_of(*b) && a->st_nlink > 1;
  }

  const Intent& intent_;
  const TakenFile& file_;
  Place place_;  // where the file belongs; none if its folder is gone
  Place kept_;
  Place temp_;
};

}  // namespace

Result<Restored> restore_file(const Intent& intent, const TakenFile& file) {
  return FileRestorer(intent, file).run();
}

std::vector<FolderRecord> folders_now(const std::vector<FolderRecord>& folders) {
  std::vector<FolderRecord> now = folders;
  for (FolderRecord& folder : now) {
    struct stat status {};
    if (stat_path(folder.path, true, status) != 0) continue;
    folder.mtime_ns = mtime_ns_of(status);
    folder.mode = status.st_mode;
    folder.uid = status.st_uid;
    folder.gid = status.st_gid;
  }
  return now;
}

Result<Restored> restore(const RunItem& item) {
  const Intent& intent = item.intent;
  const auto before = folders_now(intent.folders);
  Restored worst = Restored::kBack;
  std::optional<Error> first;
  for (const TakenFile& file : std::views::reverse(intent.files)) {
    const auto restored = restore_file(intent, file);
    if (!restored && !first) first = restored.error();
    if (restored && *restored == Restored::kMissing) worst = Restored::kMissing;
  }
  if (first) return *first;
  for (std::size_t i = 0; i < intent.folders.size() && i < item.folder_mtimes.size(); ++i) {
    if (before[i].mtime_ns != item.folder_mtimes[i]) continue;
    const Fd folder = open_path(intent.folders[i].path, O_RDONLY | O_DIRECTORY);
    if (folder) set_mtime(folder.get(), intent.folders[i].mtime_ns);
  }
  return worst;
}

std::vector<std::string> leftovers(const Intent& intent) {
  std::vector<std::string> paths;
  for (const TakenFile& file : intent.files) {
    for (const std::string& path : {file.quarantined, file.temp}) {
      if (path.empty()) continue;
      const auto spot = OpenSpot::open(path);
      if (spot && look_at(spot->spot())) paths.push_back(path);
    }
  }
  return paths;
}

}  // namespace twinsift
