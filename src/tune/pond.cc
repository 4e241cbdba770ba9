// SPDX-License-Identifier: Apache-2.0
#include "tune/pond.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace twinsift {
namespace {

constexpr std::size_t kMostBins = 1000;

// All of C but the false candidates: rises with the number of labels.
double certain_messages(const PondLoad& load, std::uint32_t labels) {
  const double hops = std::log2(load.peers);
  return publishing_messages(load, labels) +
         load.searches * (labels * (hops + 2) + 2 * load.duplicates_per_search);
}

// `shares` are normalised.
PondPlan plan_of(const PondLoad& load, const PondGoal& goal,
                 std::span<const WeightedSimilarity> shares, std::uint32_t labels) {
  const std::uint32_t bits = most_label_bits(goal.similarity, goal.recall, labels);
  if (bits == 0) return {.labels = labels};
  return {labels, bits, label_probability(goal.similarity, bits, labels),
          pond_messages(load, goal.similarity, shares, bits, labels)};
}

Error bad(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

}  // namespace

std::vector<WeightedSimilarity> normalised_similarities(
    std::span<const WeightedSimilarity> similarities) {
  double sum = 0;
  for (const WeightedSimilarity& bin : similarities) sum += bin.weight;
  std::vector<WeightedSimilarity> shares(similarities.begin(), similarities.end());
  for (WeightedSimilarity& bin : shares) bin.weight /= sum;
  return shares;
}

Status check_pond(const PondLoad& load, const PondGoal& goal,
                  std::span<const WeightedSimilarity> similarities) {
  if (!(goal.similarity > 0 && goal.similarity <= 1)) {
    return bad(fmt::format("the least similarity is {}, but it must be above 0 and at most 1",
                           goal.similarity));
  }
  if (!(goal.recall > 0 && goal.recall < 1)) {
    return bad(fmt::format("the recall is {}, but it must be above 0 and below 1", goal.recall));
  }
  constexpr double kMost = 1e15;  // so that products of these stay finite
  const auto amount = [](double x, double least) { return x >= least && x <= kMost; };
  if (!amount(load.peers, 1) || !amount(load.resources_per_peer, 0) || !amount(load.searches, 0) ||
      !amount(load.duplicates_per_search, 0)) {
    return bad("the load needs at least one peer, and amounts from 0 to 1e15");
  }
  double sum = 0;
  for (const auto& [s, weight] : similarities) {
    if (!(s >= 0 && s <= 1) || !amount(weight, 0)) {
      return bad(fmt::format("a similarity of {} with weight {} makes no sense", s, weight));
    }
    sum += weight;
  }
  if (similarities.size() > kMostBins || sum <= 0) {
    return bad(fmt::format("a histogram of similarities needs 1 to {} bins and a weight above 0",
                           kMostBins));
  }
  return ok();
}

double label_probability(double s, std::uint32_t bits, std::uint32_t labels) {
  assert(s >= 0 && s <= 1 && bits > 0 && labels > 0);
  return -std::expm1(labels * std::log1p(-std::pow((1 + s) / 2, bits)));
}

double label_bits_bound(double s, double p, std::uint32_t labels) {
  assert(s > 0 && s <= 1 && p > 0 && p < 1 && labels > 0);
  if (s == 1) return std::numeric_limits<double>::infinity();
  return std::log(-std::expm1(std::log1p(-p) / labels)) / std::log1p((s - 1) / 2);
}

std::uint32_t most_label_bits(double s, double p, std::uint32_t labels) {
  // The quotient may err by a rounding on either side of a whole number.
  const double bound = std::floor(label_bits_bound(s, p, labels)) + 1;
  auto bits = static_cast<std::uint32_t>(std::clamp(bound, 0.0, double{kMaxLabelBits}));
  while (bits > 0 && label_probability(s, bits, labels) < p) --bits;
  return bits;
}

double publishing_messages(const PondLoad& load, std::uint32_t labels) {
  return load.peers * load.resources_per_peer * labels * (std::log2(load.peers) + 1);
}

double pond_messages(const PondLoad& load, double similarity,
                     std::span<const WeightedSimilarity> similarities, std::uint32_t bits,
                     std::uint32_t labels) {
  double found = 0;
  for (const auto& [s, weight] : similarities) {
    if (s < similarity) found += weight * label_probability(s, bits, labels);
  }
  return certain_messages(load, labels) +
         load.searches * load.peers * load.resources_per_peer * found;
}

std::vector<WeightedSimilarity> zipf_similarities(double exponent, std::uint32_t bins) {
  assert(bins > 0);
  std::vector<WeightedSimilarity> law;
  for (std::uint32_t i = 1; i <= bins; ++i) {
    law.push_back({(i - 0.5) / bins, std::pow(i, -exponent)});
  }
  return normalised_similarities(law);
}

PondPlan plan_labels(const PondLoad& load, const PondGoal& goal,
                     std::span<const WeightedSimilarity> similarities, std::uint32_t labels) {
  assert(labels > 0 && labels <= kMaxLabels);
  return plan_of(load, goal, normalised_similarities(similarities), labels);
}

Result<PondPlan> choose_labels(const PondLoad& load, const PondGoal& goal,
                               std::span<const WeightedSimilarity> similarities) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check_pond(load, goal, similarities));
  const std::vector<WeightedSimilarity> shares = normalised_similarities(similarities);
  PondPlan best{
      .labels = 0, .bits = 0, .found = 0, .messages = std::numeric_limits<double>::infinity()};
  for (std::uint32_t labels = 1; labels <= kMaxLabels; ++labels) {
    if (certain_messages(load, labels) >= best.messages) break;
    const PondPlan plan = plan_of(load, goal, shares, labels);
    if (plan.bits == 0) continue;
    if (plan.messages < best.messages) best = plan;
    if (plan.bits == kMaxLabelBits) break;  // from here on more labels only find more
  }
  if (best.labels == 0) {
    return bad(fmt::format("{} labels do not find pairs at {} with probability {}", kMaxLabels,
                           goal.similarity, goal.recall));
  }
  return best;
}

}  // namespace twinsift
