// SPDX-License-Identifier: Apache-2.0
// b-bit codes: of each component of a sketch only b = 1, 2, 4, 8 or 16 bits of a hash are kept.
//
//     code_i = the top b bits of hash(value_i, i)
// Different values agree by chance with probability C = 2^-b, so the codes of two sketches match
// with probability C + (1-C) J, and from a share p of equal codes
//     J is estimated by (p - C) / (1 - C),   Var = (C + (1-C) J) (1-J) / (k (1-C)),
// without bias, which is why it may be negative: clamp it for people, never before averaging.
// For J = 0.5 the variance is 3, 1.67, 1.13, 1.008, 1.00003 times that of the whole values.
//
// Papers:  [LK10] Li, Koenig, "b-Bit Minwise Hashing", WWW 2010.
// Differs: the paper takes the lowest bits of the values.  Here the place i is part of the hash:
//          densified sketches repeat values, and with equal codes for equal values one chance match
//          would count as often (b = 1, J = 0.2, 30 elements, k = 1000: error 23 against 6.5).
//          The codes of b = 8 are those of make_codes (set_sketch.h).
// Cost:    b/8 bytes for a component; a comparison is one XOR, log2 b shifts and a population
//          count for 64/b components.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "twinsift/types.h"

namespace twinsift {

// Code i is at the bits b i .. b i + b - 1, counted from the lowest of the first word.
using PackedCodes = std::vector<std::uint64_t>;

// All below require b in {1, 2, 4, 8, 16}.
// No component may stand for "empty", which would match itself: densify OPH first.
PackedCodes pack_codes(std::span<const std::uint64_t> sketch, unsigned b);
std::vector<std::uint16_t> unpack_codes(std::span<const std::uint64_t> packed, std::size_t k,
                                        unsigned b);

// How many of the k codes are equal.
std::size_t count_equal_codes(std::span<const std::uint64_t> x, std::span<const std::uint64_t> y,
                              std::size_t k, unsigned b);

// From equal codes to J.  Requires: k > 0.
Estimate estimate_from_codes(std::size_t equal, std::size_t k, unsigned b);

// k Var / (J (1-J)): how many times as many components b bits need.  Requires: 0 < j < 1.
double code_inflation(double j, unsigned b);

}  // namespace twinsift
