// SPDX-License-Identifier: Apache-2.0
// Early stopping: how many components of two sketches must be compared before the verdict on
// the pair is known, up to a stated error.  The answer is compiled into a table once; per pair
// there is one popcount and two integer comparisons per look.
//
// The exact group-sequential filter: after each look i of n_i components with x equal ones,
// reject if x <= reject_i, accept if x >= accept_i, else read on.  The bounds are as tight as
// the total error allows: look i of L may have spent alpha * i / L in all, and each bound is
// moved until that is used up, counting only paths that no earlier look has stopped.
//   full mode: the error is a disagreement with the verdict of all k components.  Components
//     are exchangeable given the two sets (MinHash, FSS, OPH, CWS), so given the full count the
//     count of a prefix is hypergeometric whatever the similarity; the worst full counts are
//     m_T = ceil(k T) for rejecting and m_T - 1 for accepting.  The bound is a theorem.
//   true mode: the error is against the true similarity; the count is Binomial(n, T) at worst.
//     Sketches that sample partly without replacement (FSS) vary less than that.
// Both are one computation.  A hypergeometric path is a path of independent components with
// any p, weighted by how likely the rest is to bring the total:
//     P(path | X_k = m) = P_p(path) P_p(X_{k-n} = m - x) / P_p(X_k = m).
// Accepting is rejecting with equal and unequal exchanged.
//
// Papers:  [LD83] Lan, DeMets, "Discrete Sequential Boundaries for Clinical Trials",
//          Biometrika 1983: spending alpha.  [HOPH18] Zhang et al., MTAP 2018, Algorithm 1.
// Differs: [HOPH18] bounds the error of each look; here the error over all looks is bounded.
// Cost:    O(k^2) multiplications for a table: 0.2 ms at k = 1024 and five looks, 2 ms with a look
// at every bin.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace twinsift {

// After `bins` components with x equal ones: reject if x <= reject, accept if x >= accept.
// reject = -1: cannot reject yet; accept = bins + 1: cannot accept yet.  reject < accept, and
// from look to look neither falls nor rises by more than the components that were added.  (The
// last look of true mode without bound_last is apart: it has no error bound, only m_T.)
// x counts each equal component since the look before `weight` times; all but the HOPH filter
// have weight 1.
struct Look {
  std::uint32_t bins = 0;
  std::int32_t reject = -1;
  std::int32_t accept = 0;
  std::int32_t weight = 1;
  friend bool operator==(const Look&, const Look&) = default;
};

struct EarlyStopTable {
  std::vector<Look> looks;  // the last one has bins == k; what it leaves open is verified exactly
  std::string spec;         // "gs1:full,k=1024,t=800,bits=8,looks=64/128,reject=1e-4,..."
};

// Requires: k > 0; looks ascending, each in 1..k-1; threshold_permille <= 1000; code_bits > 0;
// both alphas in [0, 0.5).  alpha = 0 stops only where the rest cannot change the verdict.
struct GroupSequentialOptions {
  std::uint32_t k = 1024;
  std::uint32_t threshold_permille = 0;  // T; 0 accepts every pair at the first look
  std::vector<std::uint32_t> looks;
  double alpha_reject = 1e-4;
  double alpha_accept = 1e-4;
  // Components are codes of so many bits, equal by chance with C = 2^-bits: every T above
  // becomes T' = C + (1 - C) T.
  std::uint32_t code_bits = 64;
  // True mode only.  false: the last look compares x with m_T.  true: the last look spends its
  // share of alpha as the others do, so that P(ever rejected | J >= T) <= alpha_reject holds
  // over all looks, and a pair between its bounds is left to exact verification.
  bool bound_last = false;
};

EarlyStopTable group_sequential_full(const GroupSequentialOptions& options);
EarlyStopTable group_sequential_true(const GroupSequentialOptions& options);

}  // namespace twinsift
