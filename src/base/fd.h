// SPDX-License-Identifier: Apache-2.0
// File descriptors: owned by a value, read and written whole, and their errors as sentences.
// The exported ones are used by the program, too.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// Owns a file descriptor and closes it.
class TWINSIFT_EXPORT Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd();

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// "NAME: no space left on device", with the code that belongs to the errno.  A closed pipe is
// kCancelled: whoever was reading has seen enough, and most callers will call that success.
TWINSIFT_EXPORT Error errno_error(std::string_view name, int number);

// Writes all of it, however many calls the system needs.
TWINSIFT_EXPORT Status write_all(int fd, std::string_view bytes, std::string_view name);

// Fills `out` from `offset` on or fails; does not move the file's own position, so that any
// number of threads may call it.
Status read_exactly_at(int fd, std::uint64_t offset, std::span<char> out, std::string_view name);

// `wanted`, or, if that is empty, $TMPDIR or /tmp.
std::string temp_directory(const std::string& wanted);

// An empty file that has no name and vanishes with its descriptor.
Result<Fd> open_unnamed_file(const std::string& directory);

}  // namespace twinsift
