// SPDX-License-Identifier: Apache-2.0
#include "terminal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift::cli {
namespace {

Moment halfway() {
  return {.stage = "hash",
          .items = 1204,
          .total_items = 2000,
          .bytes = 50'000'000,
          .total_bytes = 100'000'000,
          .current = "folder/big.txt",
          .seconds = 5};
}

TEST(Terminal, TimeLeftFollowsFromBytes) {
  EXPECT_EQ(describe(halfway()), "hash  50 %  1,204 of 2,000 items  50.0 MB  10.0 MB/s  0:05 left");
}

TEST(Terminal, AStageAtWorkIsNeverAtHundredPercent) {
  Moment moment = halfway();
  moment.bytes = moment.total_bytes;
  EXPECT_NE(describe(moment).find("99 %"), std::string::npos);
  moment.bytes = moment.total_bytes * 2;  // a file grew while it was read
  EXPECT_EQ(describe(moment).find("100 %"), std::string::npos);
}

TEST(Terminal, UnknownTotalsMakeNoPercentage) {
  EXPECT_EQ(describe({.stage = "walk", .items = 7, .current = {}, .seconds = 1}), "walk  7 items");
}

TEST(Terminal, ABarNamesTheSlowestItem) {
  EXPECT_NE(draw(halfway(), 120).find("[##########..........] "), std::string::npos);
  EXPECT_NE(draw(halfway(), 120).find("folder/big.txt"), std::string::npos);
}

TEST(Terminal, TheNameOfAFileCannotActOnTheTerminal) {
  Moment moment = halfway();
  moment.current = "a\x1b[31mb\n";
  EXPECT_NE(draw(moment, 120).find("a\\x1b[31mb\\n"), std::string::npos);
}

TEST(Terminal, TimesAreForPeople) {
  EXPECT_EQ(human_time(62), "1:02");
  EXPECT_EQ(human_time(3723), "1:02:03");
}

TEST(Terminal, NamedColourChoicesNeedNoTerminal) {
  EXPECT_TRUE(use_colour("always", -1));
  EXPECT_FALSE(use_colour("never", -1));
  EXPECT_FALSE(use_colour("auto", -1));
}

RC_GTEST_PROP(Terminal, ALineNeverExceedsTheTerminal, (const std::string& name)) {
  const auto width = *rc::gen::inRange<std::size_t>(0, 300);
  Moment moment = halfway();
  moment.current = name;
  std::size_t columns = 0;
  for (const char c : draw(moment, width)) columns += (c & 0xC0) == 0x80 ? 0 : 1;
  RC_ASSERT(columns <= width);
}

}  // namespace
}  // namespace twinsift::cli
