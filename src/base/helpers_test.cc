// SPDX-License-Identifier: Apache-2.0
#include "base/helpers.h"

#include <atomic>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

TEST(Helpers, EveryTaskIsDoneOnceWithAnyNumberOfThreads) {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    std::vector<std::atomic<int>> calls(5000);
    Helpers helpers(threads, 4);
    for (auto& count : calls) helpers.run([&] { ++count; });
    helpers.finish();
    for (const auto& count : calls) ASSERT_EQ(count, 1);
    helpers.run([&] { ++calls[0]; });  // they can go on after that
    helpers.finish();
    EXPECT_EQ(calls[0], 2);
  }
}

TEST(Helpers, WithoutThreadsTasksAreDoneHereAndInOrder) {
  Helpers helpers(0, 4);
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) {
    helpers.run([&order, i] { order.push_back(i); });
    ASSERT_EQ(order.size(), static_cast<std::size_t>(i) + 1);
  }
}

TEST(Helpers, WhatIsBeyondTheirCapacityIsDoneHere) {
  std::latch begun(2);
  std::latch go(1);
  Helpers helpers(2, 3);
  std::atomic<int> elsewhere = 0;
  const auto here = std::this_thread::get_id();
  for (int i = 0; i < 3; ++i) {  // two in work, one waiting
    helpers.run([&, waits = i == 2] {
      if (!waits) begun.count_down();
      go.wait();
      if (std::this_thread::get_id() != here) ++elsewhere;
    });
  }
  begun.wait();
  std::thread::id done_by;
  helpers.run([&] { done_by = std::this_thread::get_id(); });
  EXPECT_EQ(done_by, here);
  EXPECT_EQ(elsewhere, 0);
  go.count_down();
  helpers.finish();
  EXPECT_GE(elsewhere, 2);
}

TEST(Helpers, NothingIsHeldOnToAfterTheEnd) {
  Helpers helpers(2, 100);
  const auto held = std::make_shared<std::atomic<int>>(0);
  for (int i = 0; i < 50; ++i) helpers.run([held] { ++*held; });
  helpers.finish();
  EXPECT_EQ(*held, 50);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Helpers, WhatIsLeftIsDoneBeforeTheyGo) {
  std::atomic<int> done = 0;
  {
    Helpers helpers(1, 1000);
    for (int i = 0; i < 1000; ++i) helpers.run([&] { ++done; });
  }
  EXPECT_EQ(done, 1000);
}

}  // namespace
}  // namespace twinsift
