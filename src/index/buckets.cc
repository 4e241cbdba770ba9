// SPDX-License-Identifier: Apache-2.0
#include "index/buckets.h"

#include <algorithm>
#include <cassert>
#include <stop_token>

#include "base/ascending.h"
#include "base/parallel.h"
#include "base/radix.h"

namespace twinsift {
namespace {

// Appends the items of each run of two or more equal keys of (key << 32 | item) words.
template <class Table>
void collect_runs(std::span<const std::uint64_t> words, Table& table) {
  for (std::size_t begin = 0; begin < words.size();) {
    std::size_t end = begin + 1;
    while (end < words.size() && words[end] >> 32U == words[begin] >> 32U) ++end;
    if (end - begin > 1) {
      table.sizes.push_back(static_cast<std::uint32_t>(end - begin));
      for (std::size_t i = begin; i < end; ++i) {
        table.entries.push_back(static_cast<ItemId>(words[i]));
      }
    }
    begin = end;
  }
}

}  // namespace

BucketTable BucketTable::build(const Options& options, const Column& column) {
  std::vector<Table> tables(options.tables);
  const auto fill = [&](std::size_t t, unsigned /*worker*/) {
    std::vector<std::uint32_t> keys(options.items);
    column(static_cast<std::uint32_t>(t), keys);
    std::vector<std::uint64_t> words(options.items);
    for (std::uint64_t i = 0; i < words.size(); ++i) {
      words[i] = (std::uint64_t{keys[i]} << 32U) | i;
    }
    std::vector<std::uint64_t> scratch;
    radix_sort(words, 32, scratch);
    collect_runs(words, tables[t]);
  };
  parallel_for(options.tables, options.threads, std::stop_token(), fill);
  BucketTable result(options);
  result.join(tables, options.items);
  return result;
}

BucketTable BucketTable::build(const Options& options, std::vector<Posting> postings) {
  std::ranges::sort(postings, [](const Posting& a, const Posting& b) {
    return a.key != b.key ? a.key < b.key : a.item < b.item;
  });
  Table table;
  for (std::size_t begin = 0; begin < postings.size();) {
    std::size_t end = begin + 1;
    while (end < postings.size() && postings[end].key == postings[begin].key) ++end;
    if (end - begin > 1) {
      table.sizes.push_back(static_cast<std::uint32_t>(end - begin));
      for (std::size_t i = begin; i < end; ++i) table.entries.push_back(postings[i].item);
    }
    begin = end;
  }
  BucketTable result(options);
  result.join({&table, 1}, options.items);
  return result;
}

void BucketTable::join(std::span<const Table> tables, std::uint32_t items) {
  starts_.push_back(0);
  for (const Table& table : tables) {
    entries_.insert(entries_.end(), table.entries.begin(), table.entries.end());
    for (const std::uint32_t size : table.sizes) starts_.push_back(starts_.back() + size);
  }
  kept_.resize(buckets());
  // The same entries by item: counted, summed, filled.
  item_starts_.resize(std::size_t{items} + 1);
  for (const ItemId item : entries_) ++item_starts_[item + 1];
  for (std::size_t i = 1; i < item_starts_.size(); ++i) item_starts_[i] += item_starts_[i - 1];
  item_buckets_.resize(entries_.size());
  std::vector<std::uint64_t> next(item_starts_.begin(), item_starts_.end() - 1);
  for (std::uint32_t bucket = 0; bucket < buckets(); ++bucket) {
    for (std::uint64_t i = starts_[bucket]; i < starts_[bucket + 1]; ++i) {
      item_buckets_[next[entries_[i]]++] = bucket;
    }
  }
}

std::span<const std::uint32_t> BucketTable::buckets_of(ItemId item) const {
  return std::span(item_buckets_)
      .subspan(item_starts_[item], item_starts_[item + 1] - item_starts_[item]);
}

bool BucketTable::earlier(ItemId item, std::vector<ItemId>& out) const {
  out.clear();
  bool complete = true;
  for (const std::uint32_t bucket : buckets_of(item)) {
    const ItemId* const begin = entries_.data() + starts_[bucket];
    const ItemId* const here = std::lower_bound(begin, entries_.data() + starts_[bucket + 1], item);
    const ItemId* first = begin;
    if (here - begin > static_cast<std::ptrdiff_t>(cap_)) {
      first = here - cap_;
      complete = false;
    }
    out.insert(out.end(), first, here);
  }
  sort_unique(out);
  return complete;
}

bool BucketTable::kept(ItemId item, ItemId from, std::vector<ItemId>& out) const {
  out.clear();
  bool complete = true;
  for (const std::uint32_t bucket : buckets_of(item)) {
    const ItemId* const begin = entries_.data() + starts_[bucket];
    const ItemId* const end = begin + kept_[bucket];
    complete &= kept_[bucket] < cap_;
    out.insert(out.end(), std::lower_bound(begin, end, from), end);
  }
  sort_unique(out);
  return complete;
}

bool BucketTable::between(ItemId from, ItemId item, std::size_t limit,
                          std::vector<ItemId>& out) const {
  out.clear();
  for (const std::uint32_t bucket : buckets_of(item)) {
    // Behind the kept ones the entries are as they were, ascending.
    const ItemId* const begin = entries_.data() + starts_[bucket] + kept_[bucket];
    const ItemId* const end = entries_.data() + starts_[bucket + 1];
    const ItemId* const first = std::lower_bound(begin, end, from);
    const ItemId* const here = std::lower_bound(first, end, item);
    out.insert(out.end(), first, here);
    if (static_cast<std::size_t>(here - first) > limit) break;  // all of them are different
  }
  sort_unique(out);
  if (out.size() <= limit) return true;
  out.clear();
  return false;
}

void BucketTable::keep(ItemId item) {
  for (const std::uint32_t bucket : buckets_of(item)) {
    if (kept_[bucket] < cap_) entries_[starts_[bucket] + kept_[bucket]++] = item;
  }
}

std::uint32_t BucketTable::largest() const {
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i + 1 < starts_.size(); ++i) {
    largest = std::max(largest, starts_[i + 1] - starts_[i]);
  }
  return static_cast<std::uint32_t>(largest);
}

}  // namespace twinsift
