// SPDX-License-Identifier: Apache-2.0
// Buckets of all tables of an index: which items share a key with which others.
//
// Only buckets of two or more items are stored, so a corpus of unrelated documents needs next
// to nothing.  Two ways of asking:
//   earlier(i)  all items before i that share a bucket with it: every candidate pair once.
//   kept(i)     only those items that keep() has been called for.  A run that keeps one of each
//               group asks this, in the order of the items, and a family of a million copies
//               costs a million questions with one answer each.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "twinsift/types.h"

namespace twinsift {

class BucketTable {
 public:
  // Fills `keys` with the key of every item in one table.
  using Column = std::function<void(std::uint32_t table, std::span<std::uint32_t> keys)>;

  struct Options {
    std::uint32_t tables = 0;
    std::uint32_t items = 0;
    std::uint32_t cap = 20'000;  // an item meets at most so many others in one bucket
    unsigned threads = 1;
  };
  static BucketTable build(const Options& options, const Column& column);

  // One bucket for each key that two or more pairs share; an item may have many keys.
  struct Posting {
    std::uint64_t key;
    ItemId item;
  };
  static BucketTable build(const Options& options, std::vector<Posting> postings);

  // Both replace `out` by ascending ids, each once, and return false if the cap cut them.
  // earlier() may be asked by many threads, but not after keep().
  bool earlier(ItemId item, std::vector<ItemId>& out) const;
  // Items kept so far that are not below `from`.  Many threads may ask between calls of keep().
  bool kept(ItemId item, ItemId from, std::vector<ItemId>& out) const;
  // Items from `from` on that come before `item`, kept or not; false and nothing if there are more
  // than `limit`.  Requires: nothing from `from` on has been kept.
  bool between(ItemId from, ItemId item, std::size_t limit, std::vector<ItemId>& out) const;
  // Requires: ascending items.
  void keep(ItemId item);

  [[nodiscard]] std::size_t buckets() const { return starts_.size() - 1; }
  [[nodiscard]] std::size_t entries() const { return entries_.size(); }
  [[nodiscard]] std::uint32_t largest() const;

 private:
  struct Table {
    std::vector<ItemId> entries;
    std::vector<std::uint32_t> sizes;
  };
  explicit BucketTable(const Options& options) : cap_(options.cap) {}
  void join(std::span<const Table> tables, std::uint32_t items);
  [[nodiscard]] std::span<const std::uint32_t> buckets_of(ItemId item) const;

  std::uint32_t cap_;
  std::vector<std::uint64_t> starts_;  // of each bucket in entries_, and the end
  std::vector<ItemId> entries_;        // ascending in each bucket; keep() compacts to its front
  std::vector<std::uint32_t> kept_;    // how many entries at the front of a bucket are kept ones
  std::vector<std::uint64_t> item_starts_;  // of each item in item_buckets_, and the end
  std::vector<std::uint32_t> item_buckets_;
};

}  // namespace twinsift
