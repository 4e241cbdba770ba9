// SPDX-License-Identifier: Apache-2.0
#include "net/pacer.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace twinsift::net {
namespace {

TEST(TokenBucket, GivesABurstAndThenARate) {
  TokenBucket bucket({.per_second = 10, .burst = 5});
  int taken = 0;
  for (int i = 0; i < 100; ++i) taken += bucket.take(0) ? 1 : 0;
  EXPECT_EQ(taken, 5);
  for (int i = 0; i < 1000; ++i) taken += bucket.take(0.01 * i) ? 1 : 0;
  EXPECT_NEAR(taken, 5 + 99, 1);
  EXPECT_FALSE(bucket.take(0));  // a clock that goes back gives nothing
}

TEST(RateLimiter, CallersDoNotPayForEachOther) {
  RateLimiter<std::string> limiter({.per_second = 1, .burst = 2}, 100);
  EXPECT_TRUE(limiter.take("a", 0));
  EXPECT_TRUE(limiter.take("a", 0));
  EXPECT_FALSE(limiter.take("a", 0));
  EXPECT_TRUE(limiter.take("b", 0));
}

TEST(RateLimiter, RemembersABoundedNumberOfCallers) {
  RateLimiter<int> limiter({.per_second = 1, .burst = 2}, 10);
  for (int caller = 0; caller < 10'000; ++caller) limiter.take(caller, caller);
  EXPECT_EQ(limiter.callers(), 10U);
}

// What is published in each second of the first periods.
std::map<int, int> publish(Pacer& pacer, double seconds) {
  std::map<int, int> by_second;
  for (double now = 0; now < seconds; now += 0.05) {
    while (pacer.next(now)) ++by_second[static_cast<int>(now)];
  }
  return by_second;
}

TEST(Pacer, EverythingComesOnceInAPeriodAndNeverInABurst) {
  constexpr int kThings = 3000;
  constexpr double kPeriod = 600;
  Pacer pacer(kPeriod, {.per_second = 50, .burst = 50});
  for (std::uint64_t thing = 0; thing < kThings; ++thing) pacer.add(thing, 0);
  std::vector<std::vector<double>> times(kThings);
  std::map<int, int> by_second;
  for (double now = 0; now < 4 * kPeriod; now += 0.05) {
    while (const auto thing = pacer.next(now)) {
      times[*thing].push_back(now);
      ++by_second[static_cast<int>(now)];
    }
  }
  for (const auto& [second, count] : by_second) EXPECT_LE(count, 101) << second;
  for (const auto& of_thing : times) {
    ASSERT_GE(of_thing.size(), 4U);
    for (std::size_t i = 1; i < of_thing.size(); ++i) {
      // The promise behind the lifetime of an entry: never much more than a period apart.
      EXPECT_LE(of_thing[i] - of_thing[i - 1], kPeriod + 5);
    }
  }
  // In the last period what began as 60 seconds of bursts takes half a period or more.
  int busiest = 0;
  for (const auto& [second, count] : by_second) {
    if (second > 3 * kPeriod) busiest = std::max(busiest, count);
  }
  EXPECT_LE(busiest, 40);
}

TEST(Pacer, WhatIsRemovedDoesNotComeAgain) {
  Pacer pacer(10, {.per_second = 100, .burst = 100});
  pacer.add(0, 0);
  pacer.add(1, 0);
  pacer.remove(0);
  pacer.remove(7);
  EXPECT_EQ(pacer.waiting(0), 1U);
  EXPECT_EQ(pacer.next(0), std::optional<std::uint64_t>(1));
  EXPECT_EQ(pacer.next(0), std::nullopt);
  EXPECT_EQ(pacer.size(), 1U);
  EXPECT_GE(*pacer.next_due(), 5);
  EXPECT_FALSE(publish(pacer, 30).empty());
}

}  // namespace
}  // namespace twinsift::net
