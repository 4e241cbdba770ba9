// SPDX-License-Identifier: Apache-2.0
// Exact similarities of features.
#pragma once

#include <cstdint>
#include <span>

#include "twinsift/types.h"

namespace twinsift {

// |a and b| of two sets, sorted and unique.
std::uint64_t intersection_size(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// |a and b| / |a or b|; 1 for two empty sets, by convention.
double jaccard(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// The Jaccard similarity if it is at least `threshold`, otherwise -1, usually after a fraction of
// the work.
double jaccard_at_least(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                        double threshold);

// Jaccard, containment both ways and the counts they come from.
Evidence set_evidence(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

}  // namespace twinsift
