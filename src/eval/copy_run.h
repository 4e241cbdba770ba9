// SPDX-License-Identifier: Apache-2.0
// What the steps of an evaluation with copies share: threads, progress, and files that could not be
// read.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/parallel.h"
#include "twinsift/pipeline.h"

namespace twinsift {

class CopyRun {
 public:
  CopyRun(const Callbacks& callbacks, unsigned threads)
      : callbacks_(callbacks),
        threads_(threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency())) {}

  [[nodiscard]] const Callbacks& callbacks() const { return callbacks_; }
  [[nodiscard]] unsigned threads() const { return threads_; }
  [[nodiscard]] std::vector<Skipped> skipped() const { return skipped_; }
  [[nodiscard]] bool has_skipped(const std::string& path) const { return told_.contains(path); }

  // Each file once, though several steps may fail on it.  Thread-safe.
  void skip(const Skipped& skipped) {
    const std::scoped_lock lock(mutex_);
    if (!told_.insert(skipped.path).second) return;
    skipped_.push_back(skipped);
    if (callbacks_.skipped) callbacks_.skipped(skipped);
  }
  void skip(const std::string& path, const Error& error) {
    skip({.path = path, .reason = error.message, .detail = ""});
  }

  // Calls work(i) for 0..n-1 on all threads.  The first error of them ends it.
  Status for_each(std::string_view stage, std::size_t n,
                  const std::function<Status(std::size_t)>& work) {
    std::stop_source stop;
    const std::stop_callback forward(callbacks_.stop, [&] { stop.request_stop(); });
    std::uint64_t done = 0;
    std::optional<Error> error;
    tell(stage, 0, n);
    parallel_for(n, threads_, stop.get_token(), [&](std::size_t i, unsigned) {
      const Status status = work(i);
      const std::scoped_lock lock(mutex_);
      if (!status && !error) error = status.error();
      if (!status) stop.request_stop();
      tell(stage, ++done, n);
    });
    if (callbacks_.stop.stop_requested()) return cancelled_error();
    if (error) return *error;
    return ok();
  }

 private:
  void tell(std::string_view stage, std::uint64_t done, std::uint64_t all) const {
    if (!callbacks_.progress) return;
    Progress progress;
    progress.stage = stage;
    progress.items = done;
    progress.total_items = all;
    callbacks_.progress(progress);
  }

  const Callbacks& callbacks_;
  unsigned threads_;
  std::mutex mutex_;
  std::vector<Skipped> skipped_;
  std::set<std::string> told_;
};

}  // namespace twinsift
