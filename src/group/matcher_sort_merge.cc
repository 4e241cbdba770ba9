// SPDX-License-Identifier: Apache-2.0
// Candidates by sort and merge of what is at hand: features if they are stored, else the components
// of sketches, each with its place, so that only equal components of equal places meet.
//
// Whatever two documents share is counted, except in values that too many share.  What of a
// document was left out bounds what the counts can lack: a pair at the threshold T has at least T
// of all that either of its documents weighs in common, so only documents of which as much was left
// out can miss each other.  They are told of.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/parallel.h"
#include "base/tails.h"
#include "group/matcher.h"
#include "group/sort_merge.h"
#include "index/pair_list.h"
#include "tune/tune.h"

namespace twinsift {
namespace {

constexpr double kRounding = 1e-9;      // sums of weights may differ by so much
constexpr std::uint32_t kBlock = 4096;  // items between two looks at memory and progress

// A larger buffer would take seconds to sort, in which nothing can be stopped, and 256 runs of this
// size are merged at once.
constexpr std::uint64_t kMostMemory = std::uint64_t{512} << 20U;

double weight_of(SetView set) {
  if (set.weights.empty()) return static_cast<double>(set.ids.size());
  return std::accumulate(set.weights.begin(), set.weights.end(), 0.0);
}

// What those of the set's features weigh that are among `values`.  Both ascend.
double weight_among(SetView set, std::span<const std::uint64_t> values) {
  double weight = 0;
  auto at = values.begin();
  for (std::size_t i = 0; i < set.ids.size() && at != values.end(); ++i) {
    at = std::lower_bound(at, values.end(), set.ids[i]);
    if (at == values.end() || *at != set.ids[i]) continue;
    weight += set.weights.empty() ? 1 : set.weights[i];
  }
  return weight;
}

std::uint64_t value_of(std::uint64_t place, std::uint32_t component) {
  return place << 32U | component;
}

// A pair that agrees in more than so many components keeps one when so many are left out.  That it
// does has probability `recall` for both of the laws that bound how often sketches agree: no spread
// at all, and independent components.
double components_to_spare(std::uint32_t k, double threshold, double recall) {
  const auto mean = static_cast<std::uint32_t>(k * threshold + kRounding);
  std::uint32_t spare = 0;
  while (spare + 1 < mean && binomial_at_least(k, threshold, spare + 2) >= recall) ++spare;
  return spare;
}

// Rounded down, so that it stays true.
std::string probability_text(double probability) {
  if (probability == 1) return "= 1";
  return fmt::format(">= {}", std::floor(probability * 1e4 + kRounding) / 1e4);
}

}  // namespace

class Matcher::SortMergeJoin {
 public:
  SortMergeJoin(const Matcher& matcher, const Task& task, const Items& items)
      : matcher_(matcher),
        task_(task),
        items_(items),
        count_(static_cast<ItemId>(items.rows.size())),
        merge_({.max_items = matcher.options_.generator.max_items,
                .memory = std::min(matcher.spare_memory() / 8 * 3, kMostMemory),
                .temp_dir = matcher.options_.temp_dir,
                .stop = task.stop,
                .progress = task.progress}),
        pairs_(std::make_unique<PairList>(count_, matcher.spare_memory() / 8,
                                          matcher.options_.temp_dir)) {}

  Status run();
  void describe(Outcome& outcome) const;
  std::unique_ptr<PairList> pairs() { return std::move(pairs_); }

 private:
  [[nodiscard]] bool features() const { return matcher_.options_.store_features; }
  [[nodiscard]] SetView set(ItemId item) const { return matcher_.arena_.set(items_.rows[item]); }
  // Items go in backwards, so that for each of them all those before it come out together.
  Status add(std::uint64_t value, ItemId item) { return merge_.add(value, count_ - 1 - item); }
  Status add_features();
  Status add_components();
  void end_block(std::string_view stage, std::uint64_t done, std::uint64_t total) const;
  Status count_left_out();
  [[nodiscard]] double components_left_out(ItemId item) const;
  Status take(const Overlap& overlap);
  [[nodiscard]] bool may_match(ItemId a, ItemId b, std::uint64_t common) const;
  void mark_incomplete();

  const Matcher& matcher_;
  const Task& task_;
  const Items& items_;
  ItemId count_;
  SortMerge merge_;
  std::unique_ptr<PairList> pairs_;
  std::vector<double> left_;   // how much of each item was left out; empty: nothing
  std::uint64_t sharing_ = 0;  // pairs that share a value
  std::uint64_t unsure_ = 0;   // items that may have lost others
};

Status Matcher::SortMergeJoin::run() {
  TWINSIFT_TRY([[maybe_unused]] auto added, features() ? add_features() : add_components());
  TWINSIFT_TRY([[maybe_unused]] auto paired, merge_.pair_up());
  if (!merge_.common_values().empty()) {
    TWINSIFT_TRY([[maybe_unused]] auto counted, count_left_out());
    mark_incomplete();
  }
  TWINSIFT_TRY([[maybe_unused]] auto sorted,
               merge_.overlaps([this](const Overlap& overlap) { return take(overlap); }));
  pairs_->finish();
  return ok();
}

// What is on the disk leaves memory, and the caller is told.
void Matcher::SortMergeJoin::end_block(std::string_view stage, std::uint64_t done,
                                       std::uint64_t total) const {
  if (matcher_.spilled_) matcher_.release();
  if (task_.progress) task_.progress(stage, done, total);
}

Status Matcher::SortMergeJoin::add_features() {
  for (ItemId item = 0; item < count_; ++item) {
    for (const std::uint64_t id : set(item).ids) {
      TWINSIFT_TRY([[maybe_unused]] auto added, add(id, item));
    }
    if (item % kBlock == 0) end_block("sorting", item, count_);
  }
  return ok();
}

Status Matcher::SortMergeJoin::add_components() {
  for (std::size_t place = 0; place < matcher_.keys_.size(); ++place) {
    const SpillVector<std::uint32_t>& column = matcher_.keys_[place];
    for (ItemId item = 0; item < count_; ++item) {
      TWINSIFT_TRY([[maybe_unused]] auto added,
                   add(value_of(place, column[items_.rows[item]]), item));
    }
    end_block("sorting", place, matcher_.keys_.size());
  }
  return ok();
}

double Matcher::SortMergeJoin::components_left_out(ItemId item) const {
  const std::span<const std::uint64_t> values = merge_.common_values();
  double left = 0;
  for (std::size_t place = 0; place < matcher_.keys_.size(); ++place) {
    const std::uint64_t value = value_of(place, matcher_.keys_[place][items_.rows[item]]);
    if (std::ranges::binary_search(values, value)) ++left;
  }
  return left;
}

Status Matcher::SortMergeJoin::count_left_out() {
  left_.resize(count_);
  for (ItemId begin = 0; begin < count_; begin += std::min(kBlock, count_ - begin)) {
    const auto count = [&](std::size_t i, unsigned /*worker*/) {
      const auto item = static_cast<ItemId>(begin + i);
      left_[item] =
          features() ? weight_among(set(item), merge_.common_values()) : components_left_out(item);
    };
    parallel_for(std::min(kBlock, count_ - begin), matcher_.options_.threads, task_.stop, count);
    if (task_.stop.stop_requested()) return cancelled_error();
    end_block("sorting", begin, count_);
  }
  return ok();
}

// Items that lost so much that a pair at the threshold may have nothing left to meet by.
void Matcher::SortMergeJoin::mark_incomplete() {
  const MatcherOptions& options = matcher_.options_;
  const double spare = components_to_spare(matcher_.comparison_.sketcher().k(), options.threshold,
                                           options.recall + kEarlyStopLoss);
  for (ItemId item = 0; item < count_; ++item) {
    const bool sure = features()
                          ? left_[item] < options.threshold * weight_of(set(item)) - kRounding
                          : left_[item] <= spare;
    if (sure) continue;
    pairs_->mark_incomplete(item);
    ++unsure_;
  }
}

// Unweighted features are counted: most pairs end here.
bool Matcher::SortMergeJoin::may_match(ItemId a, ItemId b, std::uint64_t common) const {
  if (!matcher_.counts_exactly()) return true;
  const double left = left_.empty() ? 0 : std::min(left_[a], left_[b]);
  const double shared = static_cast<double>(common) + left;
  const double whole = weight_of(set(a)) + weight_of(set(b)) - shared;
  return shared >= matcher_.options_.threshold * whole - kRounding;
}

Status Matcher::SortMergeJoin::take(const Overlap& overlap) {
  ++sharing_;
  const ItemId item = count_ - 1 - overlap.a;
  const ItemId earlier = count_ - 1 - overlap.b;
  // References are not compared with one another, nor others where only references count.
  if (item < items_.references) return ok();
  if (task_.references_only && earlier >= items_.references) return ok();
  if (!may_match(earlier, item, overlap.common)) return ok();
  return pairs_->add(item, earlier);
}

void Matcher::SortMergeJoin::describe(Outcome& outcome) const {
  const MatcherOptions& options = matcher_.options_;
  const bool sketched = !matcher_.counts_exactly();
  const std::size_t left_out = merge_.common_values().size();
  double found = features() ? 1 : left_out == 0 ? matcher_.found_ : options.recall + kEarlyStopLoss;
  if (sketched && matcher_.comparison_.early_stop().spec != "none") found -= kEarlyStopLoss;
  outcome.guarantee = fmt::format("{}, P(found at {}) {}",
                                  !sketched    ? "exact sort-merge join"
                                  : features() ? "sort-merge of features"
                                               : fmt::format("k={}, sort-merge of components",
                                                             matcher_.comparison_.sketcher().k()),
                                  threshold_text(options.threshold), probability_text(found));
  if (left_out > 0) {
    outcome.guarantee += fmt::format(
        " but for {} documents: {} of {} values were left out, for more than {} documents share "
        "each",
        unsure_, left_out, merge_.values(), options.generator.max_items);
  }
  outcome.specs = {generator_spec(options.generator)};
  if (sketched) {
    outcome.guarantee += matcher_.caveats_;
    outcome.specs = {matcher_.comparison_.sketcher().spec(), outcome.specs.front(),
                     matcher_.comparison_.early_stop().spec};
  }
  outcome.index_counts = {
      {"values", merge_.values()}, {"values_left_out", left_out}, {"sharing_pairs", sharing_}};
}

Result<std::unique_ptr<CandidateSource>> Matcher::sort_and_merge(const Task& task,
                                                                 const Items& items,
                                                                 Outcome& outcome) const {
  SortMergeJoin join(*this, task, items);
  TWINSIFT_TRY([[maybe_unused]] auto done, join.run());
  join.describe(outcome);
  return std::unique_ptr<CandidateSource>(join.pairs());
}

}  // namespace twinsift
