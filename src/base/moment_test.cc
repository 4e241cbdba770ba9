// SPDX-License-Identifier: Apache-2.0
#include "base/moment.h"

#include <cstdlib>
#include <ctime>
#include <string>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kNow = 1'800'000'000 * kSecond + 5;

TEST(ParseAge, TakesNumbersWithAUnit) {
  EXPECT_EQ(*parse_age("30d"), 30 * 86400);
  EXPECT_EQ(*parse_age("0s"), 0);
  EXPECT_EQ(*parse_age("2w"), 14 * 86400);
  for (const std::string wrong : {"", "d", "30", "-1d", "1.5d", "30 d", "30days", "9999999d"}) {
    EXPECT_FALSE(parse_age(wrong)) << wrong;
  }
}

TEST(ParseMoment, AnAgeIsBeforeNow) {
  EXPECT_EQ(*parse_moment("7d", kNow), kNow - 7 * 86400 * kSecond);
  EXPECT_EQ(*parse_moment("0s", kNow), kNow);
  EXPECT_EQ(*parse_moment("1000000w", kNow), 0);  // not before the beginning
}

TEST(ParseMoment, DatesAreLocalUnlessTheySayUtc) {
  ::setenv("TZ", "XYZ-2", 1);  // two hours east of Greenwich
  ::tzset();
  EXPECT_EQ(*parse_moment("1970-01-02", kNow), 22 * 3600 * kSecond);
  EXPECT_EQ(*parse_moment("1970-01-02T03:04", kNow), (25 * 3600 + 240) * kSecond);
  EXPECT_EQ(*parse_moment("1970-01-02T03:04:05", kNow), (25 * 3600 + 245) * kSecond);
  EXPECT_EQ(*parse_moment("1970-01-02T03:04Z", kNow), (27 * 3600 + 240) * kSecond);
  EXPECT_EQ(*parse_moment("2024-02-29T00:00Z", kNow), 1709164800 * kSecond);
}

TEST(ParseMoment, WhatIsNoMomentIsRefused) {
  for (const std::string wrong :
       {"", "yesterday", "2026", "2026-01", "2026-1-31", "2026-02-30", "2026-13-01", "2026-00-10",
        "2026-01-31T", "2026-01-31T12", "2026-01-31T25:00", "2026-01-31T12:60", "2026-01-31 12:00",
        "2026-01-31T12:00x", "2026-01-31Z", "1969-12-31", "9999-01-01", "31.01.2026", "7"}) {
    EXPECT_FALSE(parse_moment(wrong, kNow)) << wrong;
  }
}

}  // namespace
}  // namespace twinsift
