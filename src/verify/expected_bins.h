// SPDX-License-Identifier: Apache-2.0
// What a filter costs and how often it errs, exactly, without drawing a single random number.
//
// Components are independent and equal with probability p.  The law of the count is carried from
// look to look, and what a look stops is taken out: the sums are the expected number of components
// and the probability of each verdict.  Probabilities below 1e-20 are dropped on the way.
//
// Cost: at most k^2 multiplications for a similarity; far fewer where looks stop early.  Weighted
//       tables: the largest count takes the place of k.
#pragma once

#include <cstdint>
#include <span>

#include "tune/similarity_law.h"
#include "verify/early_stop.h"
#include "verify/filter_parts.h"

namespace twinsift {

struct Outcome {
  double bins = 0;      // read on average
  double rejected = 0;  // the rest is left open
  double accepted = 0;
};

// Pairs whose components are equal with probability p.
Outcome outcome_at(const EarlyStopTable& table, double p);

// Early verdicts that the last look, had it been reached, would not have given.
struct Disagreement {
  double rejected = 0;  // early, while the whole count is above the last look's `reject`
  double accepted = 0;  // early, while it is not
};
Disagreement disagreement_at(const EarlyStopTable& table, double p);

// The same averaged over similarities, and against the truth.  What the last look leaves open is no
// error: it is verified exactly.
struct FilterAverages {
  double bins = 0;
  double false_negatives = 0;  // P(rejected | J >= T); 0 if there are no such pairs
  double false_positives = 0;  // P(accepted | J < T)
  double open = 0;             // P(left open)
};

// The task is the one of the table: T and the width of the codes.  The weights of the law need not
// sum to 1.
FilterAverages average_over(const EarlyStopTable& table, const FilterTask& task,
                            std::span<const WeightedSimilarity> law);

}  // namespace twinsift
