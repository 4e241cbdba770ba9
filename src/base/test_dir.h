// SPDX-License-Identifier: Apache-2.0
// What tests of files share: a folder that vanishes, whole files, a disk that is full.
#pragma once

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
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

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder that is empty at first and gone at the end.  In memory where the system has room for
// that, because a disk takes half a minute to forget 10,000 nested folders.
class TestDir {
 public:
  TestDir() {
    std::string name = (place() / "twinsift-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = std::filesystem::canonical(name);
  }
  TestDir(const TestDir&) = delete;
  TestDir& operator=(const TestDir&) = delete;
  ~TestDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string operator/(std::string_view name) const {
    return path_.string() + '/' + std::string(name);
  }

  // Makes the folders above, too; returns the path.
  std::string write(std::string_view name, std::string_view bytes = "some text") const {
    const std::string path = *this / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::filesystem::remove(path);  // ext4 flushes a file that is emptied and rewritten
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    if (!file.flush()) std::abort();
    return path;
  }
  void write_all(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) write(name);
  }
  [[nodiscard]] std::string read(std::string_view name) const { return read_file(*this / name); }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

 private:
  static std::filesystem::path place() {
    constexpr const char* kMemory = "/dev/shm";
    constexpr std::uintmax_t kEnough = std::uintmax_t{1} << 30U;
    std::error_code none;
    const auto space = std::filesystem::space(kMemory, none);
    const bool memory = !none && space.available >= kEnough && ::access(kMemory, W_OK) == 0;
    return memory ? kMemory : std::filesystem::temp_directory_path();
  }

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
inline void limit_disk(const std::string& directory, rlim_t file_bytes = 256 << 10) {
  if (::unshare(CLONE_NEWNS) == 0 &&
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
      ::mount("none", directory.c_str(), "tmpfs", 0, "size=256k") == 0) {
    return;
  }
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{file_bytes, file_bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

// Whether a message is what limit_disk() leads to.
inline bool is_disk_full(std::string_view message) {
  return message.ends_with(": no space left on device") || message.ends_with(": file too large");
}

}  // namespace twinsift
