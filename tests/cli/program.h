// SPDX-License-Identifier: Apache-2.0
// Runs the twinsift program as a user does and keeps what it said.
#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
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
  // Of the program and of its decoders.  The clock would tell as well what else the machine does.
  std::chrono::milliseconds processor_time{0};
};

// Where a program finds itself.
struct Surroundings {
  std::map<std::string, std::string> variables = {};
  int input = -1;                     // -1: nothing to read
  int output = -1;                    // -1: kept for Outcome::out
  std::function<void()> before = {};  // done in the new process, before the program begins
};

// A running program.  Its environment holds nothing but the given variables, so that the tests
// do not depend on who runs them.
class Program {
 public:
  Program(const TempFolder& folder, const std::vector<std::string>& words,
          const Surroundings& surroundings = {})
      : out_(logs_.path() / "out"), err_(logs_.path() / "err") {
    std::vector<std::string> all = {TWINSIFT_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<std::string> environment;
    for (const auto& [name, value] : surroundings.variables) {
      environment.push_back(name + "=" + value);
    }
    const auto arguments = pointers(all);
    const auto variables = pointers(environment);
    id_ = fork();
    if (id_ != 0) return;
    prepare(folder, surroundings);
    execve(TWINSIFT_PROGRAM, arguments.data(), variables.data());
    _exit(127);
  }

  [[nodiscard]] pid_t id() const { return id_; }

  Outcome wait() const {
    int status = 0;
    rusage used = {};
    wait4(id_, &status, 0, &used);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return {code, read_file(out_), read_file(err_),
            milliseconds(used.ru_utime) + milliseconds(used.ru_stime)};
  }

 private:
  static std::chrono::milliseconds milliseconds(const timeval& time) {
    return std::chrono::milliseconds(1000 * time.tv_sec + time.tv_usec / 1000);
  }

  static std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (std::string& text : strings) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  }

  // In the new process.
  void prepare(const TempFolder& folder, const Surroundings& surroundings) const {
    constexpr int kNew = O_WRONLY | O_CREAT;
    const int input = surroundings.input;
    const int output = surroundings.output;
    const bool ready = dup2(input >= 0 ? input : open("/dev/null", O_RDONLY), 0) == 0 &&
                       dup2(output >= 0 ? output : open(out_.c_str(), kNew, 0600), 1) == 1 &&
                       dup2(open(err_.c_str(), kNew, 0600), 2) == 2 &&
                       chdir(folder.path().c_str()) == 0;
    if (!ready) _exit(127);
    // The tests may run in a background job, whose SIGINT is ignored.
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGPIPE}) {
      static_cast<void>(std::signal(signal, SIG_DFL));
    }
    if (surroundings.before) surroundings.before();
  }

  TempFolder logs_;
  std::filesystem::path out_;
  std::filesystem::path err_;
  pid_t id_ = -1;
};

}  // namespace twinsift::cli
