// SPDX-License-Identifier: Apache-2.0
#include "net/unary_set.h"

#include <algorithm>

namespace twinsift::net {

// mix64() is a permutation, so that no two tokens meet.
TokenSet UnarySet::finish() {
  std::ranges::sort(tokens_);
  return std::move(tokens_);
}

TokenSet bit_set(std::span<const std::uint64_t> words) {
  UnarySet set;
  for (const std::uint64_t word : words) {
    for (unsigned bit = 0; bit < 64; ++bit) set.add(word >> bit & 1U, 1);
  }
  return set.finish();
}

}  // namespace twinsift::net
