// SPDX-License-Identifier: Apache-2.0
#include "feature/token_set.h"

#include <algorithm>
#include <bit>
#include <span>

namespace twinsift {
namespace {

void sort_bucket(std::span<std::uint64_t> bucket) {
  constexpr std::size_t kInsertion = 32;
  if (bucket.size() > kInsertion) {
    std::ranges::sort(bucket);
    return;
  }
  for (std::size_t i = 1; i < bucket.size(); ++i) {
    const std::uint64_t id = bucket[i];
    std::size_t j = i;
    for (; j > 0 && bucket[j - 1] > id; --j) bucket[j] = bucket[j - 1];
    bucket[j] = id;
  }
}

}  // namespace

void make_set(TokenSet& ids) {
  constexpr std::size_t kSmall = 64;
  if (ids.size() < kSmall) {
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return;
  }
  // Hashes are spread evenly: by their top bits they fall into buckets of about two, in order.
  const auto bits = static_cast<unsigned>(std::bit_width(ids.size()) - 1);
  const unsigned shift = 64 - bits;
  thread_local std::vector<std::uint32_t> starts;
  thread_local TokenSet sorted;
  starts.assign((std::size_t{1} << bits) + 1, 0);
  for (const std::uint64_t id : ids) ++starts[(id >> shift) + 1];
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  sorted.resize(ids.size());
  for (const std::uint64_t id : ids) sorted[starts[id >> shift]++] = id;
  // Sorted but inside the buckets, where insertion is quickest, unless the ids are uneven.
  std::size_t begin = 0;
  std::size_t kept = 0;
  for (std::size_t bucket = 0; bucket + 1 < starts.size(); ++bucket) {
    const std::size_t end = starts[bucket];
    sort_bucket(std::span(sorted).subspan(begin, end - begin));
    for (; begin < end; ++begin) {
      ids[kept] = sorted[begin];
      kept += begin == 0 || sorted[begin - 1] != sorted[begin] ? 1U : 0U;
    }
  }
  ids.resize(kept);
}

}  // namespace twinsift
