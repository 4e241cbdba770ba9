// SPDX-License-Identifier: Apache-2.0
// Shared passages: the runs of words that two texts have in common.
//
// Read a from the front; where the next k words occur in b, take the longest continuation among
// the places where they occur and go on behind it.  Passages do not overlap in a; b may be used
// again, as when a repeats itself.
//
// Cost: O(words log words), and at most 32 places of b are tried for each passage.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "twinsift/types.h"

namespace twinsift {

// Passages of at least `min_words` words, in the order of their place in a.  Requires:
// min_words > 0; texts are UTF-8, less than 4 GiB.
std::vector<Passage> find_passages(std::string_view a, std::string_view b, std::uint32_t min_words);

}  // namespace twinsift
