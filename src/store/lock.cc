// SPDX-License-Identifier: Apache-2.0
#include "store/lock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace twinsift {
namespace {

// The number in the file, as text; empty if there is none (yet).
std::string owner_of(int fd) {
  std::array<char, 32> text{};
  const ssize_t n = ::pread(fd, text.data(), text.size(), 0);
  const std::string_view read(text.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  return std::string(read.substr(0, read.find_first_not_of("0123456789")));
}

Error taken(const std::string& folder, const std::string& owner) {
  if (owner == std::to_string(::getpid())) {
    return {ErrorCode::kIo, fmt::format("{}: this process is writing it already", folder)};
  }
  const std::string who = owner.empty() ? "another process" : "process " + owner;
  return {ErrorCode::kIo,
          fmt::format("{}: {} is writing it; wait until that has ended", folder, who)};
}

}  // namespace

Result<WriteLock> WriteLock::take(const std::string& folder) {
  const std::string path = folder + "/LOCK";
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!fd) {
    return Error{ErrorCode::kIo,
                 errno_error(folder, errno).message + "; it can be read, but not written"};
  }
  while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return taken(folder, owner_of(fd.get()));
    if (errno != EINTR) return errno_error(path, errno);
  }
  // Only for messages: that it cannot be written, on a full disk, is no reason to give up.
  const std::string owner = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd.get(), 0) == 0) {
    [[maybe_unused]] const ssize_t n = ::pwrite(fd.get(), owner.data(), owner.size(), 0);
  }
  return WriteLock(std::move(fd));
}

}  // namespace twinsift
