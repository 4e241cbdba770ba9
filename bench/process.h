// SPDX-License-Identifier: Apache-2.0
// Runs a program and says what it took.
#pragma once

#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/timing.h"
#include "twinsift/result.h"

namespace twinsift::bench {

struct Usage {
  double wall = 0;      // seconds
  double cpu = 0;       // seconds of all threads, the system's work for them included
  double resident = 0;  // bytes at the peak; never less than what the caller has itself
};

// Standard output and standard error go to the caller's standard error.  Fails unless the
// program exits with 0.
inline Result<Usage> run_program(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t pid = 0;
  const double start = seconds(CLOCK_MONOTONIC);
  const int failed =
      ::posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return Error{ErrorCode::kNotFound, "cannot run " + command[0]};
  int status = 0;
  rusage usage{};
  if (::wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return Error{ErrorCode::kIo, command[0] + " failed"};
  }
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return Usage{.wall = seconds(CLOCK_MONOTONIC) - start,
               .cpu = of(usage.ru_utime) + of(usage.ru_stime),
               .resident = 1024.0 * static_cast<double>(usage.ru_maxrss)};
}

}  // namespace twinsift::bench
