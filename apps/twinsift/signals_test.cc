// SPDX-License-Identifier: Apache-2.0
#include "signals.h"

#include <csignal>
#include <future>

#include <gtest/gtest.h>

namespace twinsift::cli {
namespace {

// The test may itself run in a background job, whose SIGINT is ignored.
class Signals : public testing::Test {
 protected:
  void SetUp() override { std::signal(SIGINT, SIG_DFL); }
};

void wait_for_stop(const std::stop_token& token) {
  std::promise<void> stopped;
  const std::stop_callback callback(token, [&] { stopped.set_value(); });
  stopped.get_future().wait();
}

TEST_F(Signals, TheFirstOneAsksTheRunToStop) {
  const SignalWatch watch([] {});
  EXPECT_EQ(SignalWatch::exit_status(), 0);
  std::raise(SIGINT);
  wait_for_stop(watch.token());
  EXPECT_EQ(SignalWatch::exit_status(), 130);
}

TEST_F(Signals, TerminationHasItsOwnStatus) {
  const SignalWatch watch([] {});
  std::raise(SIGTERM);
  wait_for_stop(watch.token());
  EXPECT_EQ(SignalWatch::exit_status(), 143);
}

TEST_F(Signals, TheSecondOneLeavesAtOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        std::signal(SIGINT, SIG_DFL);
        const SignalWatch watch([] {});
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::ExitedWithCode(130), "");
}

TEST_F(Signals, AQuestionIsAnsweredAndStopsNothing) {
  std::promise<void> asked;
  const SignalWatch watch([&] { asked.set_value(); });
  std::raise(SIGUSR1);
  asked.get_future().wait();
  EXPECT_FALSE(watch.token().stop_requested());
}

}  // namespace
}  // namespace twinsift::cli
