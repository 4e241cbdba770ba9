// SPDX-License-Identifier: Apache-2.0
// GOPH: stop a comparison by the binomial tail of one group of components.
//
// The k components are n groups of k' = k / n.  After some of them, with M equal ones, the groups
// that remain must bring Mra = (k T - M) / (groups that remain) equal ones each for the whole to
// reach T.  With X ~ Binomial(k', T), the count of one group at the threshold,
//     Mra < k' T:   accept if P(X < ceil(Mra)) <= error,
//     Mra >= k' T:  reject if P(X >= ceil(Mra)) <= error,
// and after the last group the count decides.  Mra falls with M, so that each look is a lower and
// an upper bound of M.  `exact_tail` takes the tail of all that remain in place of one group.
//
// Papers:  [HOPH18] Zhang et al., MTAP 2018, Algorithm 1.
// Differs: looks need not be the ends of groups: Mra is the share of what remains, times k'.
// Errata:  cases i) and ii) of sec. 3.3 are exchanged against Algorithm 1; line 8 counts a group
//          too early and the last one divides by zero; pairs that never trigger get no verdict.
//          The mean of all groups that remain varies less than one group, so the filter stops two
//          to three times later than its error allows: with T = .6 never before 300 of 1000.
// Bounds:  nothing over all looks.  See docs/algorithms/goph.md.
// Cost:    O(log k) binomial tails for each look.
#pragma once

#include <cstdint>

#include "verify/early_stop.h"
#include "verify/filter_parts.h"

namespace twinsift {

// Requires: groups > 0 divides k; error in [0, 0.5).
struct GophOptions {
  std::uint32_t groups = 10;
  double error = 1e-4;
  bool exact_tail = false;
};

// No looks in the task: one after each group.
EarlyStopTable goph_table(FilterTask task, const GophOptions& options);

// The bounds after components that could count `done` of `total`, where one group has `group`
// components.  Requires: done < total < 2^31; group < 2^17; 0 < T' <= 1.
struct GroupTail {
  MatchRate rate;
  std::uint32_t total = 0;
  std::uint32_t done = 0;
  std::uint32_t group = 0;
  double error = 0;
};
struct Bounds {
  std::int32_t reject = -1;
  std::int32_t accept = 0;
};
Bounds group_tail_bounds(const GroupTail& tail);

}  // namespace twinsift
