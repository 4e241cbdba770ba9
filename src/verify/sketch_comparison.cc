// SPDX-License-Identifier: Apache-2.0
#include "verify/sketch_comparison.h"

#include <utility>

#include "index/signature.h"
#include "sketch/spec.h"
#include "sketch/table.h"
#include "sketch/weighted_sketch.h"

namespace twinsift {
namespace {

// The table of a filter.  "none" leaves every pair to the exact comparison; all but the default
// have looks of their own.
Result<EarlyStopTable> make_early_stop(const FilterOptions& filter, double threshold,
                                       std::uint32_t k) {
  if (filter.kind == FilterKind::kNone) {
    return EarlyStopTable{{{k, -1, static_cast<std::int32_t>(k) + 1}}, "none"};
  }
  FilterTask task{.k = k,
                  .threshold_permille = static_cast<std::uint32_t>(threshold * 1000),
                  .code_bits = 8,
                  .looks = {}};
  if (filter.kind == FilterKind::kGroupSequential) {
    task.looks = doubling_looks(k);
    task.looks.pop_back();  // the last is understood
  }
  return make_filter(filter, task);
}

// Filters by groups need groups of equal size.
Result<SketchPlan> choose_plan(const SketchComparisonOptions& options,
                               const FilterOptions& filter) {
  const double recall = banding_recall(options.recall);
  TWINSIFT_TRY(SketchPlan plan,
               choose_sketch_size(options.threshold, recall, kLargestChosenSketch));
  if (whole_groups(filter, plan.k) == plan.k) return plan;
  plan.k = whole_groups(filter, plan.k);
  TWINSIFT_TRY(plan.banding, choose_banding(options.threshold, recall, plan.k));
  return plan;
}

}  // namespace

Result<SketchComparison> SketchComparison::make(const SketchComparisonOptions& options) {
  SketchComparison comparison;
  std::string spec = options.sketch;
  TWINSIFT_TRY(comparison.filter_, parse_filter(options.filter));
  if (!spec_has(spec, "k")) {
    TWINSIFT_TRY(const SketchPlan plan, choose_plan(options, comparison.filter_));
    spec = with_key(spec, "k", std::to_string(plan.k));
    comparison.banding_ = plan.banding;
  }
  TWINSIFT_TRY(comparison.sketcher_, make_sketcher(spec));
  if (options.weighted) {
    TWINSIFT_TRY([[maybe_unused]] auto weighted, require_weighted(*comparison.sketcher_));
  }
  TWINSIFT_TRY(comparison.early_stop_,
               make_early_stop(comparison.filter_, options.threshold, comparison.sketcher_->k()));
  return comparison;
}

void SketchComparison::sketch(SetView set, Sketch& sketch) const {
  sketch_for_index(*sketcher_, set, sketch);
}

void SketchComparison::fill(Sketch& sketch) const { fill_for_index(*sketcher_, sketch); }

}  // namespace twinsift
