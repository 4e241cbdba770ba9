// SPDX-License-Identifier: Apache-2.0
// What MinHash and its relatives have in common: k components, each equal with probability J.
#pragma once

#include <span>

#include "twinsift/sketch.h"

namespace twinsift {

// premix64 of every id, in memory of this thread that is valid until its next call.
std::span<const std::uint64_t> premix_all(std::span<const std::uint64_t> ids);

// Sketcher::sketch for algorithms that take token sets.
Result<Sketch> sketch_token_set(const Sketcher& sketcher, const Feature& feature);

// Share of equal components; the standard error is the independent one, sqrt(J(1-J)/k).
Estimate estimate_by_matches(const Sketch& a, const Sketch& b);

Sketch componentwise_minimum(const Sketch& a, const Sketch& b);

// Component i as one byte: hash(value, i) mod 256.  Different values agree by chance with
// probability C = 1/256, so matches of codes estimate C + (1 - C) J.
// Requires: codes.size() == sketch.size().
void make_codes(std::span<const std::uint64_t> sketch, std::span<std::uint8_t> codes);

}  // namespace twinsift
