// SPDX-License-Identifier: Apache-2.0
// Files for tests: a folder that is empty at first and gone at the end.  In memory where the
// system offers that, because a disk takes half a minute to forget 10,000 nested folders.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

namespace twinsift {

class TempDir {
 public:
  TempDir() {
    const bool memory = ::access("/dev/shm", W_OK) == 0;
    const std::filesystem::path base = memory ? "/dev/shm" : std::filesystem::temp_directory_path();
    std::string name = (base / "twinsift-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = std::filesystem::canonical(name).string();
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(std::string_view name) const {
    return path_ + '/' + std::string(name);
  }

  // Makes the folders above, too.
  void write(std::string_view name, std::string_view content = "some text") const {
    const std::filesystem::path path = *this / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << content;
    ASSERT_TRUE(file.good()) << path;
  }
  void write_all(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) write(name);
  }

 private:
  std::string path_;
};

}  // namespace twinsift
