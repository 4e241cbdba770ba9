// SPDX-License-Identifier: Apache-2.0
// The threads that answer connections, and a bound on how many connections wait for them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <httplib.h>

namespace twinsift::net {

class ConnectionQueue final : public httplib::TaskQueue {
 public:
  ConnectionQueue(std::size_t threads, std::size_t most_waiting) : most_waiting_(most_waiting) {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }

  // A task must run to close its connection: one too many runs at once, and is_full() tells it so.
  void enqueue(std::function<void()> task) override {
    {
      const std::scoped_lock lock(mutex_);
      if (waiting_.size() < most_waiting_) {
        waiting_.push_back(std::move(task));
        changed_.notify_one();
        return;
      }
    }
    full_ = true;
    task();
    full_ = false;
  }

  void shutdown() override {
    {
      const std::scoped_lock lock(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // Of the task that runs in this thread.
  static bool is_full() { return full_; }

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const std::function<void()> task = std::move(waiting_.front());
      waiting_.pop_front();
      // What waits when all is over is sent away.
      full_ = closing_;
      lock.unlock();
      task();
    }
  }

  inline static thread_local bool full_ = false;
  std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace twinsift::net
