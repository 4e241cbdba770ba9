// SPDX-License-Identifier: Apache-2.0
// Before the first document: which sketch, index and filter, and what they promise.
#include <cassert>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "group/matcher.h"
#include "sketch/spec.h"
#include "tune/tune.h"
#include "verify/filter.h"

namespace twinsift {
namespace {

// Whether pairs that the filter lets pass at its last look are only those above the threshold, so
// that near it some are lost.
bool decides_alone(const FilterOptions& filter) {
  const bool open =
      filter.kind == FilterKind::kNone || filter.kind == FilterKind::kBayes ||
      (filter.kind == FilterKind::kGroupSequential && filter.mode == FilterMode::kDefault);
  return !open;
}

// Sort-merge finds pairs that agree in a single component: as many bands, of one row each.
Result<BandingPlan> plan_single_rows(const MatcherOptions& options, double recall,
                                     std::uint32_t k) {
  const BandingPlan plan{
      .bands = k, .rows = 1, .found = banding_guarantee(options.threshold, k, k, 1)};
  if (plan.found >= recall) return plan;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("sortmerge1 with {} components finds pairs at threshold {} with "
                           "probability {:.4f} only: ask for less recall, or more components",
                           k, options.threshold, plan.found)};
}

Result<BandingPlan> plan_bands(const MatcherOptions& options, double recall, std::uint32_t k) {
  if (options.generator.kind == GeneratorKind::kSortMerge) {
    return plan_single_rows(options, recall, k);
  }
  return choose_banding(options.threshold, recall, k);
}

// Each component is one more value to sort, so the fewest that do are best.
std::uint32_t fewest_components(double threshold, double recall) {
  constexpr std::uint32_t kSmallest = 128;
  constexpr std::uint32_t kStep = 32;
  std::uint32_t k = kSmallest;
  while (k < kLargestChosenSketch && banding_guarantee(threshold, k, k, 1) < recall) k += kStep;
  return k;
}

// The sketch to use.  Its k is chosen here only if the fewest components are wanted.
Result<std::string> sketch_for(const MatcherOptions& options) {
  if (options.generator.kind != GeneratorKind::kSortMerge || spec_has(options.sketch, "k")) {
    return options.sketch;
  }
  TWINSIFT_TRY(const FilterOptions filter, parse_filter(options.filter));
  const std::uint32_t k = fewest_components(options.threshold, banding_recall(options.recall));
  return with_key(options.sketch, "k", std::to_string(whole_groups(filter, k)));
}

// What a run cannot promise, whatever finds its candidates: of the sketch and of the filter.
std::string caveats_of(const Sketcher& sketcher, const FilterOptions& filter) {
  std::string caveats;
  if (!sketcher.bounded_variance()) {
    caveats += fmt::format(
        "; with {} that is no promise, for its components vary more than independent ones",
        sketcher.spec());
  }
  if (decides_alone(filter)) {
    caveats += fmt::format("; of these, {} loses some near the threshold", filter_spec(filter));
  }
  return caveats;
}

Status check(const MatcherOptions& options) {
  if (!(options.threshold > 0 && options.threshold <= 1)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("threshold {} is not above 0 and at most 1", options.threshold)};
  }
  if (!(options.recall > 0 && options.recall < 1)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("recall {} is not between 0 and 1", options.recall)};
  }
  if (options.generator.kind == GeneratorKind::kPrefix && options.weighted) {
    return Error{ErrorCode::kInvalidArgument,
                 "prefix1 compares sets without weights: find candidates by banding1 or "
                 "sortmerge1, or compare other features than tfidf"};
  }
  assert(options.generator.kind != GeneratorKind::kPrefix || options.store_features);
  return ok();
}

}  // namespace

Result<Matcher> Matcher::make(const MatcherOptions& options) {
  TWINSIFT_TRY([[maybe_unused]] auto checked, check(options));
  TWINSIFT_TRY(const std::string sketch, sketch_for(options));
  TWINSIFT_TRY(SketchComparison comparison, SketchComparison::make({.threshold = options.threshold,
                                                                    .recall = options.recall,
                                                                    .sketch = sketch,
                                                                    .filter = options.filter,
                                                                    .weighted = options.weighted}));
  SketchPlan plan{comparison.sketcher().k(), comparison.banding().value_or(BandingPlan{})};
  if (!comparison.banding()) {
    TWINSIFT_TRY(plan.banding, plan_bands(options, banding_recall(options.recall), plan.k));
  }
  if (plan.k < 64) {
    return Error{ErrorCode::kInvalidArgument, "a sketch needs at least k=64 to be indexed"};
  }
  Matcher matcher(options, std::move(comparison));
  TWINSIFT_TRY(matcher.index_, make_index(fmt::format("banding1:b={},r={}", plan.banding.bands,
                                                      plan.banding.rows)));
  std::vector<std::uint32_t> looks;
  for (const Look& look : matcher.comparison_.early_stop().looks) looks.push_back(look.bins);
  matcher.sketches_ = std::make_unique<SketchTable>(looks);
  if (matcher.needs_keys()) matcher.keys_.resize(matcher.index_->tables());
  matcher.guarantee_ = guarantee_line(plan, options.threshold);
  matcher.found_ = plan.banding.found;
  matcher.caveats_ = caveats_of(matcher.comparison_.sketcher(), matcher.comparison_.filter());
  return matcher;
}

}  // namespace twinsift
