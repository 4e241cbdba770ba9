// SPDX-License-Identifier: Apache-2.0
#include "base/run_program.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

Fd file_with(std::string_view text) {
  Fd file = *open_unnamed_file(temp_directory(""));
  EXPECT_TRUE(write_all(file.get(), text, "input"));
  return file;
}

TEST(RunProgram, GivesWhatItWroteOfWhatItRead) {
  const std::string text(300'000, 'x');
  // The file is opened anew, so it is read from its beginning.
  const auto out = run_program("/bin/cat", {"/dev/stdin"}, file_with(text), {});
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(*out, text);
}

TEST(RunProgram, TellsHowItEnded) {
  const Fd nothing = file_with("");
  const auto failed = run_program("/bin/sh", {"-c", "exit 7"}, nothing, {});
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("ended with 7"), std::string::npos);
  const auto killed = run_program("/bin/sh", {"-c", "kill -9 $$"}, nothing, {});
  ASSERT_FALSE(killed);
  EXPECT_NE(killed.error().message.find("signal 9"), std::string::npos);
  EXPECT_FALSE(run_program("/no/such/program", {}, nothing, {}));
}

TEST(RunProgram, IsKilledWhenItIsToStop) {
  std::stop_source source;
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    source.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto out = run_program("/bin/sleep", {"60"}, file_with(""), source.get_token());
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, ErrorCode::kCancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

}  // namespace
}  // namespace twinsift
