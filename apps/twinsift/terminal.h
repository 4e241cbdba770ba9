// SPDX-License-Identifier: Apache-2.0
// What a person sees while a run works: messages and progress on standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "twinsift/report.h"

namespace twinsift::cli {

// Whether to colour what goes to `descriptor`.  `when` is "auto", "always" or "never".
bool use_colour(std::string_view when, int descriptor);

// Columns of the terminal at `descriptor`; 80 if it is none.
std::size_t terminal_width(int descriptor);

std::string human_time(double seconds);  // "4:02", "1:04:02"

// A moment of a stage: what the library told, and how long the stage has been at work.
struct Moment {
  std::string stage;
  std::uint64_t items = 0, total_items = 0;
  std::uint64_t bytes = 0, total_bytes = 0;
  std::string current;
  double seconds = 0;
};

// "hash  62 %  1,204 of 1,940 items  1.2 GB of 1.9 GB  181.0 MB/s  4 s left".  The time left
// follows from the bytes, because items differ in size by many orders of magnitude.  It never
// says 100 %: a stage that still reports is not finished.
std::string describe(const Moment& moment);

// The same as a bar with the item that takes longest, cut to `width` columns.
std::string draw(const Moment& moment, std::size_t width);

// Messages and progress, which must not tear each other apart.  Thread-safe.
class Console {
 public:
  enum class Mode : std::uint8_t { kSilent, kPlain, kBar };
  // A bar on a terminal, a plain line now and then elsewhere, nothing if `progress` is false.
  // If `quiet`, note() says nothing.
  Console(bool progress, bool quiet);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void progress(const Progress& progress);
  void note(std::string_view line);   // worth knowing
  void error(std::string_view line);  // must be said even if quiet
  void status();                      // says at once where the run is
  void clear();                       // takes the bar away, before results are printed

 private:
  using Clock = std::chrono::steady_clock;
  void clear_locked();
  void line_locked(std::string_view line);
  void tick_locked();

  std::mutex mutex_;
  Mode mode_;
  bool quiet_;
  bool drawn_ = false;
  Moment moment_;
  Clock::time_point stage_began_ = Clock::now();
  Clock::time_point last_ = Clock::now();
};

}  // namespace twinsift::cli
