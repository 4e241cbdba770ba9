// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and its relatives.
#pragma once

#include <functional>
#include <stop_token>
#include <thread>

namespace twinsift::cli {

// While one lives: the first SIGINT or SIGTERM asks the run to stop, the second one ends the
// process at once; SIGUSR1 calls `on_status` on another thread; writing to a closed pipe is an
// error of write() and not a death.  At most one may live at a time.
class SignalWatch {
 public:
  explicit SignalWatch(std::function<void()> on_status);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

  // 130 after SIGINT, 143 after SIGTERM, otherwise 0.
  [[nodiscard]] static int exit_status();

 private:
  void watch(int read_end);

  std::function<void()> on_status_;
  std::stop_source stop_;
  int write_end_ = -1;
  std::jthread watcher_;
};

}  // namespace twinsift::cli
