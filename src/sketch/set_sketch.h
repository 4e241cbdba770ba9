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

// 32 bits of a component's value and place; codes are their topmost.  The place counts, because
// densified sketches repeat values: whether two of them agree by chance must be drawn each time.
constexpr std::uint32_t code_bits_of(std::uint64_t value, std::size_t place) {
  // 32-bit arithmetic so that the compiler can vectorise; both halves of the value count.
  const auto low = static_cast<std::uint32_t>(value);
  const auto high = static_cast<std::uint32_t>(value >> 32U);
  const std::uint32_t x = low ^ (high * 0x9E3779B1U) ^ (static_cast<std::uint32_t>(place) << 16U);
  return x * 0x85EBCA6BU;
}

// Component i as one byte: hash(value, i) mod 256.  Different values agree by chance with
// probability C = 1/256, so matches of codes estimate C + (1 - C) J.
// Requires: codes.size() == sketch.size().
void make_codes(std::span<const std::uint64_t> sketch, std::span<std::uint8_t> codes);

}  // namespace twinsift
