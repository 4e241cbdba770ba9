// SPDX-License-Identifier: Apache-2.0
// The mixers of base/hash.h undone, for tests: which id has a given hash?
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace twinsift {

// The x with x c = 1 modulo 2^64, by Newton.  Requires: c is odd.
constexpr std::uint64_t inverse(std::uint64_t c) {
  std::uint64_t x = c;
  for (int i = 0; i < 6; ++i) x *= 2 - c * x;
  return x;
}

// Undoes z ^= z >> shift.
constexpr std::uint64_t unshift(std::uint64_t z, unsigned shift) {
  std::uint64_t x = z;
  for (unsigned done = shift; done < 64; done += shift) x = z ^ (x >> shift);
  return x;
}

constexpr std::uint64_t unmix64(std::uint64_t z) {
  z = unshift(z, 31) * inverse(0x94D049BB133111EBU);
  z = unshift(z, 27) * inverse(0xBF58476D1CE4E5B9U);
  return unshift(z, 30);
}

constexpr std::uint64_t unpermute64(std::uint64_t h, std::uint64_t key) {
  return unmix64(unmix64(h) ^ key) - kGolden;
}

}  // namespace twinsift
