// SPDX-License-Identifier: Apache-2.0
// Fd and the system calls around it.
#include "base/fd.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace twinsift {

Fd::~Fd() {
  if (fd_ >= 0) ::close(fd_);
}

Error errno_error(std::string_view name, int number) {
  if (number == EPIPE) return {ErrorCode::kCancelled, fmt::format("{}: closed pipe", name)};
  std::string what = std::generic_category().message(number);
  if (!what.empty() && what[0] >= 'A' && what[0] <= 'Z') {
    what[0] = static_cast<char>(what[0] - 'A' + 'a');
  }
  const bool missing = number == ENOENT || number == ENOTDIR;
  return {missing ? ErrorCode::kNotFound : ErrorCode::kIo, fmt::format("{}: {}", name, what)};
}

Status write_all(int fd, std::string_view bytes, std::string_view name) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno_error(name, errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return ok();
}

Status read_exactly_at(int fd, std::uint64_t offset, std::span<char> out, std::string_view name) {
  while (!out.empty()) {
    const ssize_t n = ::pread(fd, out.data(), out.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno_error(name, errno);
    if (n == 0) {
      return Error{ErrorCode::kIo,
                   fmt::format("{}: ends before byte {}; was it changed while it was read?", name,
                               offset + out.size())};
    }
    offset += static_cast<std::uint64_t>(n);
    out = out.subspan(static_cast<std::size_t>(n));
  }
  return ok();
}

std::string temp_directory(const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  const char* env = std::getenv("TMPDIR");
  return env != nullptr && *env != '\0' ? env : "/tmp";
}

Result<Fd> open_unnamed_file(const std::string& directory) {
  Fd fd(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (fd) return fd;
  // Not every file system has O_TMPFILE, and no two say so with the same errno.
  std::string name = directory + "/.twinsift-XXXXXX";
  Fd named(::mkostemp(name.data(), O_CLOEXEC));
  if (!named) return errno_error(directory, errno);
  ::unlink(name.c_str());
  return named;
}

}  // namespace twinsift
