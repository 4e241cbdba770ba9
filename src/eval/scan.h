// SPDX-License-Identifier: Apache-2.0
// The measuring engine of comparisons: every query with every document, by one sketch and one
// early stop after the other.
//
// What the papers propose runs through the one plain loop of verify/decide.h over 64-bit bins,
// pair after pair.  Ours runs over planes of byte codes, 64 bytes of all queries and some thousand
// documents at a time.  Both are timed as processor time of one thread, without sketching.
//
// Documents are sketched and compared in parts, one kind of sketch after the other, so that a
// million need no more than 2 GB.  A part is larger than caches are.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "eval/workload.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"
#include "verify/early_stop.h"

namespace twinsift {

// A sketch whose empty components are filled, as those of OPH are.
struct ScanSketch {
  std::string name;
  std::string spec;
  bool codes = false;  // as byte codes in planes, with kOurLooks; otherwise as 64-bit components
};

inline constexpr std::uint32_t kScanBins = 1000;  // of the papers' sketches
inline constexpr std::uint32_t kOurBins = 1024;
inline constexpr std::array<std::uint32_t, 4> kOurLooks = {64, 128, 256, 512};

// One way to compare.
struct ScanRun {
  std::size_t sketch = 0;  // its place among the sketches
  EarlyStopTable table;
  std::uint32_t threshold_permille = 700;
  std::size_t points = 0;  // how many of the points it is wanted at
};

// What a run did with the first so many documents.
struct ScanPoint {
  std::uint64_t documents = 0;
  std::uint64_t pairs = 0;
  double seconds = 0;
  std::uint64_t bins = 0;                  // read
  std::uint64_t open = 0;                  // pairs left to the exact comparison
  std::uint64_t accepted = 0;              // pairs said to be similar, by it or by the filter
  std::uint64_t right = 0;                 // of these, pairs that are
  std::uint64_t similar = 0;               // pairs that are similar
  [[nodiscard]] double precision() const;  // 1 if nothing was accepted
  [[nodiscard]] double recall() const;     // 1 if nothing is similar
  [[nodiscard]] std::uint64_t missed() const { return similar - right; }
  [[nodiscard]] std::uint64_t wrong() const { return accepted - right; }
  [[nodiscard]] double bins_per_pair() const {
    return static_cast<double>(bins) / static_cast<double>(pairs);
  }
  [[nodiscard]] double nanoseconds_per_pair() const {
    return 1e9 * seconds / static_cast<double>(pairs);
  }
};

struct ScanResult {
  std::vector<std::vector<ScanPoint>> runs;  // as they were given; each has its `points`
  std::vector<double> sketch_seconds;        // of one document, on average, for each sketch
};

struct ScanPlan {
  std::vector<std::uint32_t> points;  // numbers of documents, ascending
  std::vector<ScanSketch> sketches;   // each is used by a run
  std::vector<ScanRun> runs;          // thresholds are at least 0.5
};

// Requires: no point is above what the workload has.  kInvalidArgument if a sketch is none;
// kCancelled once options.stop is requested.
Result<ScanResult> scan(const Workload& workload, const ScanPlan& plan, const EvalOptions& options);

}  // namespace twinsift
