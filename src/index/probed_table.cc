// SPDX-License-Identifier: Apache-2.0
#include "index/probed_table.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <span>

namespace twinsift {
namespace {

// How long two rows of cells are equal, and how far apart the cells are at which that ends.
struct Likeness {
  std::size_t shared = 0;
  std::uint64_t gap = 0;
};

Likeness likeness_of(const Cells& a, const Cells& b) {
  const auto [at, other] = std::ranges::mismatch(a, b);
  if (at == a.end()) return {.shared = a.size()};
  const auto [low, high] = std::minmax(*at, *other);
  return {.shared = static_cast<std::size_t>(at - a.begin()),
          .gap = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)};
}

bool nearer(const Likeness& a, const Likeness& b) {
  return a.shared != b.shared ? a.shared > b.shared : a.gap < b.gap;
}

}  // namespace

void ProbedTable::insert(const Cells& cells, std::uint64_t key, ItemId id) {
  const auto [at, fresh] = buckets_.try_emplace(cells);
  if (fresh) by_key_.try_emplace(key, at);
  std::vector<ItemId>& ids = at->second;
  ids.insert(std::ranges::lower_bound(ids, id), id);
  ++items_;
}

void ProbedTable::erase(const Cells& cells, std::uint64_t key, ItemId id) {
  const auto at = buckets_.find(cells);
  assert(at != buckets_.end());
  at->second.erase(std::ranges::lower_bound(at->second, id));
  --items_;
  if (!at->second.empty()) return;
  if (by_key_.at(key) == at) by_key_.erase(key);
  buckets_.erase(at);
}

std::size_t ProbedTable::cap(double gamma) const {
  const auto items = static_cast<double>(items_);
  return static_cast<std::size_t>(
      std::ceil(std::min(gamma * items / static_cast<double>(buckets_.size()), items)));
}

void ProbedTable::read(const Question& question, std::uint32_t probes, double gamma,
                       std::vector<ItemId>& out) const {
  if (buckets_.empty()) return;
  const auto above = buckets_.lower_bound(question.cells);
  const bool home = above != buckets_.end() && above->first == question.cells;
  if (home) out.insert(out.end(), above->second.begin(), above->second.end());
  const std::size_t most = cap(gamma);
  const auto take = [&](const std::vector<ItemId>& ids) {
    const auto count = static_cast<std::ptrdiff_t>(std::min(most, ids.size()));
    out.insert(out.end(), ids.begin(), ids.begin() + count);
  };
  const std::size_t keys = std::min<std::size_t>(probes, question.keys.size());
  bool met = keys == 0;
  for (const std::uint64_t key : std::span(question.keys).first(keys)) {
    const auto at = by_key_.find(key);
    if (at == by_key_.end()) continue;
    take(at->second->second);
    met = true;
  }
  if (met) return;
  const auto next = home ? std::next(above) : above;
  if (next == buckets_.end()) {
    if (above != buckets_.begin()) take(std::prev(above)->second);
  } else if (above == buckets_.begin() ||
             !nearer(likeness_of(question.cells, std::prev(above)->first),
                     likeness_of(question.cells, next->first))) {
    take(next->second);
  } else {
    take(std::prev(above)->second);
  }
}

}  // namespace twinsift
