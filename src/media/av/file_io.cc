// SPDX-License-Identifier: Apache-2.0
#include "media/av/file_io.h"

#include <cerrno>
#include <cstdio>

#include <unistd.h>

#include "base/fd.h"

namespace twinsift {
namespace {

constexpr int kBuffer = 1 << 16;

}  // namespace

FileIo::FileIo(int file, std::uint64_t size) : file_(file), size_(static_cast<std::int64_t>(size)) {
  auto* buffer = static_cast<unsigned char*>(not_null(av_malloc(kBuffer)));
  context_ = avio_alloc_context(buffer, kBuffer, 0, this, read, nullptr, seek);
  if (context_ == nullptr) av_free(buffer);
  not_null(context_);
}

// libav may have replaced the buffer by another one.
FileIo::~FileIo() {
  av_freep(&context_->buffer);
  avio_context_free(&context_);
}

std::optional<Error> FileIo::error() const {
  if (errno_ == 0) return std::nullopt;
  return Error{ErrorCode::kIo, "unreadable: " + errno_error("its file", errno_).message};
}

int FileIo::read(void* self, std::uint8_t* out, int wanted) {
  auto& io = *static_cast<FileIo*>(self);
  ssize_t n = 0;
  do {
    n = pread(io.file_, out, static_cast<std::size_t>(wanted), io.position_);
  } while (n < 0 && errno == EINTR);
  if (n < 0) {
    io.errno_ = errno;
    return AVERROR(EIO);
  }
  if (n == 0) return AVERROR_EOF;
  io.position_ += n;
  return static_cast<int>(n);
}

std::int64_t FileIo::seek(void* self, std::int64_t offset, int whence) {
  auto& io = *static_cast<FileIo*>(self);
  std::int64_t base = 0;
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
      return io.size_;
    case SEEK_CUR:
      base = io.position_;
      break;
    case SEEK_END:
      base = io.size_;
      break;
    default:
      break;
  }
  std::int64_t target = 0;
  if (__builtin_add_overflow(base, offset, &target) || target < 0) return AVERROR(EINVAL);
  return io.position_ = target;
}

}  // namespace twinsift
