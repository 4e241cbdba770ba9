// SPDX-License-Identifier: Apache-2.0
// How a run compares sketches: from two dials and two specs to a sketcher and its early stop.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "feature/weights.h"
#include "tune/tune.h"
#include "twinsift/result.h"
#include "twinsift/sketch.h"
#include "twinsift/types.h"
#include "verify/early_stop.h"
#include "verify/filter.h"

namespace twinsift {

struct SketchComparisonOptions {
  double threshold = 0.8;
  double recall = 0.99;
  std::string sketch = "fss1";  // k is chosen unless the spec has one
  std::string filter = "gs1";
  bool weighted = false;  // sets have weights
};

// Immutable: threads may share one.
class SketchComparison {
 public:
  // kInvalidArgument if a spec is none, if the sketch does not fit the sets, if the filter does not
  // fit the sketch, or if there is no k for the dials.
  static Result<SketchComparison> make(const SketchComparisonOptions& options);

  [[nodiscard]] const Sketcher& sketcher() const { return *sketcher_; }
  [[nodiscard]] const FilterOptions& filter() const { return filter_; }
  // For byte codes of the sketches.
  [[nodiscard]] const EarlyStopTable& early_stop() const { return early_stop_; }
  // The banding for which k was chosen; none if the spec has a k.
  [[nodiscard]] const std::optional<BandingPlan>& banding() const { return banding_; }

  // With a value in every component, as index and codes need it.  Requires: the set is canonical,
  // not empty, and has weights if the options said so.
  void sketch(SetView set, Sketch& sketch) const;

  // Gives empty components a value, as above.
  void fill(Sketch& sketch) const;

 private:
  SketchComparison() = default;
  std::unique_ptr<Sketcher> sketcher_;
  FilterOptions filter_;
  EarlyStopTable early_stop_;
  std::optional<BandingPlan> banding_;
};

// The recall that banding must have, so that with what the early stop loses `recall` remains.
constexpr double banding_recall(double recall) { return recall + kEarlyStopLoss; }

}  // namespace twinsift
