// SPDX-License-Identifier: Apache-2.0
#include "index/prefix.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/radix.h"

namespace twinsift {
namespace {

// Tokens that two or more sets have, ascending, and in how many.
struct Frequencies {
  TokenSet tokens;
  std::vector<std::uint32_t> counts;
};

Frequencies count_tokens(std::span<const std::span<const std::uint64_t>> sets) {
  TokenSet all;
  std::size_t total = 0;
  for (const std::span<const std::uint64_t> set : sets) total += set.size();
  all.reserve(total);
  for (const std::span<const std::uint64_t> set : sets)
    all.insert(all.end(), set.begin(), set.end());
  TokenSet scratch;
  radix_sort(all, 0, scratch);
  Frequencies result;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end] == all[begin]) ++end;
    if (end - begin > 1) {
      result.tokens.push_back(all[begin]);
      result.counts.push_back(static_cast<std::uint32_t>(end - begin));
    }
    begin = end;
  }
  return result;
}

// The length of the prefix; the small tolerance keeps T = 0.8 of 5 tokens at 4, not 5.
std::size_t prefix_length(std::size_t size, double threshold) {
  const double needed = std::ceil(threshold * static_cast<double>(size) - 1e-9);
  return size - static_cast<std::size_t>(needed) + 1;
}

}  // namespace

std::vector<BucketTable::Posting> prefix_postings(
    std::span<const std::span<const std::uint64_t>> sets, double threshold) {
  assert(threshold > 0 && threshold <= 1);
  const Frequencies common = count_tokens(sets);
  std::vector<BucketTable::Posting> postings;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> shared;  // (frequency, token)
  for (ItemId item = 0; item < sets.size(); ++item) {
    const std::span<const std::uint64_t> set = sets[item];
    if (set.empty()) continue;
    shared.clear();
    auto at = common.tokens.begin();
    for (const std::uint64_t token : set) {  // both ascend
      at = std::lower_bound(at, common.tokens.end(), token);
      if (at == common.tokens.end()) break;
      if (*at == token) {
        shared.emplace_back(common.counts[static_cast<std::size_t>(at - common.tokens.begin())],
                            token);
      }
    }
    // Tokens of this set alone come first in the order and meet nobody.
    const std::size_t alone = set.size() - shared.size();
    const std::size_t prefix = prefix_length(set.size(), threshold);
    if (alone >= prefix) continue;
    const auto last = shared.begin() + static_cast<std::ptrdiff_t>(prefix - alone);
    std::partial_sort(shared.begin(), last, shared.end());
    for (auto it = shared.begin(); it != last; ++it) postings.push_back({it->second, item});
  }
  return postings;
}

}  // namespace twinsift
