// SPDX-License-Identifier: Apache-2.0
#include "act/disk.h"

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "act/steps.h"
#include "ingest/file_system.h"

namespace twinsift {
namespace {

// Announces, does, announces.  `call` is a system call that returns -1 and sets errno.
template <class Call>
int stepped(const char* name, const char* after, Call call) {
  if (const int injected = step(name); injected != 0) return injected;
  if (call() != 0) return errno;
  step(after);
  return 0;
}

int rename_with(const Spot& from, const Spot& to, unsigned flags) {
  return ::renameat2(from.folder, from.name.c_str(), to.folder, to.name.c_str(), flags);
}

// What file systems answer that do not know a flag of renameat2().
bool is_unknown_flag(int error) {
  return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP;
}

}  // namespace

Result<OpenSpot> OpenSpot::open(const std::string& path) {
  OpenSpot open;
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos || slash + 1 == path.size()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{}: not the absolute path of a file", path)};
  }
  open.folder_ = open_path(std::string(parent_of(path)), O_RDONLY | O_DIRECTORY);
  if (!open.folder_) return file_error(errno, path);
  open.name_ = path.substr(slash + 1);
  open.path_ = path;
  return open;
}

std::optional<struct stat> look_at(const Spot& spot) {
  struct stat status {};
  if (::fstatat(spot.folder, spot.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return {};
  return status;
}

std::string link_text(const Spot& spot) {
  std::string text(PATH_MAX, '\0');
  const ssize_t length = ::readlinkat(spot.folder, spot.name.c_str(), text.data(), text.size());
  text.resize(length < 0 ? 0 : static_cast<std::size_t>(length));
  return text;
}

// A file system without RENAME_NOREPLACE (NFS) has hard links; for a moment the file has both
// names.
int move_new(const Spot& from, const Spot& to) {
  const int error =
      stepped("rename", "rename done", [&] { return rename_with(from, to, RENAME_NOREPLACE); });
  if (!is_unknown_flag(error)) return error;
  if (const int linked = add_name(from, to); linked != 0) return linked;
  return remove_name(from);
}

int move_over(const Spot& from, const Spot& to) {
  return stepped("replace", "replace done", [&] { return rename_with(from, to, 0); });
}

int exchange(const Spot& a, const Spot& b) {
  const int error =
      stepped("exchange", "exchange done", [&] { return rename_with(a, b, RENAME_EXCHANGE); });
  return is_unknown_flag(error) ? EINVAL : error;
}

int add_name(const Spot& from, const Spot& to) {
  return stepped("link", "link done", [&] {
    return ::linkat(from.folder, from.name.c_str(), to.folder, to.name.c_str(), 0);
  });
}

int add_name(int open_file, const Spot& to) {
  const std::string self = fmt::format("/proc/self/fd/{}", open_file);
  return stepped("link", "link done", [&] {
    return ::linkat(AT_FDCWD, self.c_str(), to.folder, to.name.c_str(), AT_SYMLINK_FOLLOW);
  });
}

int make_symlink(const std::string& target, const Spot& at) {
  return stepped("symlink", "symlink done",
                 [&] { return ::symlinkat(target.c_str(), at.folder, at.name.c_str()); });
}

int clone_content(int from, int to) {
  const int error = stepped("clone", "clone done", [&] { return ::ioctl(to, FICLONE, from); });
  return error == ENOTTY ? EOPNOTSUPP : error;
}

int remove_name(const Spot& spot) {
  return stepped("unlink", "unlink done",
                 [&] { return ::unlinkat(spot.folder, spot.name.c_str(), 0); });
}

int make_folder(const Spot& spot, mode_t mode) {
  return stepped("mkdir", "mkdir done",
                 [&] { return ::mkdirat(spot.folder, spot.name.c_str(), mode); });
}

int remove_folder(const Spot& spot) {
  return stepped("rmdir", "rmdir done",
                 [&] { return ::unlinkat(spot.folder, spot.name.c_str(), AT_REMOVEDIR); });
}

// Some file systems cannot sync a folder and say EINVAL: nothing more can be done there.
int sync_fd(int fd) {
  const int error = stepped("fsync", "fsync done", [&] { return ::fsync(fd); });
  return error == EINVAL ? 0 : error;
}

int sync_parent(const std::string& path) {
  const Fd folder = open_path(std::string(parent_of(path)), O_RDONLY | O_DIRECTORY);
  return folder ? sync_fd(folder.get()) : errno;
}

int set_mtime(int fd, std::int64_t mtime_ns) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  std::array<timespec, 2> times{};
  times[0].tv_nsec = UTIME_OMIT;
  times[1].tv_sec = mtime_ns / kNanoseconds;
  times[1].tv_nsec = mtime_ns % kNanoseconds;
  if (times[1].tv_nsec < 0) {
    times[1].tv_nsec += kNanoseconds;
    --times[1].tv_sec;
  }
  return stepped("utimens", "utimens done", [&] { return ::futimens(fd, times.data()); });
}

Status append_bytes(int fd, std::string_view bytes, std::string_view name) {
  if (const int injected = step("write"); injected != 0) return errno_error(name, injected);
  TWINSIFT_TRY([[maybe_unused]] const auto written, write_all(fd, bytes, name));
  step("write done");
  return ok();
}

}  // namespace twinsift
