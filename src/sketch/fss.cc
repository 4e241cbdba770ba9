// SPDX-License-Identifier: Apache-2.0
#include "sketch/fss.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/permute.h"
#include "sketch/set_sketch.h"

namespace twinsift {
FssSketcher::FssSketcher(std::uint32_t k, std::uint64_t seed) : k_(k), seed_(seed) {
  assert(k > 0 && k <= 65536);
}

std::string FssSketcher::spec() const { return fmt::format("fss1:k={},seed={}", k_, seed_); }

void FssSketcher::sketch_ids(std::span<const std::uint64_t> ids,
                             std::span<std::uint64_t> out) const {
  assert(!ids.empty() && out.size() == k_);
  const std::span<const std::uint64_t> premixed = premix_all(ids);
  std::ranges::fill(out, kEmptyBin);
  std::size_t filled = 0;
  // Bins that are empty become ever fewer; where they are is found anew when half of them are gone.
  EmptyCells empty;
  std::size_t known = k_;
  // Only whole rows count: stopping inside one would favour the elements that came first.
  for (std::uint64_t row = 0; row < k_ && filled < k_; ++row) {
    if (k_ - filled <= known / 2) {
      empty = find_empty(out);
      known = k_ - filled;
    }
    filled += throw_row(premixed, seed_key(seed_, row), row, out, known < k_ ? &empty : nullptr);
  }
  for (std::uint64_t row = k_; row < 2 * std::uint64_t{k_} && filled < k_; ++row) {
    const std::span<std::uint64_t> bin = out.subspan(row - k_, 1);
    if (bin[0] != kEmptyBin) continue;  // a later row cannot better an earlier one
    filled += throw_row(premixed, seed_key(seed_, row), row, bin, nullptr);
  }
}

Result<Sketch> FssSketcher::sketch(const Feature& feature) const {
  return sketch_token_set(*this, feature);
}

Estimate FssSketcher::similarity(const Sketch& a, const Sketch& b) const {
  return estimate_by_matches(a, b);
}

Result<Sketch> FssSketcher::merge(const Sketch& a, const Sketch& b) const {
  return componentwise_minimum(a, b);
}

}  // namespace twinsift
