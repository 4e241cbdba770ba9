// SPDX-License-Identifier: Apache-2.0
// The p-stable family for Euclidean distance: a key is V whole numbers, each a random projection.
//
//     eta(x) = floor((w x + b) / r),   w ~ N(0, I), b ~ U[0, r)
// Two vectors at distance u agree in one number with probability p(u; r) of tune/lsh_plan.h,
// whatever their dimension, and meet in some of L tables with 1 - (1 - p^V)^L.
//
// Papers:  [DIIM04] Datar, Immorlica, Indyk, Mirrokni, "Locality-Sensitive Hashing Scheme Based
//          on p-Stable Distributions", SCG 2004.  [HU18] eq. 26.
// Differs: the V numbers become one key of 64 bits by a sum with random odd factors; that two
//          different ones meet by chance (once in 2^64 pairs) costs a comparison.
// Errata:  [HU18] speaks of V bits; eta is a whole number.
// Cost:    V L d multiplications a vector; r of about 4 times the distance of near-duplicates,
//          V 8 to 16 and L 10 to 30 are usual.
#pragma once

#include "index/spec.h"
#include "index/vector_family.h"

namespace twinsift {

// From a spec with the keys v, l, r and seed.
Result<std::unique_ptr<VectorFamily>> make_pstable_family(const IndexSpec& spec,
                                                          const VectorRows& training);

}  // namespace twinsift
