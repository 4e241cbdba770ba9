// SPDX-License-Identifier: Apache-2.0
#include "act/quarantine.h"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "act/home.h"
#include "ingest/file_system.h"
#include "report/json_parts.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".twinsift-quarantine-";
constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr mode_t kOwnerOnly = 0700;

// Of the nearest folder above that exists.
Result<Mount> mount_of_path(std::string path) {
  Fd fd = open_path(path, kFolder);
  while (!fd && errno == ENOENT && path != "/") {
    path = parent_of(path);
    fd = open_path(path, kFolder);
  }
  if (!fd) return errno_error(path, errno);
  return mount_of(fd.get(), path);
}

// The top-most folder above the file, on its file system, that we may write to.
Result<std::string> top_folder(const OpenSpot& file, const Mount& mount) {
  std::error_code error;
  const fs::path start = fs::canonical(fmt::format("/proc/self/fd/{}", file.folder()), error);
  if (error) return errno_error(file.path(), error.value());
  std::string top;
  for (fs::path at = start;; at = at.parent_path()) {
    const Fd fd(::open(at.c_str(), kFolder));
    if (!fd && at != start) break;  // not to be read: nothing above it is of use
    if (!fd) return errno_error(at.string(), errno);
    TWINSIFT_TRY(const Mount here, mount_of(fd.get(), at.string()));
    if (here != mount) break;
    if (::faccessat(AT_FDCWD, at.c_str(), W_OK | X_OK, AT_EACCESS) == 0) top = at.string();
    if (at == at.parent_path()) break;
  }
  if (top.empty()) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: no folder above it may be written to, so nothing can be moved",
                             file.path())};
  }
  return top;
}

// Opens a folder of ours below `above`, made if it is not there.
Result<Fd> own_folder(const Fd& above, const std::string& name, const std::string& path) {
  const int made = make_folder({above.get(), name}, kOwnerOnly);
  if (made != 0 && made != EEXIST) return errno_error(path, made);
  if (made == 0) {
    if (const int error = sync_fd(above.get()); error != 0) return errno_error(path, error);
  }
  Fd fd(::openat(above.get(), name.c_str(), kFolder | O_NOFOLLOW));
  struct stat status {};
  const bool ours = fd && ::fstat(fd.get(), &status) == 0 && status.st_uid == ::geteuid() &&
                    (status.st_mode & 0077U) == 0;
  if (!ours) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: it must be a folder that belongs to you and is closed to others "
                             "(mode 0700); move it away or mend it",
                             path)};
  }
  return fd;
}

// Makes `find` pass by, whatever folder the data folder is.
Status write_ignore_file(const Fd& folder, const std::string& path) {
  const Fd fd(::openat(folder.get(), ".twinsiftignore",
                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd && errno == EEXIST) return ok();
  if (!fd) return errno_error(path, errno);
  return append_bytes(fd.get(), "*\n", path);
}

}  // namespace

Result<Mount> mount_of(int fd, const std::string& path) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return errno_error(path, errno);
  struct statx more {};
  const bool told = ::statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &more) == 0 &&
                    (more.stx_mask & STATX_MNT_ID) != 0;
  return Mount{.device = status.st_dev, .mount = told ? more.stx_mnt_id : 0};
}

Result<std::string> Quarantine::folder_for(const OpenSpot& file) {
  TWINSIFT_TRY(const Mount mount, mount_of(file.folder(), file.path()));
  if (const auto known = folders_.find(mount); known != folders_.end()) return known->second;
  TWINSIFT_TRY(std::string base, home_quarantine_folder());
  TWINSIFT_TRY(const Mount home, mount_of_path(base));
  if (home == mount) {
    TWINSIFT_TRY([[maybe_unused]] const auto made,
                 make_private_folders(std::string(parent_of(base))));
  } else {
    TWINSIFT_TRY(const std::string top, top_folder(file, mount));
    base = fmt::format("{}{}{}{}", top, top.ends_with('/') ? "" : "/", kPrefix, ::geteuid());
  }
  const std::string parent(parent_of(base));
  const Fd above = open_path(parent, kFolder);
  if (!above) return errno_error(parent, errno);
  TWINSIFT_TRY(const Fd folder, own_folder(above, fs::path(base).filename().string(), base));
  TWINSIFT_TRY([[maybe_unused]] const auto ignored, write_ignore_file(folder, base));
  const std::string path = base + '/' + run_;
  TWINSIFT_TRY([[maybe_unused]] const Fd run, own_folder(folder, run_, path));
  return folders_.emplace(mount, path).first->second;
}

Status Quarantine::note(const std::string& folder, const std::string& name,
                        const std::string& path) {
  const std::string manifest = folder + '/' + kManifest;
  Fd& fd = manifests_[folder];
  if (!fd) {
    fd = Fd(::open(manifest.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  }
  if (!fd) return errno_error(manifest, errno);
  std::string line = fmt::format("{{\"name\":\"{}\",", name);
  append_path("path", path, line);
  return append_bytes(fd.get(), line + "}\n", manifest);
}

Status Quarantine::finish() {
  for (const auto& [folder, fd] : manifests_) {
    if (const int error = fd ? sync_fd(fd.get()) : 0; error != 0) return errno_error(folder, error);
  }
  return ok();
}

bool lies_in_quarantine(const std::string& path) {
  if (path.find(fmt::format("/{}", kPrefix)) != std::string::npos) return true;
  const auto home = home_quarantine_folder();
  return home && path.starts_with(*home + '/');
}

}  // namespace twinsift
