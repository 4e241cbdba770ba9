// SPDX-License-Identifier: Apache-2.0
// Before the first document: which sketch, index and filter, and what they promise.
#include <cassert>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "group/matcher.h"
#include "sketch/weighted_sketch.h"
#include "tune/tune.h"
#include "verify/filter.h"

namespace twinsift {
namespace {

// Looks of the early stop: the first is one cache line, then each doubles.
std::vector<std::uint32_t> looks_for(std::uint32_t k) {
  std::vector<std::uint32_t> looks;
  for (std::uint32_t look = 64; look < k; look *= 2) looks.push_back(look);
  return looks;
}

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
  if (filter.kind == FilterKind::kGroupSequential) task.looks = looks_for(k);
  return make_filter(filter, task);
}

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

// Filters by groups need groups of equal size.
std::uint32_t whole_groups(const FilterOptions& filter, std::uint32_t k) {
  const bool grouped = filter.kind == FilterKind::kGoph || filter.kind == FilterKind::kHoph;
  return grouped ? (k + filter.groups - 1) / filter.groups * filter.groups : k;
}

Result<SketchPlan> choose_plan(const MatcherOptions& options, const FilterOptions& filter,
                               double recall) {
  SketchPlan plan;
  if (options.generator.kind == GeneratorKind::kSortMerge) {
    plan.k = fewest_components(options.threshold, recall);
  } else {
    TWINSIFT_TRY(plan, choose_sketch_size(options.threshold, recall, kLargestChosenSketch));
    if (whole_groups(filter, plan.k) == plan.k) return plan;
  }
  plan.k = whole_groups(filter, plan.k);
  TWINSIFT_TRY(plan.banding, plan_bands(options, recall, plan.k));
  return plan;
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
  Matcher matcher;
  matcher.options_ = options;
  SketchPlan plan;
  std::string spec = options.sketch;
  const double recall = options.recall + kEarlyStopLoss;
  TWINSIFT_TRY(const FilterOptions filter, parse_filter(options.filter));
  if (spec.find("k=") == std::string::npos) {
    TWINSIFT_TRY(plan, choose_plan(options, filter, recall));
    spec += fmt::format("{}k={}", spec.find(':') == std::string::npos ? ":" : ",", plan.k);
  }
  TWINSIFT_TRY(matcher.sketcher_, make_sketcher(spec));
  if (options.weighted && dynamic_cast<WeightedSketcher*>(matcher.sketcher_.get()) == nullptr) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} sketches sets without weights: use dart1, icws1 or cws1", spec)};
  }
  if (plan.k == 0) {
    plan.k = matcher.sketcher_->k();
    TWINSIFT_TRY(plan.banding, plan_bands(options, recall, plan.k));
  }
  if (plan.k < 64) {
    return Error{ErrorCode::kInvalidArgument, "a sketch needs at least k=64 to be indexed"};
  }
  TWINSIFT_TRY(matcher.index_, make_index(fmt::format("banding1:b={},r={}", plan.banding.bands,
                                                      plan.banding.rows)));
  TWINSIFT_TRY(matcher.early_stop_, make_early_stop(filter, options.threshold, plan.k));
  std::vector<std::uint32_t> looks;
  for (const Look& look : matcher.early_stop_.looks) looks.push_back(look.bins);
  matcher.sketches_ = std::make_unique<SketchTable>(looks);
  if (matcher.needs_keys()) matcher.keys_.resize(matcher.index_->tables());
  matcher.guarantee_ = guarantee_line(plan, options.threshold);
  matcher.found_ = plan.banding.found;
  matcher.caveats_ = caveats_of(*matcher.sketcher_, filter);
  return matcher;
}

}  // namespace twinsift
