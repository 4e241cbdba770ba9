// SPDX-License-Identifier: Apache-2.0
#include "net/hello.h"

#include <gtest/gtest.h>

#include "net/test_identity.h"

namespace twinsift::net {
namespace {

constexpr std::int64_t kNow = 1'800'000'000;
const Address kAddress = *parse_address("192.0.2.7:4222");

Hello hello(const NetworkOptions& options = {}, std::int64_t now = kNow) {
  return hello_of(Network(options), test_identity(2).public_key(), false, now);
}

TEST(Hello, IsReadAsItWasWritten) {
  const std::string bytes = encode(hello());
  EXPECT_EQ(bytes.size(), kHelloBytes);
  const auto read = decode_hello(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, hello());
  for (std::size_t i = 0; i < bytes.size(); ++i) EXPECT_FALSE(decode_hello(bytes.substr(0, i)));
  EXPECT_FALSE(decode_hello(bytes + "x"));
}

std::string refusal(const Hello& other) {
  Hello mine = hello();
  mine.key = test_identity(1).public_key();
  const Status checked = check_hello(mine, other, kAddress);
  return checked ? "" : checked.error().message;
}

TEST(Hello, WhatDoesNotFitIsSaid) {
  EXPECT_EQ(refusal(hello()), "");
  EXPECT_NE(refusal(hello({.name = "other"})).find("another network"), std::string::npos);
  EXPECT_NE(refusal(hello({.secret = "s"})).find("--secret-file"), std::string::npos);
  EXPECT_NE(refusal(hello({.goal = {.similarity = 0.9, .recall = 0.95}}))
                .find("--threshold 0.9 --recall 0.95"),
            std::string::npos);
  EXPECT_NE(refusal(hello({.period = std::chrono::seconds(60)})).find("--period 60s"),
            std::string::npos);
  Hello one_bit = hello();
  one_bit.one_bit = true;
  EXPECT_NE(refusal(one_bit).find("--labels pond1"), std::string::npos);
  Hello twin = hello();
  twin.key = test_identity(1).public_key();
  EXPECT_NE(refusal(twin).find("a key of its own"), std::string::npos);
}

// An hour is survived, and told; more is refused, and told.
TEST(Hello, ClocksAreCompared) {
  EXPECT_EQ(clock_note(hello(), hello({}, kNow + 60), kAddress), "");
  for (const std::int64_t hour : {-3600, 3600}) {
    EXPECT_EQ(refusal(hello({}, kNow + hour)), "");
    const std::string note = clock_note(hello(), hello({}, kNow + hour), kAddress);
    EXPECT_NE(note.find(hour > 0 ? "60 minutes behind" : "60 minutes ahead"), std::string::npos)
        << note;
    EXPECT_NE(refusal(hello({}, kNow + 2 * hour)).find("set the clock"), std::string::npos);
  }
}

}  // namespace
}  // namespace twinsift::net
