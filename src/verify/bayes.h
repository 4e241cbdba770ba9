// SPDX-License-Identifier: Apache-2.0
// BayesLSH-Lite: reject when the similarity is hardly at the threshold, given what was read.
//
// All similarities are equally likely before anything is read.  After n components of which x are
// equal, J is Beta(x + 1, n - x + 1), and the pair is rejected if
//     P(J >= T | x of n) = 1 - I_T(x + 1, n - x + 1) < error.
// There is no early acceptance; what survives the last look is verified exactly (Verdict::kOpen).
// With codes equal by chance with probability C, the rate of equal components is uniform on [C, 1]:
//     P(J >= T | x of n) = (1 - I_T') / (1 - I_C).
//
// Papers:  [BLSH12] Satuluri, Parthasarathy, "Bayesian Locality Sensitive Hashing for Fast
//          Similarity Search", VLDB 2012, Algorithm 2.
// Differs: the prior is uniform; the paper fits a Beta law to a sample.  Sketches without any
//          difference are never rejected.
// Bounds:  P(J >= T | rejected at this look), if J is uniform; not P(rejected | J >= T).
// Cost:    O(log k) binomial tails for each look.
#pragma once

#include "verify/early_stop.h"
#include "verify/filter_parts.h"

namespace twinsift {

// No looks in the task: one after every 32 components.  Requires: error in [0, 0.5).
EarlyStopTable bayes_table(FilterTask task, double error);

}  // namespace twinsift
