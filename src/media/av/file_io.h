// SPDX-License-Identifier: Apache-2.0
// The open file as libav reads it: by pread, for its position belongs to the parent.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "media/av/libav.h"
#include "twinsift/result.h"

namespace twinsift {

class FileIo {
 public:
  // The file stays the caller's and must outlive this.
  FileIo(int file, std::uint64_t size);
  ~FileIo();
  FileIo(const FileIo&) = delete;
  FileIo& operator=(const FileIo&) = delete;

  [[nodiscard]] AVIOContext* context() const { return context_; }
  // What the system said when the file could not be read, if that has happened.  libav says
  // "input/output error" of many a damaged file, too.
  [[nodiscard]] std::optional<Error> error() const;

 private:
  static int read(void* self, std::uint8_t* out, int wanted);
  static std::int64_t seek(void* self, std::int64_t offset, int whence);

  int file_;
  std::int64_t size_;
  std::int64_t position_ = 0;
  int errno_ = 0;
  AVIOContext* context_;
};

}  // namespace twinsift
