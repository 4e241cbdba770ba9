// SPDX-License-Identifier: Apache-2.0
#include "act/replace.h"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "act/attributes.h"
#include "act/content.h"
#include "ingest/file_system.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

Result<fs::path> real_folder(const OpenSpot& spot) {
  std::error_code error;
  fs::path path = fs::canonical(fmt::format("/proc/self/fd/{}", spot.folder()), error);
  if (error) return errno_error(spot.path(), error.value());
  return path;
}

Error cannot(const Intent& intent, std::string_view what) {
  return {ErrorCode::kIo, fmt::format("{}: {}; nothing else was done instead, plan another action "
                                      "for it",
                                      intent.files[0].path, what)};
}

Status make_hard_link(const Intent& intent, const CheckedAction& checked, const Spot& temp) {
  const int error = add_name(checked.keeper.file.get(), temp);
  if (error == EXDEV) {
    return cannot(intent, "a hard link cannot lead to another file system");
  }
  if (error == EPERM || error == EMLINK || error == EOPNOTSUPP) {
    return cannot(intent,
                  fmt::format("the system permits no hard link to {}", checked.keeper.spot.path()));
  }
  if (error != 0) return errno_error(intent.files[0].temp, error);
  return ok();
}

// A clone has the keeper's content; everything else about it is the old file's.  The owner comes
// first, because changing it takes capabilities and set-ID bits away.
Status dress(const TakenFile& as, const Fd& file) {
  if (::fchown(file.get(), as.uid, as.gid) != 0) return errno_error(as.temp, errno);
  if (const int error = set_attributes(file.get(), as.xattrs); error != 0) {
    return errno_error(as.temp, error);
  }
  constexpr mode_t kPermissions = 07777;
  if (::fchmod(file.get(), as.mode & kPermissions) != 0) return errno_error(as.temp, errno);
  if (const int error = set_mtime(file.get(), as.mtime_ns); error != 0) {
    return errno_error(as.temp, error);
  }
  return ok();
}

Status make_clone(const Intent& intent, const CheckedAction& checked, const Spot& temp) {
  const TakenFile& loser = intent.files[0];
  const Fd file(::openat(temp.folder, temp.name.c_str(),
                         O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return errno_error(loser.temp, errno);
  const int error = clone_content(checked.keeper.file.get(), file.get());
  if (error == EXDEV) return cannot(intent, "a reflink cannot lead to another file system");
  if (error == EOPNOTSUPP || error == EINVAL) {
    return cannot(intent, "the file system has no reflinks");
  }
  if (error != 0) return errno_error(loser.temp, error);
  TWINSIFT_TRY([[maybe_unused]] const auto dressed, dress(loser, file));
  TWINSIFT_TRY(const std::string digest, digest_of({file.get(), loser.temp}, {}));
  if (digest != intent.keeper.digest) return cannot(intent, "the reflink has another content");
  if (const int synced = sync_fd(file.get()); synced != 0) return errno_error(loser.temp, synced);
  return ok();
}

Status make_new(const Intent& intent, const CheckedAction& checked, const Spot& temp) {
  if (intent.action == Action::kHardlink) return make_hard_link(intent, checked, temp);
  if (intent.action == Action::kReflink) return make_clone(intent, checked, temp);
  if (const int error = make_symlink(intent.target, temp); error != 0) {
    return errno_error(intent.files[0].temp, error);
  }
  return ok();
}

// Whether the new thing leads to what the keeper is; the content of a clone was looked at.
Status check_new(const Intent& intent, const CheckedAction& checked, const Spot& at) {
  if (intent.action == Action::kReflink) return ok();
  struct stat status {};
  const int flags = intent.action == Action::kHardlink ? AT_SYMLINK_NOFOLLOW : 0;
  if (::fstatat(at.folder, at.name.c_str(), &status, flags) != 0 ||
      identity_of(status) != identity_of(checked.keeper.status)) {
    return cannot(intent, fmt::format("the link does not lead to {}", checked.keeper.spot.path()));
  }
  return ok();
}

bool is_loser(const Spot& at, const CheckedAction& checked) {
  const auto status = look_at(at);
  return status && identity_of(*status) == identity_of(checked.loser.status);
}

// Puts the new thing at the loser's place and takes the loser's old name away.
Status swap_in(const CheckedAction& checked, const Spot& temp) {
  const Spot place = checked.loser.spot.spot();
  const Error changed{ErrorCode::kIo, fmt::format("{}: changed: something else took its place just "
                                                  "now; make a new plan",
                                                  checked.loser.spot.path())};
  const int error = exchange(temp, place);
  if (error == 0) {
    if (is_loser(temp, checked)) {
      const int removed = remove_name(temp);
      if (removed != 0) return errno_error(checked.loser.spot.path(), removed);
      return ok();
    }
    const int back = exchange(temp, place);
    if (back != 0) return errno_error(checked.loser.spot.path(), back);
    return changed;
  }
  if (error != EINVAL) return errno_error(checked.loser.spot.path(), error);
  if (!is_loser(place, checked)) return changed;
  const int replaced = move_over(temp, place);
  if (replaced != 0) return errno_error(checked.loser.spot.path(), replaced);
  return ok();
}

}  // namespace

Result<std::string> symlink_target(const CheckedAction& checked) {
  TWINSIFT_TRY(const fs::path from, real_folder(checked.loser.spot));
  TWINSIFT_TRY(const fs::path to, real_folder(checked.keeper.spot));
  const fs::path keeper = to / checked.keeper.spot.spot().name;
  const bool near = checked.loser.status.st_dev == checked.keeper.status.st_dev;
  return (near ? keeper.lexically_relative(from) : keeper).string();
}

Status replace_by_link(const Intent& intent, const CheckedAction& checked) {
  const TakenFile& loser = intent.files[0];
  TWINSIFT_TRY(const OpenSpot kept, OpenSpot::open(loser.quarantined));
  const Spot place = checked.loser.spot.spot();
  const Spot temp{place.folder, loser.temp.substr(loser.temp.rfind('/') + 1)};
  if (const int error = add_name(place, kept.spot()); error != 0) {
    return errno_error(loser.quarantined, error);
  }
  if (!is_loser(kept.spot(), checked)) {
    return Error{ErrorCode::kIo, fmt::format("{}: changed: something else took its place just now; "
                                             "make a new plan",
                                             loser.path)};
  }
  if (const int error = sync_fd(kept.folder()); error != 0) {
    return errno_error(loser.quarantined, error);
  }
  TWINSIFT_TRY([[maybe_unused]] const auto made, make_new(intent, checked, temp));
  TWINSIFT_TRY([[maybe_unused]] const auto leads, check_new(intent, checked, temp));
  TWINSIFT_TRY([[maybe_unused]] const auto swapped, swap_in(checked, temp));
  if (const int error = sync_fd(place.folder); error != 0) return errno_error(loser.path, error);
  return check_new(intent, checked, place);
}

}  // namespace twinsift
