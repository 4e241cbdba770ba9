// SPDX-License-Identifier: Apache-2.0
#include "base/external_sort.h"

#include <compare>
#include <map>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "base/test_dir.h"

namespace twinsift {
namespace {

struct Counted {
  std::uint64_t key = 0;
  std::uint64_t count = 0;
  friend bool operator<(const Counted& a, const Counted& b) { return a.key < b.key; }
  friend bool operator==(const Counted&, const Counted&) = default;
  bool absorb(const Counted& next) {
    if (key != next.key) return false;
    count += next.count;
    return true;
  }
};

using Sorter = ExternalSorter<Counted>;

std::vector<Counted> drained(Sorter& sorter) {
  std::vector<Counted> all;
  const Status status = sorter.drain([&](const Counted& record) {
    all.push_back(record);
    return ok();
  });
  EXPECT_TRUE(status);
  return all;
}

std::vector<Counted> expected(const std::vector<std::uint64_t>& keys) {
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const std::uint64_t key : keys) ++counts[key];
  std::vector<Counted> all;
  for (const auto& [key, count] : counts) all.push_back({key, count});
  return all;
}

// ORACLE: a map that counts, for buffers of 8 records (many rounds of two runs each) and more.
RC_GTEST_PROP(ExternalSort, AgreesWithAMapForAnyMemory, (std::vector<std::uint64_t> keys)) {
  const auto spread = *rc::gen::element<std::uint64_t>(3, 50, UINT64_MAX);
  for (std::uint64_t& key : keys) key %= spread;
  for (const std::uint64_t memory : {0U, 200U, 1U << 20U}) {
    Sorter sorter(memory, "");
    for (const std::uint64_t key : keys) RC_ASSERT(sorter.add({key, 1}));
    RC_ASSERT(drained(sorter) == expected(keys));
  }
}

TEST(ExternalSort, ManyRunsNeedSeveralRounds) {
  const TestDir directory;
  Rng random(1);
  std::vector<std::uint64_t> keys;
  Sorter sorter(0, directory.path().string());
  for (int i = 0; i < 20000; ++i) {
    keys.push_back(random.below(15000));
    ASSERT_TRUE(sorter.add({keys.back(), 1}));
  }
  EXPECT_GT(sorter.runs(), 1000U);
  EXPECT_TRUE(drained(sorter) == expected(keys));
  EXPECT_TRUE(directory.names().empty());
}

TEST(ExternalSort, WideMergesReadEveryBlockOfEveryRun) {
  Rng random(2);
  std::vector<std::uint64_t> keys;
  Sorter sorter(std::uint64_t{256} << 10U, "");  // four runs side by side
  for (int i = 0; i < 200'000; ++i) {
    keys.push_back(random.next());
    ASSERT_TRUE(sorter.add({keys.back(), 1}));
  }
  EXPECT_GT(sorter.runs(), 4U);
  EXPECT_TRUE(drained(sorter) == expected(keys));
}

TEST(ExternalSort, WhatFitsIntoMemoryNeverTouchesTheDisk) {
  Sorter sorter(1 << 20, "/no/such/directory");
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_TRUE(sorter.add({i % 10, 1}));
  EXPECT_EQ(drained(sorter).size(), 10U);
}

TEST(ExternalSort, FewKeysNeverLeaveTheBuffer) {
  Sorter sorter(0, "/no/such/directory");
  for (std::uint64_t i = 0; i < 100'000; ++i) ASSERT_TRUE(sorter.add({i % 4, 1}));
  EXPECT_EQ(sorter.runs(), 0U);
  EXPECT_TRUE(drained(sorter) ==
              (std::vector<Counted>{{0, 25000}, {1, 25000}, {2, 25000}, {3, 25000}}));
}

TEST(ExternalSort, NothingInNothingOut) {
  Sorter sorter(0, "");
  EXPECT_TRUE(drained(sorter).empty());
}

TEST(ExternalSort, AMissingDirectoryIsAnErrorThatNamesIt) {
  Sorter sorter(0, "/no/such/directory");
  Status status = ok();
  for (std::uint64_t i = 0; status && i < 100; ++i) status = sorter.add({i, 1});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kNotFound);
  EXPECT_NE(status.error().message.find("/no/such/directory"), std::string::npos);
}

TEST(ExternalSort, TheTakersErrorEndsTheDrain) {
  for (const std::uint64_t memory : {0U, 1U << 20U}) {
    Sorter sorter(memory, "");
    for (std::uint64_t i = 0; i < 100; ++i) ASSERT_TRUE(sorter.add({i, 1}));
    int calls = 0;
    const Status status = sorter.drain([&](const Counted&) -> Status {
      if (++calls < 10) return ok();
      return Error{ErrorCode::kCancelled, "enough"};
    });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "enough");
    EXPECT_EQ(calls, 10);
  }
}

// In the buffer, between two runs, and while runs are merged.
TEST(ExternalSort, ARequestToStopEndsItWhereverItIs) {
  for (const std::uint64_t memory : {0U, 1U << 20U}) {
    for (const int when : {0, 1, 2}) {
      std::stop_source source;
      Sorter sorter(memory, "", source.get_token());
      if (when == 0) source.request_stop();
      Status status = ok();
      for (std::uint64_t i = 0; status && i < 5000; ++i) status = sorter.add({mix64(i), 1});
      if (when == 1) source.request_stop();
      std::uint64_t taken = 0;
      if (status) {
        status = sorter.drain([&](const Counted&) {
          if (++taken == 10 && when == 2) source.request_stop();
          return ok();
        });
      }
      // What has been sorted in memory is handed out to its end: that takes no time.
      const bool unstoppable = memory > 0 && when == 2;
      EXPECT_EQ(taken == 5000, unstoppable);
      const bool cancelled = !status && status.error().code == ErrorCode::kCancelled;
      EXPECT_EQ(cancelled, !unstoppable);
    }
  }
}

// Adds distinct keys and drains; returns the error's message, or nothing.
std::string sort_distinct(std::uint64_t count, const std::string& directory) {
  Sorter sorter(16 << 10, directory);
  Status status = ok();
  for (std::uint64_t i = 0; status && i < count; ++i) status = sorter.add({mix64(i), 1});
  if (status) status = sorter.drain([](const Counted&) { return ok(); });
  return status ? "" : status.error().message;
}

// The disk holds 256 KiB: 160 KB fit as runs, but not beside their merged copy.
TEST(ExternalSort, AFullDiskIsAnErrorAndLeavesNothing) {
  for (const std::uint64_t count : {10'000U, 1'000'000U}) {
    const TestDir directory;
    const int result = in_child([&] {
      limit_disk(directory.path().string());
      if (count == 10'000U && std::filesystem::space(directory.path()).capacity > 300'000) return 0;
      const std::string message = sort_distinct(count, directory.path().string());
      if (!is_disk_full(message)) return 1;
      return directory.names().empty() ? 0 : 2;
    });
    EXPECT_EQ(result, 0);
  }
}

}  // namespace
}  // namespace twinsift
