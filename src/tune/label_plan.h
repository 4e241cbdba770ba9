// SPDX-License-Identifier: Apache-2.0
// Labels of any width, with or without a sketch in the value: those that keep a promise at the
// least messages.
//
// As tune/pond.h, which plans the paper's labels, with three things more.  A hash of b bits agrees
// with f(s) = s + (1 - s) 2^-b, so b is chosen, too.  A sketch of 256 bits stands beside each
// label, and a stranger is asked only if at least t of its bits agree: then a pair is found with
//     pr(s) = (1 - (1 - f(s)^k)^l) P(Bin(256, (1 + s) / 2) >= t),
// which must be at least p at s_min, and the false candidates shrink by the second factor.  And a
// lookup takes H hops, which differ from network to network:
//     C = T l (H + 1) + y (l (H + 2) + 2 |ND| + T sum over x < s_min of p(x) pr(x)),   T = N avg.
// For each b, t and l the most hashes that keep the promise are best; all but the last term grow
// with l, so the search ends as in tune/pond.h.
//
// The paper takes a label for one lookup, however many resources have it.  With a sketch that would
// make the shortest labels best, since strangers cost nothing but the place they take.  Where a key
// answers with at most B entries, a label of n resources,
//     n = T sum of p(x) f(x)^k,
// is a tree of 2 n / B more keys, all of which a search looks up, and whose depth a publication
// does.  (That is a bound: a label with fewer than B resources is one key.)
//
// Papers:  [POND] sec. V.
// Differs: one bit for each min-hash is the paper's; everything else is ours.
// Cost:    one pow for each width, threshold, number of labels and bin: milliseconds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sketch/labels.h"
#include "tune/pond.h"

namespace twinsift {

struct LabelPlan {
  LabelShape shape{};
  std::uint32_t least_agreeing = 0;  // bits of the sketch, t; 0: there is no sketch
  double found = 0;                  // pr(s_min)
  double messages = 0;               // C
  double publish = 0;                // messages for one resource in a period
  double search = 0;                 // messages for one search
  double keys = 1;                   // that a label takes: 1 + 2 n / B
};

struct LabelChoice {
  std::vector<std::uint32_t> widths = {1, 2, 4, 8, 16, 64};  // b
  bool sketch = true;
  double hops = 0;    // H of a lookup; 0: (log2 N) / 2, which Chord takes on average
  double bucket = 0;  // B, entries that one lookup brings; 0: any number
};

// The paper's labels: one bit for each min-hash, no sketch, any number of entries under a key.
inline const LabelChoice kPaperLabels{.widths = {1}, .sketch = false};

// pr(s).  Requires: 0 <= s <= 1.
TWINSIFT_EXPORT double label_found(const LabelShape& shape, std::uint32_t least_agreeing, double s);

// The most hashes, up to kMaxHashes, with which labels of this width are equal in one of so many
// tables with probability p at similarity s; 0 if there are none.  Requires: 0 < s <= 1, 0 < p < 1.
std::uint32_t most_hashes(std::uint32_t width, double s, double p, std::uint32_t labels);

// How many others are under one label of a resource, on average.  Weights are shares of all pairs.
TWINSIFT_EXPORT double entries_of_label(const PondLoad& load, const LabelShape& shape,
                                        std::span<const WeightedSimilarity> shares);

// What a plan costs; what it promises is not looked at.  Weights are shares of all pairs.
TWINSIFT_EXPORT LabelPlan cost_of_labels(const PondLoad& load, const LabelChoice& choice,
                                         double similarity,
                                         std::span<const WeightedSimilarity> shares,
                                         LabelPlan plan);

// The plan with the fewest messages.  kInvalidArgument as choose_labels.
TWINSIFT_EXPORT Result<LabelPlan> choose_label_plan(
    const PondLoad& load, const PondGoal& goal, std::span<const WeightedSimilarity> similarities,
    const LabelChoice& choice);

}  // namespace twinsift
