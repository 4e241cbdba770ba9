// SPDX-License-Identifier: Apache-2.0
#include "sketch/fss.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include <fmt/format.h>

#include "base/bits.h"
#include "base/hash.h"
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
  thread_local std::vector<std::uint8_t> empty;
  thread_local std::vector<std::uint32_t> scratch;
  empty.assign(k_, 1);
  scratch.resize(std::size_t{k_} + 1);
  std::size_t filled = 0;
  // Only whole rows count: stopping inside one would favour the elements that came first.
  for (std::uint64_t row = 0; row < k_ && filled < k_; ++row) {
    filled += throw_row(premixed, seed_key(seed_, row), row, {out, empty, scratch});
  }
  for (std::uint64_t row = k_; row < 2 * std::uint64_t{k_} && filled < k_; ++row) {
    const std::size_t bin = row - k_;
    if (out[bin] != kEmptyBin) continue;  // a later row cannot better an earlier one
    filled += throw_row(premixed, seed_key(seed_, row), row,
                        {out.subspan(bin, 1), std::span(empty).subspan(bin, 1), scratch});
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
