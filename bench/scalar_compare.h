// SPDX-License-Identifier: Apache-2.0
// The baseline of all comparisons: two sketches of 64-bit components, one component at a time.
#pragma once

#include <cstdint>
#include <span>

namespace twinsift::bench {

// How many components are equal.  Requires: equal sizes.
std::uint32_t scalar_matches(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

}  // namespace twinsift::bench
