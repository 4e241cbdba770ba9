// SPDX-License-Identifier: Apache-2.0
// Prefix filter: candidates for an exact join of sets, none missed.
//
// Order all tokens by how many sets have them, rarest first.  If J(A, B) >= T, then A and B
// share at least ceil(T |A|) tokens of A, so one of the first |A| - ceil(T |A|) + 1 tokens of A
// is among the same number of B: it is enough to compare sets that meet there.  Rare tokens
// first make such meetings rare.
//
// Papers:  [BMS07] Bayardo, Ma, Srikant, "Scaling Up All Pairs Similarity Search", WWW 2007.
// Cost:    a sort of all tokens: about 40 ns and 16 bytes each; recall 1.
#pragma once

#include <span>
#include <vector>

#include "index/buckets.h"
#include "twinsift/types.h"

namespace twinsift {

// The prefix tokens of every set that some other set has, too.  Sets are sorted and unique.
// Requires: 0 < threshold <= 1.
std::vector<BucketTable::Posting> prefix_postings(
    std::span<const std::span<const std::uint64_t>> sets, double threshold);

}  // namespace twinsift
