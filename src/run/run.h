// SPDX-License-Identifier: Apache-2.0
// What every run has: resolved options, a clock for its stages, progress and cancellation.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "group/matcher.h"
#include "twinsift/pipeline.h"
#include "verify/picture_detector.h"

namespace twinsift {

// What the levels mean, for all media.
inline constexpr double kSameThreshold = 0.8;
inline constexpr double kEditedThreshold = 0.6;
inline constexpr double kSimilarThreshold = 0.4;

// What is asked of parts of pictures.  Below the level of edited ones nothing that is looked at
// tells copies from strangers.
inline double picture_threshold(double threshold) {
  return threshold < kEditedThreshold ? kEditedThreshold : threshold;
}

// Whole pictures are looked for by learned codes, too, at the level of edited ones and below.
inline LearnedLook learned_look(double threshold) {
  return threshold <= kEditedThreshold ? LearnedLook::kYes : LearnedLook::kNo;
}

// Options as they are meant, once defaults and the machine are known.
struct Resolved {
  double threshold = 0;
  std::string level;  // empty if a number was given
  unsigned threads = 1;
  std::uint64_t memory = 0;
};
Result<Resolved> resolve(const MatchOptions& options);

RunInfo make_run_info(const MatchOptions& options, const Resolved& resolved,
                      const std::string& command);

// The most memory this process has had in use, in bytes.
std::uint64_t peak_rss();

// Times one stage from its construction to finish().
class StageClock {
 public:
  explicit StageClock(std::string name) { stats_.name = std::move(name); }
  StageStats& stats() { return stats_; }
  void finish(std::vector<StageStats>& stages);

 private:
  StageStats stats_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Counts work from many threads and tells the caller of it, at most ten times a second.
class ProgressMeter {
 public:
  ProgressMeter(const Callbacks& callbacks, std::string_view stage, std::uint64_t total_items,
                std::uint64_t total_bytes)
      : callbacks_(callbacks),
        stage_(stage),
        total_items_(total_items),
        total_bytes_(total_bytes) {}
  // `current` names what is in work now.
  void add(std::uint64_t items, std::uint64_t bytes, std::string_view current);

 private:
  const Callbacks& callbacks_;
  std::string_view stage_;
  std::uint64_t total_items_;
  std::uint64_t total_bytes_;
  std::atomic<std::uint64_t> items_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point last_{};
};

// The sketch that was asked for, or the default for sets with or without weights.
std::string sketch_of(const MatchOptions& options, bool weighted);

// A view of the set in a feature, or of what is packed in it; empty if it is neither.
SetView view_of(const Feature& feature);

// Matches with the caller's progress and stop, and notes in `run` what was promised and used.
Result<Matcher::Outcome> match_documents(Matcher& matcher, Matcher::Task task,
                                         const Callbacks& callbacks, RunInfo& run);

}  // namespace twinsift
