// SPDX-License-Identifier: Apache-2.0
// The CWS threshold filter: stop as soon as the count is too small or too large for chance.
//
// After n components, with X ~ Binomial(n, T),
//     reject = max { m : P(X <= m) <= error },   accept = min { m : P(X >= m) <= error },
// and after the last one the count decides.  T_L = reject / n and T_U = accept / n in the paper.
//
// Papers:  [CWS15] the filters of sec. 5, Algorithm 2, for consistent weighted sampling.
// Differs: nothing; looks are free.
// Errata:  Table 1 prints P(X < m) and P(X >= m).  Its upper bound 95 for e = 1e-5 has
//          P(X >= 95) = 1.87e-5: it must be 96, and the lower bound 60 could be 61.  The error is
//          that of one look: nine looks may err nine times as often.
// Bounds:  P(rejected at one look | J >= T) and P(accepted at one look | J <= T), each by `error`,
//          for components that are independent; over L looks by L * error.
// Cost:    O(log k) binomial tails for each look.
#pragma once

#include "verify/early_stop.h"
#include "verify/filter_parts.h"

namespace twinsift {

// No looks in the task: one after every tenth of the components.  Requires: error in [0, 0.5).
EarlyStopTable cws_table(FilterTask task, double error);

}  // namespace twinsift
