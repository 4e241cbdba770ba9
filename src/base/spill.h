// SPDX-License-Identifier: Apache-2.0
// A growing array of plain values that can move from memory to an unlinked temporary file.
//
// In memory it is an anonymous mapping; after spill() it is a shared mapping of the file, whose
// pages the kernel may write back and take away.  release() takes them out of the process at
// once.  Addresses are valid until the next push.  Not thread-safe while it grows.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "base/fd.h"
#include "twinsift/result.h"

namespace twinsift {

class SpillBytes {
 public:
  SpillBytes() = default;
  SpillBytes(SpillBytes&& other) noexcept { swap(other); }
  SpillBytes& operator=(SpillBytes&& other) noexcept {
    swap(other);
    return *this;
  }
  SpillBytes(const SpillBytes&) = delete;
  SpillBytes& operator=(const SpillBytes&) = delete;
  ~SpillBytes();

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] bool spilled() const { return static_cast<bool>(file_); }

  // Makes room for `bytes`; fails with kIo if memory or disk are exhausted.
  Status reserve(std::size_t bytes);
  // Moves to a file in `directory` (empty: $TMPDIR or /tmp); later growth goes there, too.
  Status spill(const std::string& directory);
  // Drops the pages of a spilled array from memory; the file keeps them.
  void release() const;

 private:
  void swap(SpillBytes& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    std::swap(file_, other.file_);
    std::swap(name_, other.name_);
  }

  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
  Fd file_;
  std::string name_;  // of the file, for messages
};

template <class T>
class SpillVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(bytes_.data()); }
  [[nodiscard]] T& operator[](std::size_t i) const {
    assert(i < size_);
    return data()[i];
  }
  [[nodiscard]] std::span<T> span() const { return {data(), size_}; }

  Status append(std::span<const T> values) {
    TWINSIFT_TRY([[maybe_unused]] auto done, resize(size_ + values.size()));
    if (!values.empty()) {
      std::memcpy(data() + size_ - values.size(), values.data(), values.size_bytes());
    }
    return ok();
  }
  Status resize(std::size_t n) {
    TWINSIFT_TRY([[maybe_unused]] auto done, bytes_.reserve(n * sizeof(T)));
    size_ = n;
    return ok();
  }
  [[nodiscard]] std::size_t resident_bytes() const {
    return bytes_.spilled() ? 0 : size_ * sizeof(T);
  }
  Status spill(const std::string& directory) { return bytes_.spill(directory); }
  void release() const { bytes_.release(); }

 private:
  SpillBytes bytes_;
  std::size_t size_ = 0;
};

}  // namespace twinsift
