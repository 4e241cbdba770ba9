// SPDX-License-Identifier: Apache-2.0
#include "tune/label_plan.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/tails.h"

namespace twinsift {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// P(enough bits of one sketch agree).
double sketch_passes(std::uint32_t least_agreeing, double s) {
  return binomial_at_least(kSketchBits, (1 + s) / 2, least_agreeing);
}

double hops_of(const PondLoad& load, const LabelChoice& choice) {
  return choice.hops > 0 ? choice.hops : std::log2(load.peers) / 2;
}

// All of C but the false candidates.
double certain_messages(const PondLoad& load, double hops, std::uint32_t labels) {
  return load.peers * load.resources_per_peer * labels * (hops + 1) +
         load.searches * (labels * (hops + 2) + 2 * load.duplicates_per_search);
}

// Thresholds of the sketch that leave room for labels: those that lose less than the promise
// allows, and more than nothing, since lower ones keep fewer out at the same promise.
std::vector<std::uint32_t> thresholds(const PondGoal& goal, bool sketch) {
  if (!sketch) return {0};
  std::vector<std::uint32_t> kept;
  for (std::uint32_t t = kSketchBits / 2; t <= kSketchBits; ++t) {
    const double lost = 1 - sketch_passes(t, goal.similarity);
    if (lost >= 1e-9 && lost < 1 - goal.recall) kept.push_back(t);
  }
  if (kept.empty()) kept.push_back(kSketchBits);  // only equal sets are wanted
  return kept;
}

// What the cost of labels depends on, apart from the labels.
struct Setting {
  const PondLoad& load;
  const LabelChoice& choice;
  double hops = 0;
  std::span<const WeightedSimilarity> shares;  // of all pairs
};

// All but the strangers, where so many others are under one label.
LabelPlan cost_of_lookups(const Setting& setting, double others, LabelPlan plan) {
  const PondLoad& load = setting.load;
  CrowdedLabel more;
  if (setting.choice.bucket > 0) {
    const double bucket = setting.choice.bucket;
    const double crowd = setting.choice.crowd > 0 ? setting.choice.crowd : bucket;
    more = crowded_label(1 + others, bucket, crowd);
    plan.most_keys = 1 + 2 * (1 + others) / crowd;
  }
  plan.keys = 1 + more.keys;
  plan.publish = plan.shape.labels * (setting.hops + 1) * (1 + more.depth);
  plan.search =
      plan.shape.labels * (setting.hops + 2) * (1 + more.keys) + 2 * load.duplicates_per_search;
  plan.messages = load.peers * load.resources_per_peer * plan.publish + load.searches * plan.search;
  return plan;
}

void add_strangers(const Setting& setting, const Strangers& strangers, LabelPlan& plan) {
  const PondLoad& load = setting.load;
  const double asked =
      load.peers * load.resources_per_peer * strangers.asked(plan.shape) * setting.choice.stranger;
  plan.search += asked;
  plan.messages += load.searches * asked;
}

// entries_of_label() of each number of hashes, without a power for each.
std::vector<double> others_under_labels(const Setting& setting, std::uint32_t width) {
  std::vector<double> others(kMaxHashes + 1);
  for (const auto& [s, weight] : setting.shares) {
    const double f = hash_agreement(width, s);
    double equal = setting.load.peers * setting.load.resources_per_peer * weight;
    for (double& all : others) {
      all += equal;
      equal *= f;
    }
  }
  return others;
}

// The search for the best plan.
class Search {
 public:
  Search(const Setting& setting, const PondGoal& goal)
      : setting_(setting), goal_(goal), thresholds_(thresholds(goal, setting.choice.sketch)) {
    for (const std::uint32_t t : thresholds_) passes_.push_back(sketch_passes(t, goal.similarity));
    strangers_.resize(thresholds_.size());
  }

  void try_width(std::uint32_t width);
  [[nodiscard]] const LabelPlan& best() const { return best_; }

 private:
  // Of labels of a shape, how many thresholds keep the promise, of which the first `kept` are known
  // to.
  [[nodiscard]] std::size_t keep_promise(const LabelShape& shape, std::size_t kept) const;
  // Whether there is any use in more labels.
  bool try_labels(std::uint32_t width, std::uint32_t labels, std::span<const double> others);
  void improve(LabelPlan plan, std::size_t threshold, double others);

  const Setting& setting_;
  const PondGoal& goal_;
  const std::vector<std::uint32_t> thresholds_;
  std::vector<double> passes_;                       // at the least similarity, by threshold
  std::vector<std::optional<Strangers>> strangers_;  // by threshold, where they were needed
  LabelPlan best_{.messages = kInfinite};
};

std::size_t Search::keep_promise(const LabelShape& shape, std::size_t kept) const {
  const double equal = label_equal(shape, goal_.similarity);
  while (kept < passes_.size() && equal * passes_[kept] >= goal_.recall) ++kept;
  return kept;
}

void Search::improve(LabelPlan plan, std::size_t threshold, double others) {
  plan = cost_of_lookups(setting_, others, plan);
  if (plan.messages >= best_.messages) return;  // whatever its strangers are
  std::optional<Strangers>& strangers = strangers_[threshold];
  plan.least_agreeing = thresholds_[threshold];
  if (!strangers) strangers.emplace(setting_.shares, goal_.similarity, plan.least_agreeing);
  add_strangers(setting_, *strangers, plan);
  if (plan.messages < best_.messages) best_ = plan;
}

bool Search::try_labels(std::uint32_t width, std::uint32_t labels, std::span<const double> others) {
  const double promise = goal_.recall / passes_.front();
  if (promise >= 1) return false;
  const std::uint32_t most = most_hashes(width, goal_.similarity, promise, labels);
  std::size_t kept = 0;
  for (std::uint32_t hashes = most; hashes > 0; --hashes) {
    const LabelShape shape{width, hashes, labels};
    const std::size_t before = std::exchange(kept, keep_promise(shape, kept));
    // With the same threshold longer labels are better.
    if (kept > before) improve({.shape = shape}, kept - 1, others[hashes]);
    if (kept == thresholds_.size()) return hashes < kMaxHashes;
  }
  return true;
}

void Search::try_width(std::uint32_t width) {
  const std::vector<double> others = others_under_labels(setting_, width);
  for (std::uint32_t labels = 1; labels <= kMaxTables; ++labels) {
    if (certain_messages(setting_.load, setting_.hops, labels) >= best_.messages) return;
    if (!try_labels(width, labels, others)) return;
  }
}

}  // namespace

double label_found(const LabelShape& shape, std::uint32_t least_agreeing, double s) {
  assert(s >= 0 && s <= 1);
  return label_equal(shape, s) * sketch_passes(least_agreeing, s);
}

std::uint32_t most_hashes(std::uint32_t width, double s, double p, std::uint32_t labels) {
  assert(s > 0 && s <= 1 && p > 0 && p < 1 && labels > 0);
  const double needed = -std::expm1(std::log1p(-p) / labels);  // P(one label is equal)
  const double f = hash_agreement(width, s);
  const double bound = f >= 1 ? kMaxHashes : std::floor(std::log(needed) / std::log(f)) + 1;
  auto hashes = static_cast<std::uint32_t>(std::clamp(bound, 0.0, double{kMaxHashes}));
  while (hashes > 0 && label_equal({width, hashes, labels}, s) < p) --hashes;
  return hashes;
}

CrowdedLabel crowded_label(double entries, double bucket, double crowd) {
  assert(entries > 0 && crowd > 0 && crowd <= bucket);
  CrowdedLabel label;
  // Each term is at most a power of the one before it, but for the factor 2.
  for (double wide = 1;; wide *= 2) {
    const double keys = 2 * wide * std::exp(-((wide - 1) * bucket + wide * crowd) / entries);
    label.keys += keys;
    if (wide > 1) label.depth += std::exp(-(wide - 1) * bucket / entries);
    if (wide * crowd > entries && keys <= 1e-12 * label.keys + 1e-300) return label;
  }
}

double entries_of_label(const PondLoad& load, const LabelShape& shape,
                        std::span<const WeightedSimilarity> shares) {
  double equal = 0;
  for (const auto& [s, weight] : shares) {
    equal += weight * std::pow(hash_agreement(shape.width, s), shape.hashes);
  }
  return load.peers * load.resources_per_peer * equal;
}

LabelPlan cost_of_labels(const PondLoad& load, const LabelChoice& choice,
                         const Strangers& strangers, std::span<const WeightedSimilarity> shares,
                         LabelPlan plan) {
  const Setting setting{load, choice, hops_of(load, choice), shares};
  plan = cost_of_lookups(setting, entries_of_label(load, plan.shape, shares), plan);
  add_strangers(setting, strangers, plan);
  return plan;
}

LabelPlan cost_of_labels(const PondLoad& load, const LabelChoice& choice, double similarity,
                         std::span<const WeightedSimilarity> shares, LabelPlan plan) {
  const Strangers strangers(shares, similarity, plan.least_agreeing);
  plan = cost_of_labels(load, choice, strangers, shares, plan);
  plan.found = label_found(plan.shape, plan.least_agreeing, similarity);
  return plan;
}

Result<LabelPlan> choose_label_plan(const PondLoad& load, const PondGoal& goal,
                                    std::span<const WeightedSimilarity> similarities,
                                    const LabelChoice& choice) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check_pond(load, goal, similarities));
  const std::vector<WeightedSimilarity> shares = normalised_similarities(similarities);
  const Setting setting{load, choice, hops_of(load, choice), shares};
  Search search(setting, goal);
  for (const std::uint32_t width : choice.widths) search.try_width(width);
  LabelPlan best = search.best();
  if (best.messages == kInfinite) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} labels do not find pairs at {} with probability {}", kMaxTables,
                             goal.similarity, goal.recall)};
  }
  best.found = label_found(best.shape, best.least_agreeing, goal.similarity);
  return best;
}

}  // namespace twinsift
