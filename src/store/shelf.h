// SPDX-License-Identifier: Apache-2.0
// How the contents of a detector are sketched and indexed, ready for use: sketcher, index and early
// stop of a ShelfSpec.
//
// A content gets a row if its features are a set without weights.  Empty sets have no sketch and
// resemble nothing; texts too short for a single shingle are no business of a shelf either: as
// for the Matcher, only their bytes tell them apart, and whoever stores them gives them the
// state kNothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "feature/weights.h"
#include "index/signature.h"
#include "store/segment.h"
#include "twinsift/index.h"
#include "twinsift/result.h"
#include "twinsift/sketch.h"
#include "verify/early_stop.h"

namespace twinsift {

// Chosen so that contents with a similarity of 0.8 are found in buckets with a recall of 0.99; what
// is less similar takes a scan.  More components make the scan more selective and nothing else.
inline constexpr std::uint32_t kShelfComponents = 256;

// The shelf of a new detector.  `sketch` is a spec, of which k may be missing; empty: the default.
// kInvalidArgument if the sketch cannot hold what a shelf promises.
Result<ShelfSpec> make_shelf_spec(DetectorId detector, std::string_view sketch = {});

// What asking for one threshold takes.
struct SearchPlan {
  double threshold = 0;
  EarlyStopTable early_stop;
  // P(found) of a content at the threshold, what the early stop loses included.
  double found_in_buckets = 0;
  double found_by_scan = 0;
};

// Threads may share one.
class Shelf {
  struct Key {};  // only make() may make one

 public:
  explicit Shelf(Key) {}
  static Result<std::unique_ptr<Shelf>> make(const ShelfSpec& spec);

  [[nodiscard]] const ShelfSpec& spec() const { return spec_; }
  [[nodiscard]] const Sketcher& sketcher() const { return *sketcher_; }
  [[nodiscard]] const Index& index() const { return *index_; }

  // Whether a set gets a row, and may be asked for.
  static bool takes(SetView set) { return !set.ids.empty() && set.weights.empty() && !set.packed; }
  // Requires: takes(set); the set is canonical.
  [[nodiscard]] Signature sign(SetView set) const;

  // Takes a millisecond at k = 1024 the first time, then it is remembered.  Shared, because what is
  // remembered may be forgotten while it is in use.  kInvalidArgument unless 0 < threshold <= 1.
  [[nodiscard]] Result<std::shared_ptr<const SearchPlan>> plan(double threshold) const;

 private:
  [[nodiscard]] double found_in_buckets(double threshold) const;

  ShelfSpec spec_;
  std::unique_ptr<Sketcher> sketcher_;
  std::unique_ptr<Index> index_;
  mutable std::mutex mutex_;
  mutable std::map<double, std::shared_ptr<const SearchPlan>> plans_;
};

}  // namespace twinsift
