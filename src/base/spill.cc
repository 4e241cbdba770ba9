// SPDX-License-Identifier: Apache-2.0
#include "base/spill.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/mman.h>

namespace twinsift {

SpillBytes::~SpillBytes() {
  if (data_ != nullptr) munmap(data_, capacity_);
}

Status SpillBytes::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return ok();
  constexpr std::size_t kPage = 1U << 16U;
  const std::size_t wanted = std::max(bytes, capacity_ + capacity_ / 2);
  const std::size_t rounded = (wanted + kPage - 1) / kPage * kPage;
  // Room on the disk is taken now, so that a full disk is an error here and no SIGBUS later.
  if (file_) {
    const int error = posix_fallocate(file_.get(), 0, static_cast<off_t>(rounded));
    if (error != 0) return errno_error(name_, error);
  }
  void* grown =
      data_ != nullptr ? mremap(data_, capacity_, rounded, MREMAP_MAYMOVE)
      : file_          ? mmap(nullptr, rounded, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0)
              : mmap(nullptr, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (grown == MAP_FAILED) return errno_error(file_ ? name_ : "memory", errno);
  data_ = static_cast<std::byte*>(grown);
  capacity_ = rounded;
  return ok();
}

Status SpillBytes::spill(const std::string& directory) {
  if (file_) return ok();
  SpillBytes moved;
  const std::string place = temp_directory(directory);
  moved.name_ = "temporary file in " + place;
  TWINSIFT_TRY(moved.file_, open_unnamed_file(place));
  TWINSIFT_TRY([[maybe_unused]] auto done, moved.reserve(capacity_));
  if (capacity_ > 0) std::memcpy(moved.data_, data_, capacity_);
  swap(moved);
  release();
  return ok();
}

void SpillBytes::release() const {
  if (file_ && data_ != nullptr) madvise(data_, capacity_, MADV_DONTNEED);
}

}  // namespace twinsift
