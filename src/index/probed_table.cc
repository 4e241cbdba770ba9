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

auto ProbedTable::neighbour(const Cells& cells, Buckets::const_iterator home) const
    -> Buckets::const_iterator {
  const auto above = home == buckets_.end() ? buckets_.lower_bound(cells) : std::next(home);
  const auto from = home == buckets_.end() ? above : home;  // what is before it is below
  if (from == buckets_.begin()) return above;
  const auto below = std::prev(from);
  if (above == buckets_.end()) return below;
  return nearer(likeness_of(cells, below->first), likeness_of(cells, above->first)) ? below : above;
}

void ProbedTable::read(const Question& question, std::uint32_t probes, double gamma,
                       std::vector<ItemId>& out) const {
  const auto at_home = by_key_.find(question.key);
  auto home = at_home == by_key_.end() ? buckets_.end() : at_home->second;
  if (home != buckets_.end() && home->first != question.cells) {
    home = buckets_.find(question.cells);  // equal keys of different cells
  }
  if (home != buckets_.end()) {
    out.insert(out.end(), home->second.begin(), home->second.end());
  }
  const std::size_t keys = std::min<std::size_t>(probes, question.keys.size());
  if (keys == 0 || buckets_.empty()) return;
  const std::size_t most = cap(gamma);
  const auto take = [&](const std::vector<ItemId>& ids) {
    const auto count = static_cast<std::ptrdiff_t>(std::min(most, ids.size()));
    out.insert(out.end(), ids.begin(), ids.begin() + count);
  };
  bool met = false;
  for (const std::uint64_t key : std::span(question.keys).first(keys)) {
    const auto at = by_key_.find(key);
    if (at == by_key_.end()) continue;
    take(at->second->second);
    met = true;
  }
  if (met) return;
  const auto other = neighbour(question.cells, home);
  if (other != buckets_.end()) take(other->second);
}

}  // namespace twinsift
