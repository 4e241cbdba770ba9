// SPDX-License-Identifier: Apache-2.0
#include "index/balanced.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace twinsift {
namespace {

constexpr std::uint64_t kGamma = 4;  // of cap=auto

std::uint64_t ceil_ratio(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::vector<double> centre(const std::vector<ItemId>& members, const VectorStore& store) {
  std::vector<double> sum(store.dimension());
  for (const ItemId id : members) {
    const VectorView x = store[id];
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += double{x[i]};
  }
  for (double& s : sum) s /= static_cast<double>(members.size());
  return sum;
}

double from_centre(VectorView x, const std::vector<double>& centre) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double d = double{x[i]} - centre[i];
    sum += d * d;
  }
  return sum;
}

// Takes the farthest members out, until `cap` are left.
std::vector<ItemId> take_farthest(std::vector<ItemId>& members, std::uint64_t cap,
                                  const std::vector<double>& centre, const VectorStore& store) {
  std::vector<std::pair<double, ItemId>> order;
  for (const ItemId id : members) order.emplace_back(from_centre(store[id], centre), id);
  std::ranges::sort(order);
  std::vector<ItemId> taken;
  members.clear();
  for (const auto& [distance, id] : order) (members.size() < cap ? members : taken).push_back(id);
  return taken;
}

}  // namespace

std::uint64_t paper_cap(std::uint64_t n, std::uint64_t d, std::uint64_t l, std::uint64_t b) {
  assert(n > 0 && d > 0 && l > 0 && b > 0);
  const auto items = static_cast<double>(n);
  const double scalars = static_cast<double>(d) * items + items * std::sqrt(std::sqrt(items));
  return static_cast<std::uint64_t>(std::ceil(scalars / static_cast<double>(l * b)));
}

BalancedTable::BalancedTable(std::span<const std::uint64_t> keys, const VectorStore& store,
                             std::uint64_t cap)
    : cap_(cap), items_(keys.size()), keys_(keys.begin(), keys.end()) {
  std::ranges::sort(keys_);
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  buckets_.resize(keys_.size());
  std::vector<std::size_t> homes(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    homes[i] = home(keys[i]);
    buckets_[homes[i]].push_back(static_cast<ItemId>(i));
  }
  if (buckets_.empty()) return;
  if (cap == 0) cap_ = ceil_ratio(kGamma * items_, buckets_.size());
  cap_ = std::max(cap_, ceil_ratio(items_, buckets_.size()));
  if (cap_ < items_) redistribute(store);
  record(homes);
}

std::size_t BalancedTable::home(std::uint64_t key) const {
  const auto at = std::ranges::lower_bound(keys_, key);
  return at == keys_.end() ? 0 : static_cast<std::size_t>(at - keys_.begin());
}

void BalancedTable::redistribute(const VectorStore& store) {
  std::vector<std::vector<double>> centres;
  for (const auto& bucket : buckets_) centres.push_back(centre(bucket, store));
  [[maybe_unused]] int passes = 1;
  for (std::size_t t = 0; t < buckets_.size();) {
    const std::size_t next = t + 1 == buckets_.size() ? 0 : t + 1;
    if (buckets_[t].size() <= cap_) {
      ++t;
      continue;
    }
    const auto taken = take_farthest(buckets_[t], cap_, centres[t], store);
    buckets_[next].insert(buckets_[next].end(), taken.begin(), taken.end());
    passes += next == 0 ? 1 : 0;
    assert(passes <= 2);
    t = next;
  }
  for (auto& bucket : buckets_) std::ranges::sort(bucket);
}

void BalancedTable::record(std::span<const std::size_t> homes) {
  moved_.assign(buckets_.size(), 0);
  for (std::size_t t = 0; t < buckets_.size(); ++t) {
    for (const ItemId id : buckets_[t]) {
      const std::size_t h = homes[id];
      moved_[h] = std::max(moved_[h], t >= h ? t - h : t + buckets_.size() - h);
    }
  }
}

BalancedTable::Range BalancedTable::paper_probe(std::uint64_t key) const {
  if (buckets_.empty()) return {};
  // phi = floor(cap / (cap - items / buckets)) in whole numbers; far above M, any cap gives 1.
  const std::uint64_t b = buckets_.size();
  const std::uint64_t room = std::min<std::uint64_t>(cap_, 4 * items_) * b;
  const std::uint64_t more = room > items_ ? room / (room - items_) : b - 1;
  return {home(key), 1 + std::min(more, b - 1)};
}

BalancedTable::Range BalancedTable::recorded_probe(std::uint64_t key) const {
  if (buckets_.empty()) return {};
  const std::size_t h = home(key);
  return {h, 1 + moved_[h]};
}

void BalancedTable::read(const Range& range, std::vector<ItemId>& out) const {
  for (std::size_t i = 0; i < range.count; ++i) {
    const auto& bucket = buckets_[(range.first + i) % buckets_.size()];
    out.insert(out.end(), bucket.begin(), bucket.end());
  }
}

}  // namespace twinsift
