// SPDX-License-Identifier: Apache-2.0
// POND's choice of labels: how many tables l of k bits each keep a promise at the least messages.
//
// A resource is published in a distributed hash table under l labels.  A bit of a label is a hash
// of a MinHash, so two resources of similarity s share a bit with probability (1 + s) / 2, and one
// of the labels with (Lemma 4, Theorem 5)
//     pr(s) = 1 - (1 - ((1 + s) / 2)^k)^l.
// For pr(s_min) >= p a given l allows at most floor(k0) bits,
//     k0 = ln(1 - (1 - p)^(1/l)) / ln((1 + s_min) / 2),
// and as many bits as possible mean the fewest false candidates.  Messages per period:
//     C      = N avg l (log2 N + 1)                              publishing
//            + y (l (log2 N + 2) + 2 |ND| + E|FP|)                y searches
//     E|FP|  = N avg sum over x < s_min of p(x) pr(x).
// C(l) is a sawtooth, since k is whole.  All but y E|FP| grows with l: once that alone is no less
// than the best C, no larger l can be better.
//
// Papers:  [POND] near-duplicate search in a peer-to-peer network, sec. 4.
// Differs: the search is exact; the histogram of similarities is measured where there is one.
// Errata:  k0 prints .5 - 1/(2s), whose logarithm does not exist, for .5 + 1/(2s).  C(l) is called
//          convex and the search stops at its first rise, up to 13.8 times above the optimum.
// Cost:    one pow for each l that is tried and each bin of the histogram below s_min.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tune/similarity_law.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

inline constexpr std::uint32_t kMaxLabelBits = 256;
inline constexpr std::uint32_t kMaxLabels = 65536;

// pr(s).  Requires: 0 <= s <= 1, bits > 0, labels > 0.
double label_probability(double s, std::uint32_t bits, std::uint32_t labels);

// k0, which is infinite for s = 1.  Requires: 0 < s <= 1, 0 < p < 1, labels > 0.
double label_bits_bound(double s, double p, std::uint32_t labels);

// The most bits, up to kMaxLabelBits, with which pr(s) >= p; 0 if there are none.
std::uint32_t most_label_bits(double s, double p, std::uint32_t labels);

struct PondLoad {
  double peers = 0;                  // N, at least 1
  double resources_per_peer = 0;     // avg
  double searches = 0;               // y, per period in which everything is published once
  double duplicates_per_search = 0;  // |ND|
  friend bool operator==(const PondLoad&, const PondLoad&) = default;
};

struct PondGoal {
  double similarity = 0.8;  // s_min
  double recall = 0.9;      // p
};

struct PondPlan {
  std::uint32_t labels = 0;  // l
  std::uint32_t bits = 0;    // k
  double found = 0;          // pr(s_min)
  double messages = 0;       // C
};

// kInvalidArgument if a number makes no sense.
Status check_pond(const PondLoad& load, const PondGoal& goal,
                  std::span<const WeightedSimilarity> similarities);

// The measured weights as shares of all pairs.  Requires: they have passed check_pond().
TWINSIFT_EXPORT std::vector<WeightedSimilarity> normalised_similarities(
    std::span<const WeightedSimilarity> similarities);

// N avg l (log2 N + 1): what of C is for publishing.
TWINSIFT_EXPORT double publishing_messages(const PondLoad& load, std::uint32_t labels);

// C of any plan.  `similarities` are those of random pairs; those at or above `similarity` do not
// count.
double pond_messages(const PondLoad& load, double similarity,
                     std::span<const WeightedSimilarity> similarities, std::uint32_t bits,
                     std::uint32_t labels);

// Where nothing was measured: the i-th of `bins` equal intervals has i^-exponent of the pairs,
// normalised.  Requires: bins > 0.
TWINSIFT_EXPORT std::vector<WeightedSimilarity> zipf_similarities(double exponent,
                                                                  std::uint32_t bins);

// The plan with so many labels and as many bits as keep the promise; none if bits is 0.  Requires:
// choose_labels has accepted the same, 0 < labels <= kMaxLabels.
TWINSIFT_EXPORT PondPlan plan_labels(const PondLoad& load, const PondGoal& goal,
                                     std::span<const WeightedSimilarity> similarities,
                                     std::uint32_t labels);

// The plan with the fewest messages, of all with at most kMaxLabels labels.  The weights of
// `similarities` need not sum to 1.  kInvalidArgument if a number makes no sense, or if the promise
// cannot be kept.
TWINSIFT_EXPORT Result<PondPlan> choose_labels(const PondLoad& load, const PondGoal& goal,
                                               std::span<const WeightedSimilarity> similarities);

}  // namespace twinsift
