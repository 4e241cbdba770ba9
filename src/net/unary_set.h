// SPDX-License-Identifier: Apache-2.0
// Numbers as sets, such that a small difference of a number is a small difference of the sets.
//
// A value v of 0 to n in place p becomes n tokens: (p, 1) ... (p, v) that say "at least", and as
// many of the rest that say "less than".  So two lists of values have the similarity
//     J = (N - D) / (N + D),   N = n places, D = the sum of |v - w|,
// and bits are the values of n = 1.
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.h"
#include "twinsift/types.h"

namespace twinsift::net {

class UnarySet {
 public:
  // One more place.  Requires: value <= most.
  void add(std::uint32_t value, std::uint32_t most) {
    for (std::uint32_t step = 0; step < most; ++step) {
      const std::uint64_t token =
          place_ << 20U | std::uint64_t{step} << 1U | (step < value ? 1U : 0U);
      tokens_.push_back(mix64(token + 1));
    }
    ++place_;
  }
  void skip() { ++place_; }

  // Sorted.  Nothing may be added afterwards.
  TokenSet finish();

 private:
  std::uint64_t place_ = 0;
  TokenSet tokens_;
};

// One place for each bit.
TokenSet bit_set(std::span<const std::uint64_t> words);

}  // namespace twinsift::net
