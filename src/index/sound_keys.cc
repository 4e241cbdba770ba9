// SPDX-License-Identifier: Apache-2.0
#include "index/sound_keys.h"

#include <algorithm>

#include "base/radix.h"

namespace twinsift {
namespace {

constexpr unsigned kStartBits = 18;

}  // namespace

void SoundKeyTable::seal(unsigned bits) {
  const unsigned start_bits = std::min(bits, kStartBits);
  below_start_ = bits - start_bits;
  std::vector<std::uint64_t> scratch;
  radix_sort(entries_, 32, scratch);  // numbers are in order already
  starts_.assign((std::size_t{1} << start_bits) + 1, 0);
  for (const std::uint64_t entry : entries_) ++starts_[(entry >> (32 + below_start_)) + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

std::span<const std::uint64_t> SoundKeyTable::list_of(std::uint32_t key) const {
  const std::uint32_t start = key >> below_start_;
  const auto bucket =
      std::span(entries_).subspan(starts_[start], starts_[start + 1] - starts_[start]);
  if (below_start_ == 0) return bucket;
  const auto first = std::ranges::lower_bound(bucket, std::uint64_t{key} << 32U);
  const auto last = std::ranges::lower_bound(first, bucket.end(), (std::uint64_t{key} + 1) << 32U);
  return {first, last};
}

}  // namespace twinsift
