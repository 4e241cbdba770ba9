// SPDX-License-Identifier: Apache-2.0
// The Hamming family: a key is V coordinates, drawn at random, as bits.
//
// Bit codes give their own bits.  A vector gives bit i as x_i > theta_i, where theta_i is
//     median   the median of the training vectors (the default): every bit parts them in halves;
//     random   uniform between their smallest and largest: two vectors then differ in a random bit
//              with probability sum |x_i - y_i| / range_i over the dimension, if both lie in the
//              ranges;
//     zero     0, for vectors of +1 and -1.
// Two codes of d differing bits meet in some of L tables with probability 1 - (1 - C(n-d,V) /
// C(n,V))^L; tune/lsh_plan.h chooses V and L.
//
// Papers:  [GIM99] Gionis, Indyk, Motwani, "Similarity Search in High Dimensions via Hashing", VLDB
//          1999.  [HU18] sec. IV.B: "under a given threshold", without saying which.
// Differs: the coordinates of a table are distinct.
// Cost:    V operations a table; V <= 64.
#pragma once

#include <string_view>

#include "index/code_index.h"
#include "index/spec.h"
#include "index/vector_family.h"

namespace twinsift {

// L draws of V distinct coordinates, each ascending.  Requires: v <= dimension.
std::vector<std::vector<std::uint32_t>> draw_coordinates(std::uint32_t dimension, std::uint32_t v,
                                                         std::uint32_t l, std::uint64_t seed);

// "hamming1:bits=256,v=16,l=40,seed=0", for codes.  What is not said of v and l is chosen for a
// distance of an eighth of the bits less one, recall .99, a million codes.
Result<std::unique_ptr<CodeIndex>> make_hamming_codes(std::string_view spec);

// The same for vectors, from a spec with the keys v, l, theta and seed.
Result<std::unique_ptr<VectorFamily>> make_hamming_family(const IndexSpec& spec,
                                                          const VectorRows& training);

}  // namespace twinsift
