// SPDX-License-Identifier: Apache-2.0
// Paths longer than PATH_MAX exist (make a folder, enter it, repeat), and no system call takes
// them whole; so they are walked in pieces that fit, each relative to the one before.
#include "ingest/file_system.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace twinsift {

Identity identity_of(const struct stat& status) {
  return {.device = status.st_dev, .inode = status.st_ino};
}

namespace {

std::int64_t nanoseconds(const struct timespec& time) {
  // Unsigned, because a file system may hold any number of seconds and overflow must be harmless.
  constexpr std::uint64_t kNanoseconds = 1'000'000'000;
  const auto seconds = static_cast<std::uint64_t>(time.tv_sec);
  const auto rest = static_cast<std::uint64_t>(time.tv_nsec);
  return static_cast<std::int64_t>(seconds * kNanoseconds + rest);
}

}  // namespace

std::int64_t mtime_ns_of(const struct stat& status) { return nanoseconds(status.st_mtim); }
std::int64_t ctime_ns_of(const struct stat& status) { return nanoseconds(status.st_ctim); }

Fd open_path(const std::string& path, int flags) {
  constexpr std::size_t kPiece = PATH_MAX - 1;
  Fd folder;
  std::size_t begin = 0;
  while (path.size() - begin > kPiece) {
    const std::size_t slash = path.rfind('/', begin + kPiece - 1);
    if (slash == std::string::npos || slash <= begin) {
      errno = ENAMETOOLONG;
      return {};
    }
    const std::string piece = path.substr(begin, slash - begin);
    const int from = folder ? folder.get() : AT_FDCWD;
    folder = Fd(::openat(from, piece.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder) return {};
    begin = path.find_first_not_of('/', slash);
    if (begin == std::string::npos) begin = path.size();
  }
  const int from = folder ? folder.get() : AT_FDCWD;
  const char* rest = folder && begin == path.size() ? "." : path.c_str() + begin;
  return Fd(::openat(from, rest, flags | O_CLOEXEC));
}

int stat_path(const std::string& path, bool follow, struct stat& status) {
  const Fd fd = open_path(path, O_PATH | (follow ? 0 : O_NOFOLLOW));
  if (!fd || ::fstat(fd.get(), &status) != 0) return errno;
  return 0;
}

Result<std::string> read_up_to(int fd, std::size_t limit, std::string_view path) {
  constexpr std::size_t kBlock = 64 * 1024;
  std::string text;
  while (text.size() <= limit) {
    const std::size_t size = text.size();
    text.resize(size + kBlock);
    const ssize_t got = ::read(fd, text.data() + size, kBlock);
    if (got < 0 && errno != EINTR) return file_error(errno, path);
    text.resize(size + static_cast<std::size_t>(got < 0 ? 0 : got));
    if (got == 0) return text;
  }
  return file_error(ErrorCode::kLimit, "too large", path, fmt::format("more than {} bytes", limit));
}

std::string_view parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return path.substr(0, slash == 0 ? 1 : slash);
}

std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

Error file_error(ErrorCode code, std::string_view reason, std::string_view path,
                 std::string_view detail) {
  return {code, fmt::format("{}: {}: {}", path, reason, detail)};
}

Error file_error(int error_number, std::string_view path) {
  const std::string detail = std::generic_category().message(error_number);
  switch (error_number) {
    case EACCES:
    case EPERM:
      return file_error(ErrorCode::kIo, "permission denied", path, detail);
    case ENOENT:
    case ENOTDIR:
    case ESTALE:
      return file_error(ErrorCode::kNotFound, "vanished", path, detail);
    case ELOOP:
      return file_error(ErrorCode::kIo, "too many links", path, detail);
    case ENAMETOOLONG:
      return file_error(ErrorCode::kIo, "path too long", path, detail);
    case EMFILE:
    case ENFILE:
      return file_error(ErrorCode::kIo, "too many open files", path, detail);
    default:
      return file_error(ErrorCode::kIo, "read error", path, detail);
  }
}

Skipped to_skipped(std::string path, const Error& error) {
  std::string_view what = error.message;
  if (what.starts_with(path + ": ")) what.remove_prefix(path.size() + 2);
  const std::size_t colon = std::min(what.find(": "), what.size());
  const std::string_view detail = what.substr(std::min(colon + 2, what.size()));
  return {std::move(path), std::string(what.substr(0, colon)), std::string(detail)};
}

}  // namespace twinsift
