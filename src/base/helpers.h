// SPDX-License-Identifier: Apache-2.0
// Threads that help one thread which cannot say beforehand what there will be to do.  Where all
// work is known from the start, parallel_for (base/parallel.h) is simpler.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace twinsift {

// Tasks begin in the order in which they were given and end in any.  All members are for the one
// thread that hands out the work.  Requires: tasks throw nothing.
class Helpers {
 public:
  // Up to `threads` threads, which are started by the first run() and share at most `capacity`
  // tasks, waiting and in work, so that what tasks hold on to is bounded.
  Helpers(unsigned threads, std::size_t capacity) : threads_(threads), capacity_(capacity) {}
  ~Helpers();  // does what is left
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  // Gives the task to the helpers; if they have enough to do, or there are none, does it itself.
  void run(std::function<void()> task);

  // Returns when all tasks have; takes part in what is left.
  void finish();

 private:
  void start();
  void help();
  void do_next(std::unique_lock<std::mutex>& lock);

  unsigned threads_;
  std::size_t capacity_;
  std::mutex mutex_;  // for all below but helpers_
  std::condition_variable changed_;
  std::condition_variable all_done_;
  std::deque<std::function<void()>> waiting_;
  std::size_t unfinished_ = 0;
  bool closing_ = false;
  std::vector<std::jthread> helpers_;
};

}  // namespace twinsift
