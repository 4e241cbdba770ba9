// SPDX-License-Identifier: Apache-2.0
// The baseline of all sketches: MinWise hashing, one element and one component at a time.
#pragma once

#include <cstdint>
#include <span>

namespace twinsift::bench {

// out[i] = the smallest permute64(x, seed_key(0, i)).  Requires: !ids.empty().
void scalar_minwise(std::span<const std::uint64_t> ids, std::span<std::uint64_t> out);

}  // namespace twinsift::bench
