// SPDX-License-Identifier: Apache-2.0
#include "verify/verify.h"

#include <algorithm>
#include <cassert>

#include "base/bits.h"
#include "verify/decide.h"
#include "verify/similarity.h"

namespace twinsift {

Result<SharedSet> RemadeSets::get(ItemId item) {
  {
    const std::scoped_lock lock(mutex_);
    const auto found = cache_.find(item);
    if (found != cache_.end()) return SharedSet{*found->second, found->second};
  }
  TWINSIFT_TRY(WeightedSet made, maker_(item));
  auto set = std::make_shared<const WeightedSet>(std::move(made));
  constexpr std::size_t kOverhead = 160;  // of the map, the pointer and the vectors
  const auto size_of = [](const WeightedSet& s) {
    return s.tokens.size() * sizeof(std::uint64_t) + s.weights.size() * sizeof(double) + kOverhead;
  };
  const std::size_t bytes = size_of(*set);
  const std::scoped_lock lock(mutex_);
  const SharedSet result{*set, set};
  if (!cache_.emplace(item, set).second) return result;  // another thread was quicker
  order_.push_back(item);
  while (bytes > room_ && oldest_ < order_.size() - 1) {
    const auto old = cache_.find(order_[oldest_++]);
    room_ += size_of(*old->second);
    cache_.erase(old);
  }
  room_ -= std::min(room_, bytes);
  if (oldest_ > order_.size() / 2 && oldest_ > 1024) {
    order_.erase(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    oldest_ = 0;
  }
  return result;
}

bool Verifier::survives(std::uint32_t row_a, std::uint32_t row_b, std::uint32_t matches) const {
  const SketchTable& sketches = *options_.sketches;
  const auto count = [&](std::size_t plane) {
    return count_equal(sketches.row(plane, row_a), sketches.row(plane, row_b),
                       sketches.width(plane));
  };
  return run_looks(options_.early_stop.looks, matches, count).verdict != Verdict::kReject;
}

void Verifier::filter(ItemId item, std::vector<ItemId>& candidates) const {
  if (options_.sketches == nullptr || candidates.empty()) return;
  const SketchTable& sketches = *options_.sketches;
  const std::uint32_t row = options_.rows[item];
  if (sketches.width(0) != 64) {
    std::erase_if(candidates, [&](ItemId other) {
      const std::uint32_t other_row = options_.rows[other];
      return !survives(
          row, other_row,
          count_equal(sketches.row(0, row), sketches.row(0, other_row), sketches.width(0)));
    });
    return;
  }
  thread_local std::vector<std::uint32_t> rows;
  thread_local std::vector<std::uint8_t> matches;
  thread_local std::vector<std::uint32_t> passed;
  rows.resize(candidates.size());
  matches.resize(candidates.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = options_.rows[candidates[i]];
  count_equal_rows(sketches.row(0, row), sketches.plane(0), rows, matches.data());
  pass_first_look(options_.early_stop, sketches, rows, matches, passed);
  std::size_t kept = 0;
  for (const std::uint32_t i : passed) {
    if (survives(row, rows[i], matches[i])) candidates[kept++] = candidates[i];
  }
  candidates.resize(kept);
}

Result<double> Verifier::similarity(ItemId a, ItemId b) const {
  TWINSIFT_TRY(const auto set_a, features_.get(a));
  TWINSIFT_TRY(const auto set_b, features_.get(b));
  return similarity_at_least(set_a.set, set_b.set, options_.threshold);
}

}  // namespace twinsift
