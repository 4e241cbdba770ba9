// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <atomic>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

TEST(ParallelFor, CallsEveryIndexOnceForAnyNumberOfThreads) {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    for (const std::size_t n : {0U, 1U, 5U, 1000U, 10007U}) {
      std::vector<std::atomic<int>> calls(n);
      std::atomic<bool> worker_in_range = true;
      parallel_for(n, threads, {}, [&](std::size_t i, unsigned worker) {
        ++calls[i];
        if (worker >= std::max(threads, 1U)) worker_in_range = false;
      });
      for (const auto& count : calls) ASSERT_EQ(count, 1);
      EXPECT_TRUE(worker_in_range);
    }
  }
}

TEST(ParallelFor, OneThreadMeansTheCallingOneInOrder) {
  const auto self = std::this_thread::get_id();
  std::vector<std::size_t> order;
  parallel_for(100, 1, {}, [&](std::size_t i, unsigned) {
    EXPECT_EQ(std::this_thread::get_id(), self);
    order.push_back(i);
  });
  std::vector<std::size_t> expected(100);
  std::iota(expected.begin(), expected.end(), 0U);
  EXPECT_EQ(order, expected);
}

TEST(ParallelFor, HandsOutNothingAfterAStop) {
  std::stop_source source;
  std::size_t calls = 0;
  parallel_for(1000, 1, source.get_token(), [&](std::size_t, unsigned) {
    if (++calls == 10) source.request_stop();
  });
  EXPECT_EQ(calls, 10U);
}

}  // namespace
}  // namespace twinsift
