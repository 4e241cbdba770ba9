// SPDX-License-Identifier: Apache-2.0
#include "base/helpers.h"

#include <system_error>
#include <utility>

namespace twinsift {

Helpers::~Helpers() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  helpers_.clear();  // joins
}

void Helpers::run(std::function<void()> task) {
  if (helpers_.empty() && threads_ != 0) start();
  if (helpers_.empty()) return task();
  std::unique_lock lock(mutex_);
  const bool enough = unfinished_ >= capacity_;
  if (!enough) {
    ++unfinished_;
    waiting_.push_back(std::move(task));
  }
  lock.unlock();
  if (enough) return task();
  changed_.notify_one();
}

void Helpers::finish() {
  std::unique_lock lock(mutex_);
  while (!waiting_.empty()) do_next(lock);
  all_done_.wait(lock, [&] { return unfinished_ == 0; });
}

void Helpers::start() {
  helpers_.reserve(threads_);
  for (; threads_ != 0; --threads_) {
    try {
      helpers_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
      threads_ = 0;  // the system gives no more threads: those there are do the work
      return;
    }
  }
}

void Helpers::help() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    do_next(lock);
  }
}

void Helpers::do_next(std::unique_lock<std::mutex>& lock) {
  std::function<void()> task = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  task();
  task = nullptr;  // what it holds on to counts until it is gone
  lock.lock();
  if (--unfinished_ == 0) all_done_.notify_one();
}

}  // namespace twinsift
