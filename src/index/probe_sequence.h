// SPDX-License-Identifier: Apache-2.0
// The keys nearest to that of a question, nearest first, without trying all.
//
// Steps are sorted by cost, z_1 <= z_2 <= ...; a set of steps costs their sum.  Every set comes
// from {1} by "shift" (the largest index is replaced by the next one) and "expand" (the next one is
// added), neither of which makes it cheaper: a heap gives them in order of cost.  Sets that move a
// coordinate twice are passed over.
//
// Papers:  [LV07] Lv, Josephson, Wang, Charikar, Li, "Multi-Probe LSH: Efficient Indexing for
//          High-Dimensional Similarity Search", VLDB 2007, sec. 4.4.
// Cost:    O(count log count) sets of a few steps.
#pragma once

#include <cstdint>
#include <vector>

#include "index/vector_family.h"

namespace twinsift {

// Replaces `keys` by up to `count` keys other than `home`, the cheapest sets of moves first; equal
// costs in a fixed order.  Fewer if there are no more.
void probe_keys(std::uint64_t home, std::vector<Move> moves, std::size_t count,
                std::vector<std::uint64_t>& keys);

}  // namespace twinsift
