// SPDX-License-Identifier: Apache-2.0
// Ids become a set.
#pragma once

#include "twinsift/types.h"

namespace twinsift {

// Sorts and removes repetitions, in linear time for ids that are spread evenly, as hashes are.
void make_set(TokenSet& ids);

}  // namespace twinsift
