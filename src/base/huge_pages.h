// SPDX-License-Identifier: Apache-2.0
// An allocator for large arrays that are read in many places at once: it asks for huge pages, of
// which a processor knows by heart where they are.  Where there are none it is as good as any.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace twinsift {

template <class T>
struct HugePages {
  using value_type = T;

  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}  // NOLINT(google-explicit-constructor): as allocators are

  T* allocate(std::size_t n) {
    constexpr std::size_t kHuge = std::size_t{2} << 20U;
    const std::size_t bytes = n * sizeof(T);
    const std::size_t alignment = bytes >= kHuge ? kHuge : 64;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded);
    if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    if (alignment == kHuge) madvise(memory, rounded, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t /*n*/) { std::free(memory); }
  friend bool operator==(const HugePages&, const HugePages&) { return true; }
};

}  // namespace twinsift
