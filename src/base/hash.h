// SPDX-License-Identifier: Apache-2.0
// The mixers every id and sketch is made with.  Bijective, so that no two ids can meet by
// construction, and fixed for ever: sketches must be the same on every machine and version.
#pragma once

#include <cstdint>

namespace twinsift {

inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;

// The splitmix64 finaliser: a bijection of 2^64 with good avalanche.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z ^= z >> 30U;
  z *= 0xBF58476D1CE4E5B9U;
  z ^= z >> 27U;
  z *= 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

// The i-th key of a seed.
constexpr std::uint64_t seed_key(std::uint64_t seed, std::uint64_t i) {
  return mix64(seed + kGolden * (i + 1));
}

// permute64(x, key) is, for each key, a permutation of 2^64.  The inner mix comes before the
// key on purpose: `x ^ key` on small integers would only shuffle the same few values.
constexpr std::uint64_t premix64(std::uint64_t x) { return mix64(x + kGolden); }
constexpr std::uint64_t permute_premixed(std::uint64_t premixed, std::uint64_t key) {
  return mix64(premixed ^ key);
}
constexpr std::uint64_t permute64(std::uint64_t x, std::uint64_t key) {
  return permute_premixed(premix64(x), key);
}

// Maps x to 0..n-1 without division, order-preserving: floor(x * n / 2^64).
constexpr std::uint32_t scale_to(std::uint64_t x, std::uint32_t n) {
  __extension__ using u128 = unsigned __int128;
  return static_cast<std::uint32_t>((static_cast<u128>(x) * n) >> 64U);
}

}  // namespace twinsift
