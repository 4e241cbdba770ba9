// SPDX-License-Identifier: Apache-2.0
// Runs the twinsift program as a user does and keeps what it said.
#pragma once

#include <csignal>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test_dir.h"

namespace twinsift::cli {

// Programs started in it find their files by short names.
using TempFolder = TestDir;

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

// A running program.  Its environment holds nothing but `variables`, so that the tests do not
// depend on who runs them.
class Program {
 public:
  Program(const TempFolder& folder, const std::vector<std::string>& words,
          const std::map<std::string, std::string>& variables = {}, int input = -1, int output = -1)
      : out_(logs_.path() / "out"), err_(logs_.path() / "err") {
    std::vector<std::string> all = {TWINSIFT_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<std::string> environment;
    for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
    spawn(folder, all, environment, input, output);
  }

  [[nodiscard]] pid_t id() const { return id_; }

  Outcome wait() const {
    int status = 0;
    waitpid(id_, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return {code, read_file(out_), read_file(err_)};
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (std::string& text : strings) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  }

  void spawn(const TempFolder& folder, std::vector<std::string>& words,
             std::vector<std::string>& environment, int input, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (input >= 0) {
      posix_spawn_file_actions_adddup2(&actions, input, 0);
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    }
    if (output >= 0) {
      posix_spawn_file_actions_adddup2(&actions, output, 1);
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, out_.c_str(), O_WRONLY | O_CREAT, 0600);
    }
    posix_spawn_file_actions_addopen(&actions, 2, err_.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, folder.path().c_str());
    // The tests may run in a background job, whose SIGINT is ignored.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t usual;
    sigemptyset(&usual);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGPIPE}) sigaddset(&usual, signal);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn(&id_, TWINSIFT_PROGRAM, &actions, &attributes, pointers(words).data(),
                pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }

  TempFolder logs_;
  std::filesystem::path out_;
  std::filesystem::path err_;
  pid_t id_ = -1;
};

}  // namespace twinsift::cli
