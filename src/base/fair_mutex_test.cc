// SPDX-License-Identifier: Apache-2.0
#include "base/fair_mutex.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

// Readers that overlap without end, and a writer that gets its turn all the same.
TEST(FairMutex, ReadersDoNotKeepAWriterOut) {
  FairMutex mutex;
  std::atomic<bool> over = false;
  std::uint64_t value = 0;
  std::vector<std::jthread> readers;
  std::atomic<int> inside = 0;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!over) {
        const std::shared_lock reading(mutex);
        ++inside;
        for (int spin = 0; spin < 1000 && inside < 2 && !over; ++spin) std::this_thread::yield();
        --inside;
      }
    });
  }
  std::jthread writer([&] {
    for (int i = 0; i < 50; ++i) {
      const std::unique_lock writing(mutex);
      EXPECT_EQ(inside, 0);
      ++value;
    }
    over = true;
  });
  writer.join();
  readers.clear();
  EXPECT_EQ(value, 50U);
}

}  // namespace
}  // namespace twinsift
