// SPDX-License-Identifier: Apache-2.0
// Processor time of the calling thread, which other work on the machine disturbs the least.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <time.h>

namespace twinsift {

inline double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Processor time of one call of `work`, the best of three runs of at least `run_seconds`.  What
// work() returns is kept, so that the compiler has to compute it.
template <class Work>
double best_cpu_seconds(double run_seconds, Work&& work) {
  double best = std::numeric_limits<double>::infinity();
  std::uint64_t calls = 1;
  for (int run = 0; run < 3;) {
    const double start = cpu_seconds();
    for (std::uint64_t i = 0; i < calls; ++i) {
      const std::uint64_t kept = work();
      asm volatile("" : : "r"(kept) : "memory");
    }
    const double took = cpu_seconds() - start;
    if (took < run_seconds) {
      calls *= 2;
      continue;
    }
    best = std::min(best, took / static_cast<double>(calls));
    ++run;
  }
  return best;
}

}  // namespace twinsift
