// SPDX-License-Identifier: Apache-2.0
// Buckets of all tables of an index: which items share a key with which others.
//
// Only buckets of two or more items are stored, so a corpus of unrelated documents needs next
// to nothing.  Those kept stand at the front of their buckets, so that asking for them alone costs
// no more than there are.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/candidate_source.h"
#include "twinsift/types.h"

namespace twinsift {

class BucketTable final : public CandidateSource {
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

  // Candidates are those that share a bucket; incomplete are answers that the cap has cut.
  bool earlier(ItemId item, std::vector<ItemId>& out) const override;
  bool kept(ItemId item, ItemId from, std::vector<ItemId>& out) const override;
  bool between(ItemId from, ItemId item, std::size_t limit,
               std::vector<ItemId>& out) const override;
  void keep(ItemId item) override;

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
