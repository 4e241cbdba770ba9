// SPDX-License-Identifier: Apache-2.0
// Sets for tests: random ones, and near-duplicates of exactly a similarity.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/random.h"
#include "net/representation.h"
#include "twinsift/types.h"

namespace twinsift::net {

inline constexpr const char* kTestDetector = "text.1";

inline TokenSet test_set(Rng& rng, std::size_t size) {
  TokenSet set(size);
  for (auto& id : set) id = rng.next();
  std::ranges::sort(set);
  return set;
}

// Two sets whose Jaccard similarity is `percent` / 100: they share `percent` of 100 ids.
inline std::pair<TokenSet, TokenSet> test_pair(Rng& rng, std::size_t percent) {
  const TokenSet all = test_set(rng, 100);
  const std::size_t apart = 100 - percent;
  TokenSet a(all.begin(), all.end() - static_cast<std::ptrdiff_t>(apart / 2));
  TokenSet b(all.begin() + static_cast<std::ptrdiff_t>(apart - apart / 2), all.end());
  return {std::move(a), std::move(b)};
}

inline Representation test_representation(TokenSet set, std::string title = "") {
  return {.detector = kTestDetector, .set = std::move(set), .title = std::move(title)};
}

}  // namespace twinsift::net
