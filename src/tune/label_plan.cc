// SPDX-License-Identifier: Apache-2.0
#include "tune/label_plan.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/tails.h"

namespace twinsift {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

double agreement(std::uint32_t width, double s) { return s + (1 - s) * std::exp2(-1.0 * width); }

// P(one of the labels is equal).
double label_equal(const LabelShape& shape, double s) {
  const double one = std::pow(agreement(shape.width, s), shape.hashes);
  return -std::expm1(shape.labels * std::log1p(-one));
}

double sketch_passes(std::uint32_t least_agreeing, double s) {
  return least_agreeing == 0 ? 1 : binomial_at_least(kSketchBits, (1 + s) / 2, least_agreeing);
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

// The pairs below the similarity that pass the sketch.
std::vector<WeightedSimilarity> behind_sketch(std::span<const WeightedSimilarity> shares,
                                              double similarity, std::uint32_t least_agreeing) {
  std::vector<WeightedSimilarity> passed;
  for (const auto& [s, weight] : shares) {
    if (s < similarity) passed.push_back({s, weight * sketch_passes(least_agreeing, s)});
  }
  return passed;
}

// What the cost of labels depends on, apart from the labels.
struct Setting {
  const PondLoad& load;
  double hops = 0;
  const LabelChoice& choice;
  std::span<const WeightedSimilarity> shares;  // of all pairs
  std::span<const WeightedSimilarity> passed;  // of those below the similarity, behind the sketch
};

LabelPlan cost_in(const Setting& setting, LabelPlan plan) {
  const PondLoad& load = setting.load;
  double strangers = 0;
  for (const auto& [s, weight] : setting.passed) strangers += weight * label_equal(plan.shape, s);
  strangers *= load.peers * load.resources_per_peer;
  CrowdedLabel more;
  if (setting.choice.bucket > 0) {
    const double bucket = setting.choice.bucket;
    const double crowd = setting.choice.crowd > 0 ? setting.choice.crowd : bucket;
    const double entries = 1 + entries_of_label(load, plan.shape, setting.shares);
    more = crowded_label(entries, bucket, crowd);
    plan.most_keys = 1 + 2 * entries / crowd;
  }
  plan.keys = 1 + more.keys;
  plan.publish = plan.shape.labels * (setting.hops + 1) * (1 + more.depth);
  plan.search = plan.shape.labels * (setting.hops + 2) * (1 + more.keys) +
                2 * load.duplicates_per_search + setting.choice.stranger * strangers;
  plan.messages = load.peers * load.resources_per_peer * plan.publish + load.searches * plan.search;
  return plan;
}

// Takes the best plan of one width and threshold, if it is better.
void improve(const Setting& setting, const PondGoal& goal, LabelPlan candidate, LabelPlan& best) {
  const double promise = goal.recall / sketch_passes(candidate.least_agreeing, goal.similarity);
  for (std::uint32_t labels = 1; promise < 1 && labels <= kMaxTables; ++labels) {
    if (certain_messages(setting.load, setting.hops, labels) >= best.messages) break;
    candidate.shape.labels = labels;
    candidate.shape.hashes = most_hashes(candidate.shape.width, goal.similarity, promise, labels);
    if (candidate.shape.hashes == 0) continue;
    const LabelPlan plan = cost_in(setting, candidate);
    if (plan.messages < best.messages) best = plan;
    if (plan.shape.hashes == kMaxHashes) break;  // from here on more labels only find more
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
  const double f = agreement(width, s);
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
    equal += weight * std::pow(agreement(shape.width, s), shape.hashes);
  }
  return load.peers * load.resources_per_peer * equal;
}

LabelPlan cost_of_labels(const PondLoad& load, const LabelChoice& choice, double similarity,
                         std::span<const WeightedSimilarity> shares, LabelPlan plan) {
  const auto passed = behind_sketch(shares, similarity, plan.least_agreeing);
  plan = cost_in({load, hops_of(load, choice), choice, shares, passed}, plan);
  plan.found = label_found(plan.shape, plan.least_agreeing, similarity);
  return plan;
}

Result<LabelPlan> choose_label_plan(const PondLoad& load, const PondGoal& goal,
                                    std::span<const WeightedSimilarity> similarities,
                                    const LabelChoice& choice) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check_pond(load, goal, similarities));
  const std::vector<WeightedSimilarity> shares = normalised_similarities(similarities);
  const double hops = hops_of(load, choice);
  LabelPlan best{.messages = kInfinite};
  for (const std::uint32_t t : thresholds(goal, choice.sketch)) {
    const auto passed = behind_sketch(shares, goal.similarity, t);
    const Setting setting{load, hops, choice, shares, passed};
    for (const std::uint32_t width : choice.widths) {
      improve(setting, goal, {.shape = {.width = width}, .least_agreeing = t}, best);
    }
  }
  if (best.messages == kInfinite) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} labels do not find pairs at {} with probability {}", kMaxTables,
                             goal.similarity, goal.recall)};
  }
  best.found = label_found(best.shape, best.least_agreeing, goal.similarity);
  return best;
}

}  // namespace twinsift
