// SPDX-License-Identifier: Apache-2.0
// How the benchmarks tell time: processor time of the whole process beside the clock on the
// wall, and the best of several runs, because other work on a machine can only make a run slower.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <time.h>

namespace twinsift::bench {

inline double seconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Times {
  double cpu = 0;
  double wall = 0;
};

class Stopwatch {
 public:
  [[nodiscard]] Times elapsed() const {
    return {seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_, seconds(CLOCK_MONOTONIC) - wall_};
  }

 private:
  double cpu_ = seconds(CLOCK_PROCESS_CPUTIME_ID);
  double wall_ = seconds(CLOCK_MONOTONIC);
};

// Tells the compiler that somebody wants to know `value`, so that it has to be computed.
inline void keep(std::uint64_t value) { asm volatile("" : : "r"(value) : "memory"); }

// Processor time of one call of `work`, the best of `runs` runs.  A run calls it as often as it
// takes to last 20 ms, which is far above the grain of the clock.
template <class Work>
double best_seconds(int runs, Work&& work) {
  double best = std::numeric_limits<double>::infinity();
  std::uint64_t calls = 1;
  for (int run = 0; run < runs;) {
    const Stopwatch watch;
    for (std::uint64_t i = 0; i < calls; ++i) work();
    const double took = watch.elapsed().cpu;
    if (took < 0.02) {
      calls *= 2;
      continue;
    }
    best = std::min(best, took / static_cast<double>(calls));
    ++run;
  }
  return best;
}

}  // namespace twinsift::bench
