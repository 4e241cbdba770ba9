// SPDX-License-Identifier: Apache-2.0
// What tests of files share: a directory that vanishes, whole files, a disk that is full.
#pragma once

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace twinsift {

class TestDir {
 public:
  TestDir() {
    std::string name = (std::filesystem::temp_directory_path() / "twinsift-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  TestDir(const TestDir&) = delete;
  TestDir& operator=(const TestDir&) = delete;
  ~TestDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string path(std::string_view name = "") const {
    return (path_ / name).string();
  }
  std::string write(std::string_view name, std::string_view bytes) const {
    std::filesystem::remove(path(name));  // ext4 flushes a file that is emptied and rewritten
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  [[nodiscard]] std::string read(std::string_view name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

 private:
  std::filesystem::path path_;
};

// Runs `body` in a child process and returns its value (0 to 255); -1 if the child was killed.
template <class Body>
int in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Makes the calling process, which should be a child, unable to write more than about 256 KiB
// to `directory`: by a small disk where mounting is permitted, else by a limit on file sizes.
inline void limit_disk(const std::string& directory) {
  if (::unshare(CLONE_NEWNS) == 0 &&
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
      ::mount("none", directory.c_str(), "tmpfs", 0, "size=256k") == 0) {
    return;
  }
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{256 << 10, 256 << 10};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

// Whether a message is what limit_disk() leads to.
inline bool is_disk_full(std::string_view message) {
  return message.ends_with(": no space left on device") || message.ends_with(": file too large");
}

}  // namespace twinsift
