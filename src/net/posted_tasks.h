// SPDX-License-Identifier: Apache-2.0
// What other threads have for the one that runs a peer: tasks, and a descriptor that wakes it.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/fd.h"

namespace twinsift::net {

class PostedTasks {
 public:
  PostedTasks() : wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  // Can be read while there are tasks; -1 if the system has none left.
  [[nodiscard]] int fd() const { return wake_.get(); }

  // From any thread.
  void post(std::function<void()> task) {
    {
      const std::scoped_lock lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t woken = ::write(wake_.get(), &one, sizeof one);
  }

  // Runs what was posted before; what that posts is for the next call.
  void run() {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t drained = ::read(wake_.get(), &count, sizeof count);
    std::vector<std::function<void()>> tasks;
    {
      const std::scoped_lock lock(mutex_);
      tasks.swap(tasks_);
    }
    for (const auto& task : tasks) task();
  }

 private:
  Fd wake_;  // an eventfd
  std::mutex mutex_;
  std::vector<std::function<void()>> tasks_;
};

}  // namespace twinsift::net
