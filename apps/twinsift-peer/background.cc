// SPDX-License-Identifier: Apache-2.0
#include "background.h"

#include <array>
#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace twinsift::cli {

Result<Background> Background::begin(bool wanted) {
  Background background;
  if (!wanted) return background;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno_error("pipe", errno);
  Fd read_end(ends[0]);
  Fd write_end(ends[1]);
  std::fflush(nullptr);  // or both would write it
  background.child_ = ::fork();
  if (background.child_ < 0) return errno_error("fork", errno);
  const bool child = background.child_ == 0;
  if (child) ::setsid();
  if (child) background.child_ = -1;
  background.pipe_ = std::move(child ? write_end : read_end);
  return background;
}

std::optional<int> Background::parent_status() {
  if (child_ < 0) return std::nullopt;
  char byte = 0;
  ssize_t count = 0;
  do {
    count = ::read(pipe_.get(), &byte, 1);
  } while (count < 0 && errno == EINTR);
  if (count == 1) return 0;
  int status = 0;
  ::waitpid(child_, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Status Background::ready(const std::string& log) {
  if (!pipe_) return ok();
  const Fd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const Fd file(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!nothing || !file) return errno_error(log, errno);
  std::fflush(nullptr);
  ::dup2(nothing.get(), STDIN_FILENO);
  ::dup2(nothing.get(), STDOUT_FILENO);
  ::dup2(file.get(), STDERR_FILENO);
  const Status told = write_all(pipe_.get(), "r", "the terminal");
  pipe_ = {};
  return told;
}

}  // namespace twinsift::cli
