// SPDX-License-Identifier: Apache-2.0
// When two key points of the same visual word look alike.
#pragma once

#include <bit>
#include <cstdint>

#include "feature/key_points.h"

namespace twinsift {

// Signatures of 128 bits that differ in more are those of different things.
inline constexpr std::uint32_t kSignatureRadius = 44;

inline std::uint32_t signature_distance(const LocalWord& a, const LocalWord& b) {
  return static_cast<std::uint32_t>(std::popcount(a.signature[0] ^ b.signature[0]) +
                                    std::popcount(a.signature[1] ^ b.signature[1]));
}

}  // namespace twinsift
