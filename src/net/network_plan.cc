// SPDX-License-Identifier: Apache-2.0
#include "net/network_plan.h"

#include <algorithm>

#include "tune/label_plan.h"

namespace twinsift::net {
namespace {

// A network that nobody has asked anything yet would get labels that cost nothing to publish and
// meet everybody.
constexpr double kLeastSearches = 1;  // of a peer in a period
constexpr double kLeastResources = 1;

}  // namespace

Configuration plan_configuration(const PondGoal& goal, bool one_bit, const Configuration& present,
                                 double peers, std::span<const PeerReport> sample) {
  PondLoad load = estimate_load(peers, sample);
  load.resources_per_peer = std::max(load.resources_per_peer, kLeastResources);
  load.searches = std::max(load.searches, kLeastSearches * peers);
  Configuration planned = present;
  planned.load = load;
  std::vector<WeightedSimilarity> similarities = estimate_similarities(sample);
  if (similarities.empty()) similarities = zipf_similarities(3.5, 100);
  const LabelChoice choice = label_choice(one_bit);
  const Result<LabelPlan> best = choose_label_plan(load, goal, similarities, choice);
  if (!best || best->shape.labels > kMostLabels) return planned;
  const LabelPlan now =
      cost_of_labels(load, choice, goal.similarity, normalised_similarities(similarities),
                     {.shape = present.shape, .least_agreeing = present.least_agreeing});
  if (best->messages > now.messages * (1 - kWorthAChange)) return planned;
  planned.shape = best->shape;
  planned.least_agreeing = best->least_agreeing;
  return planned;
}

}  // namespace twinsift::net
