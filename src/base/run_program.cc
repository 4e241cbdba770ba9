// SPDX-License-Identifier: Apache-2.0
#include "base/run_program.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace twinsift {
namespace {

// Output goes to a file, so that nobody has to read while the program writes.
Result<pid_t> spawn(const std::string& path, const std::vector<std::string>& arguments,
                    const Fd& input, const Fd& output) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output.get(), STDOUT_FILENO);
  std::vector<std::string> words = {path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, path.c_str(), &files, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) return errno_error(path, failed);
  return pid;
}

// The status, as waitpid() tells it.
Result<int> wait_for(pid_t pid, const std::stop_token& stop) {
  constexpr auto kLook = std::chrono::milliseconds(10);
  int status = 0;
  while (true) {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) return status;
    if (ended < 0 && errno != EINTR) return errno_error("waiting for a program", errno);
    if (stop.stop_requested()) {
      kill(pid, SIGKILL);
      waitpid(pid, &status, 0);
      return Error{ErrorCode::kCancelled, "stopped"};
    }
    std::this_thread::sleep_for(kLook);
  }
}

}  // namespace

Result<std::string> run_program(const std::string& path, const std::vector<std::string>& arguments,
                                const Fd& input, const std::stop_token& stop) {
  TWINSIFT_TRY(const Fd output, open_unnamed_file(temp_directory("")));
  TWINSIFT_TRY(const pid_t pid, spawn(path, arguments, input, output));
  TWINSIFT_TRY(const int status, wait_for(pid, stop));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return Error{ErrorCode::kIo,
                 WIFEXITED(status)
                     ? fmt::format("{} ended with {}", path, WEXITSTATUS(status))
                     : fmt::format("{} was ended by signal {}", path, WTERMSIG(status))};
  }
  struct stat facts {};
  if (fstat(output.get(), &facts) != 0) return errno_error(path, errno);
  std::string text(static_cast<std::size_t>(facts.st_size), '\0');
  TWINSIFT_TRY([[maybe_unused]] const auto read,
               read_exactly_at(output.get(), 0, text, "what a program wrote"));
  return text;
}

}  // namespace twinsift
