// SPDX-License-Identifier: Apache-2.0
// The one place where work is spread over threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <system_error>
#include <thread>
#include <vector>

namespace twinsift {

// Calls work(index, worker) for every index in 0..n-1, from up to `threads` threads, of which
// the calling one is worker 0; workers are numbered below max(threads, 1).  Indices are handed
// out in ascending order, a few at a time; once `stop` is requested, no more are.  Returns when
// all calls have returned.  With threads <= 1 everything happens in the calling thread, in order.
// Requires: work throws nothing, and its results do not depend on who does what when.
inline void parallel_for(std::size_t n, unsigned threads, const std::stop_token& stop,
                         const std::function<void(std::size_t index, unsigned worker)>& work) {
  // Small enough that no thread waits long for the last, large enough not to fight for `next`.
  const std::size_t per_thread = n / (std::max(threads, 1U) * std::size_t{32});
  const std::size_t chunk = std::clamp<std::size_t>(per_thread, 1, 64);
  std::atomic<std::size_t> next = 0;
  const auto run = [&](unsigned worker) {
    while (true) {
      const std::size_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= n) return;
      for (std::size_t i = begin; i < std::min(begin + chunk, n); ++i) {
        if (stop.stop_requested()) return;
        work(i, worker);
      }
    }
  };
  std::vector<std::jthread> others;
  for (unsigned worker = 1; worker < threads && worker * chunk < n; ++worker) {
    try {
      others.emplace_back(run, worker);
    } catch (const std::system_error&) {
      break;  // the system gives no more threads: those there are do all the work
    }
  }
  run(0);
}

}  // namespace twinsift
