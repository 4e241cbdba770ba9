// SPDX-License-Identifier: Apache-2.0
// Labels of any width, with or without a sketch in the value: those that keep a promise at the
// least messages.
//
// As tune/pond.h, which plans the paper's labels, with three things more.  A hash of b bits agrees
// with f(s) = s + (1 - s) 2^-b, so b is chosen, too.  A sketch of 1,024 bits stands beside each
// label, one of four by its table, and a stranger is asked only if at least t_c bits of the c
// sketches in which it was met agree, which follow from t = t_1 (tune/strangers.h): then a pair is
// found with at least
//     pr(s) = (1 - (1 - f(s)^k)^l) P(Bin(1024, (1 + s) / 2) >= t),     s >= s_min,
// which must be at least p at s_min, and a stranger of similarity x is asked with
//     a(x) = sum over c of P(c sketches are met) P(Bin(1024 c, (1 + x) / 2) >= t_c).
// And a lookup takes H hops, which differ from network to network:
//     C = T l (H + 1) + y (l (H + 2) + 2 |ND| + m T sum over x < s_min of p(x) a(x)),   T = N avg,
// where a stranger that is asked costs m messages: 1 in the paper, which sends it the question and
// hears nothing, 2 where it is asked and answers, as our peers do.
// For each b, l and k the largest t that keeps the promise is best, and of those with the same t
// the most hashes; all but the last term grow with l, so the search ends as in tune/pond.h.
//
// The paper takes a label for one lookup, however many resources have it.  With a sketch that would
// make the shortest labels best, since strangers cost nothing but the place they take.  Where a key
// has room for B entries, a label of M resources is a binary tree of keys (net/crowd.h), whose 2^j
// keys of depth j are full from (2^(j+1) - 1) B entries on.  A search looks up both keys below each
// that has A entries or more (A <= B: peers look before a key is full), a publication goes down to
// the first with room.  Of M the planner knows the mean over all resources,
//     n = 1 + T sum of p(x) f(x)^k,
// and nothing else: so it takes for M the distribution of that mean that assumes the least, the
// exponential one, by which
//     E[more keys of a search]  = sum over j >= 0 of 2^(j+1) exp(-((2^j - 1) B + 2^j A) / n),
//     E[depth of a publication] < sum over j >= 1 of exp(-(2^j - 1) B / n).
// The most that labels of that mean can take, if all of them that are not one key are as large as
// is worst, is 2 n / A more keys; real labels are between (paper_004 counts both).
//
// Papers:  [POND] sec. V.
// Differs: one bit for each min-hash is the paper's; everything else is ours.
// Cost:    for each width and number of labels, the numbers of hashes that differ in their
//          threshold; of those that are not too dear without strangers, a power and two
//          exponentials for each bin.  Milliseconds; a law of 1,000 bins takes some tens of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sketch/labels.h"
#include "tune/pond.h"
#include "tune/strangers.h"

namespace twinsift {

struct LabelPlan {
  LabelShape shape{};
  std::uint32_t least_agreeing = 0;  // bits of one sketch, t_1; 0: there is none
  double found = 0;                  // pr(s_min)
  double messages = 0;               // C
  double publish = 0;                // messages for one resource in a period
  double search = 0;                 // messages for one search
  double keys = 1;                   // that a search looks up for a label, on average
  double most_keys = 1;              // likewise, whatever the sizes of labels: 1 + 2 n / A
};

struct LabelChoice {
  std::vector<std::uint32_t> widths = {1, 2, 4, 8, 16, 64};  // b
  bool sketch = true;
  double hops = 0;      // H of a lookup; 0: (log2 N) / 2, which Chord takes on average
  double bucket = 0;    // B, entries that one lookup brings; 0: any number
  double crowd = 0;     // A, from which on a search looks further; 0: B
  double stranger = 1;  // m, messages for a stranger that passes the sketch
};

// The paper's labels: one bit for each min-hash, no sketch, any number of entries under a key, and
// a stranger is sent the question.
inline const LabelChoice kPaperLabels{.widths = {1}, .sketch = false};

// pr(s): exact if all pairs met in one sketch, and from the network's least similarity on not more
// than what is found by several, which asked_share() has exactly.  Requires: 0 <= s <= 1.
TWINSIFT_EXPORT double label_found(const LabelShape& shape, std::uint32_t least_agreeing, double s);

// The most hashes, up to kMaxHashes, with which labels of this width are equal in one of so many
// tables with probability p at similarity s; 0 if there are none.  Requires: 0 < s <= 1, 0 < p < 1.
std::uint32_t most_hashes(std::uint32_t width, double s, double p, std::uint32_t labels);

// What a label of so many entries takes, on average over labels as described above.
struct CrowdedLabel {
  double keys = 0;   // more than one, that a search looks up
  double depth = 0;  // below its first key, at which an entry is: not more than this
};
// Requires: entries > 0, 0 < crowd <= bucket.
TWINSIFT_EXPORT CrowdedLabel crowded_label(double entries, double bucket, double crowd);

// How many others are under one label of a resource, on average.  Weights are shares of all pairs.
TWINSIFT_EXPORT double entries_of_label(const PondLoad& load, const LabelShape& shape,
                                        std::span<const WeightedSimilarity> shares);

// What a plan costs; what it promises is not looked at.  Weights are shares of all pairs.  The
// strangers are those of the plan's threshold: whoever tries many shapes makes them once, and has
// `found` left as it is.
TWINSIFT_EXPORT LabelPlan cost_of_labels(const PondLoad& load, const LabelChoice& choice,
                                         const Strangers& strangers,
                                         std::span<const WeightedSimilarity> shares,
                                         LabelPlan plan);
TWINSIFT_EXPORT LabelPlan cost_of_labels(const PondLoad& load, const LabelChoice& choice,
                                         double similarity,
                                         std::span<const WeightedSimilarity> shares,
                                         LabelPlan plan);

// The plan with the fewest messages.  kInvalidArgument as choose_labels.
TWINSIFT_EXPORT Result<LabelPlan> choose_label_plan(
    const PondLoad& load, const PondGoal& goal, std::span<const WeightedSimilarity> similarities,
    const LabelChoice& choice);

}  // namespace twinsift
