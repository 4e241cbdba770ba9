// SPDX-License-Identifier: Apache-2.0
// The comparison of (a:b) HOPH sketches: groups of k' bins that weigh less and less.
//
// With r = a / (a + b), group j of n weighs w_j = r (1 - r)^(j-1), the last one (1 - r)^(n-1), and
// the similarity is estimated by sum w_j R_j, R_j the share of equal bins of group j.  After some
// groups the others must have, on average by weight,
//     P = (T - sum w_j R_j) / (1 - sum w_j)
// equal bins, and the test of goph.h is made with Mra = k' P.
// In the table the weights are whole numbers: W_j = w_j (a + b)^(n-1).
//
// Papers:  [HOPH18] Zhang et al., MTAP 2018, Algorithm 2.
// Differs: weights that sum to 1 for any a:b; the recursion for P of the last line above.
// Errata:  the weights r^j of sec. 4 sum to 1 only for 1:1; Algorithm 2 resets the count within
//          the loop over bins, counts groups too early, and line 10 is garbled.
// Bounds:  nothing over all looks; and the estimate itself is worth only k' (2 - r) / r bins,
//          however many groups there are.  See docs/algorithms/hoph_filter.md.
// Cost:    O(log k) binomial tails for each look.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/decide.h"
#include "verify/early_stop.h"
#include "verify/filter_parts.h"

namespace twinsift {

// Requires: a, b, groups > 0; error in [0, 0.5).
struct HophFilterOptions {
  std::uint32_t a = 1;
  std::uint32_t b = 1;
  std::uint32_t groups = 8;
  double error = 1e-4;
};

// W_j of each group, or nothing if W_j k' does not sum to less than 2^31 over the groups.
std::vector<std::uint32_t> hoph_integer_weights(const HophFilterOptions& options,
                                                std::uint32_t group_bins);

// For sketches without empty bins.  Requires: groups divide k, the weights exist, and the looks of
// the task are none or the ends of all groups but the last.
EarlyStopTable hoph_table(FilterTask task, const HophFilterOptions& options);

// The same comparison of raw sketches, in which bins may be empty (UINT64_MAX).  A bin that is
// empty in both does not count: R_j = m_j / (k' - e_j), T if nothing is left of a group, and such
// groups are left out of the verdict at the end.  A reference, and slow: it evaluates a tail for
// each group.  Two empty sketches are accepted.  Requires: as hoph_table, and code_bits = 64.
Decision hoph_decide_raw(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                         std::uint32_t threshold_permille, const HophFilterOptions& options);

}  // namespace twinsift
