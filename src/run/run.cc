// SPDX-License-Identifier: Apache-2.0
#include "run/run.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

namespace twinsift {

std::string_view version() { return TWINSIFT_VERSION; }

Result<Resolved> resolve(const MatchOptions& options) {
  constexpr std::array<double, 3> kThresholds = {kSameThreshold, kEditedThreshold,
                                                 kSimilarThreshold};
  constexpr std::array<std::string_view, 3> kLevels = {"same", "edited", "similar"};
  Resolved resolved;
  const auto level = static_cast<std::size_t>(options.level);
  resolved.threshold = options.threshold;
  if (options.threshold == 0) {
    resolved.threshold = kThresholds[level];
    resolved.level = kLevels[level];
  }
  if (!(resolved.threshold > 0 && resolved.threshold <= 1)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("threshold {} is not above 0 and at most 1", options.threshold)};
  }
  if (!(options.recall > 0 && options.recall < 1)) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("recall {} is not between 0 and 1: 0.99 finds 99 of 100", options.recall)};
  }
  resolved.threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  const auto pages = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  const auto page = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  resolved.memory = options.memory != 0 ? options.memory : pages * page / 2;
  return resolved;
}

RunInfo make_run_info(const MatchOptions& options, const Resolved& resolved,
                      const std::string& command) {
  RunInfo run;
  run.version = version();
  run.command = command;
  run.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  run.threshold = resolved.threshold;
  run.recall = options.recall;
  run.level = resolved.level;
  run.threads = resolved.threads;
  std::error_code none;  // a folder that was removed has no name
  run.folder = std::filesystem::current_path(none).string();
  return run;
}

// Not from getrusage(), whose figure outlives exec(): it may be that of whoever started us.
std::uint64_t peak_rss() {
  std::ifstream status("/proc/self/status");
  std::uint64_t kibibytes = 0;
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") status >> kibibytes;
  }
  return kibibytes * 1024;
}

void StageClock::finish(std::vector<StageStats>& stages) {
  const auto elapsed = std::chrono::steady_clock::now() - start_;
  stats_.seconds = std::chrono::duration<double>(elapsed).count();
  stages.push_back(std::move(stats_));
}

void ProgressMeter::add(std::uint64_t items, std::uint64_t bytes, std::string_view current) {
  items_ += items;
  bytes_ += bytes;
  if (!callbacks_.progress) return;
  const auto now = std::chrono::steady_clock::now();
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  callbacks_.progress({.stage = stage_,
                       .items = items_,
                       .total_items = total_items_,
                       .bytes = bytes_,
                       .total_bytes = total_bytes_,
                       .current = current});
}

std::string sketch_of(const MatchOptions& options, bool weighted) {
  if (!options.sketch.empty()) return options.sketch;
  return weighted ? "dart1" : "fss1";
}

SetView view_of(const Feature& feature) {
  if (const auto* set = std::get_if<TokenSet>(&feature.value)) return *set;
  if (const auto* set = std::get_if<WeightedSet>(&feature.value)) return *set;
  if (const auto* packed = std::get_if<Packed>(&feature.value)) return *packed;
  return {};
}

Result<Matcher::Outcome> match_documents(Matcher& matcher, Matcher::Task task,
                                         const Callbacks& callbacks, RunInfo& run) {
  task.stop = callbacks.stop;
  if (callbacks.progress) {
    task.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
      callbacks.progress({.stage = stage, .items = done, .total_items = total, .current = {}});
    };
  }
  TWINSIFT_TRY(Matcher::Outcome outcome, matcher.match(task));
  run.guarantee = outcome.guarantee;
  run.detectors.insert(run.detectors.end(), outcome.specs.begin(), outcome.specs.end());
  return outcome;
}

}  // namespace twinsift
