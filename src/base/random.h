// SPDX-License-Identifier: Apache-2.0
// splitmix64: the only source of randomness in the library.  Never std::*_distribution, whose
// values differ between standard libraries.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace twinsift {

class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) : state_(seed) {}
  constexpr std::uint64_t next() { return mix64(state_ += kGolden); }
  // Uniform in (0, 1), never an end point, so that its logarithm is finite.
  constexpr double uniform() {
    const double u = (static_cast<double>(next() >> 11U) + 0.5) * 0x1p-53;
    return u < 1 ? u : 1 - 0x1p-53;  // the sum of the largest number and 0.5 is rounded up
  }
  // Uniform in 0..n-1.  Requires: n > 0.
  constexpr std::uint32_t below(std::uint32_t n) { return scale_to(next(), n); }

 private:
  std::uint64_t state_;
};

}  // namespace twinsift
