// SPDX-License-Identifier: Apache-2.0
#include "store/shelf.h"

#include <algorithm>

#include <fmt/format.h>

#include "index/banding.h"
#include "sketch/table.h"
#include "tune/tune.h"

namespace twinsift {
namespace {

constexpr double kThreshold = 0.8;
constexpr double kRecall = 0.99;

// Keys take 8 bytes for each table and row on disk, so that the number of tables does not grow
// with k: bands are made of the first components alone.
constexpr std::uint32_t kMostBanded = 256;

constexpr std::uint32_t kFirstLook = 64;  // what the loops of a search are made for

}  // namespace

Result<ShelfSpec> make_shelf_spec(DetectorId detector, std::string_view sketch) {
  std::string spec(sketch.empty() ? "fss1" : sketch);
  if (spec.find("k=") == std::string::npos) {
    spec +=
        fmt::format("{}k={}", spec.find(':') == std::string::npos ? ":" : ",", kShelfComponents);
  }
  TWINSIFT_TRY(const auto sketcher, make_sketcher(spec));
  const std::uint32_t k = sketcher->k();
  TWINSIFT_TRY(const BandingPlan banding,
               choose_banding(kThreshold, kRecall + kEarlyStopLoss, std::min(k, kMostBanded)));
  ShelfSpec shelf{.detector = detector,
                  .sketch = sketcher->spec(),
                  .index = fmt::format("banding1:b={},r={}", banding.bands, banding.rows),
                  .looks = doubling_looks(k)};
  TWINSIFT_TRY([[maybe_unused]] const auto made, Shelf::make(shelf));
  return shelf;
}

Result<std::unique_ptr<Shelf>> Shelf::make(const ShelfSpec& spec) {
  const auto bad = [&](std::string_view why) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("a collection cannot use {}: {}", spec.sketch, why)};
  };
  auto shelf = std::make_unique<Shelf>(Key{});
  shelf->spec_ = spec;
  TWINSIFT_TRY(shelf->sketcher_, make_sketcher(spec.sketch));
  TWINSIFT_TRY(shelf->index_, make_index(spec.index));
  const std::uint32_t k = shelf->sketcher_->k();
  if (!shelf->sketcher_->bounded_variance()) {
    return bad("its components vary more than independent ones, so that no recall can be promised");
  }
  if (k < kFirstLook || k > kMaxSketchSize) {
    return bad(fmt::format("it needs {} to {} components", kFirstLook, kMaxSketchSize));
  }
  if (spec.looks.empty() || spec.looks.front() != kFirstLook || spec.looks.back() != k) {
    return bad("its planes do not fit");
  }
  const auto* banding = dynamic_cast<const BandingIndex*>(shelf->index_.get());
  if (banding != nullptr && std::uint64_t{banding->tables()} * banding->rows() > k) {
    return bad(fmt::format("it has fewer components than {} needs", spec.index));
  }
  return shelf;
}

Signature Shelf::sign(SetView set) const {
  thread_local Sketch sketch;
  Signature signature{.codes = std::vector<std::uint8_t>(sketcher_->k()),
                      .keys = std::vector<std::uint32_t>(index_->tables())};
  twinsift::sign(*sketcher_, *index_, set, sketch, signature.codes, signature.keys);
  return signature;
}

double Shelf::found_in_buckets(double threshold) const {
  const auto* banding = dynamic_cast<const BandingIndex*>(index_.get());
  if (banding == nullptr) return index_->found(threshold);
  return banding_guarantee(threshold, sketcher_->k(), banding->tables(), banding->rows());
}

Result<std::shared_ptr<const SearchPlan>> Shelf::plan(double threshold) const {
  if (!(threshold > 0 && threshold <= 1)) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("the threshold is {}, but it must be above 0 and at most 1", threshold)};
  }
  const std::scoped_lock lock(mutex_);
  if (const auto known = plans_.find(threshold); known != plans_.end()) return known->second;
  // The filter gs1, with a look at the end of every plane.
  GroupSequentialOptions early_stop{
      .k = sketcher_->k(),
      .threshold_permille = static_cast<std::uint32_t>(threshold * 1000),
      .looks = spec_.looks,
      .alpha_reject = kEarlyStopLoss,
      .alpha_accept = kEarlyStopLoss,
      .code_bits = 8,
      .bound_last = true};
  early_stop.looks.pop_back();  // the last is understood
  SearchPlan plan{.threshold = threshold, .early_stop = group_sequential_true(early_stop)};
  plan.found_in_buckets = std::max(0.0, found_in_buckets(threshold) - kEarlyStopLoss);
  plan.found_by_scan = 1 - kEarlyStopLoss;
  constexpr std::size_t kMostPlans = 64;
  if (plans_.size() == kMostPlans) plans_.clear();
  return plans_.emplace(threshold, std::make_shared<const SearchPlan>(std::move(plan)))
      .first->second;
}

}  // namespace twinsift
