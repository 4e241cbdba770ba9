// SPDX-License-Identifier: Apache-2.0
#include "index/pair_list.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

namespace twinsift {
namespace {

constexpr std::uint64_t kBetweenReleases = 1U << 20U;  // pairs

// Of ids that descend, those from `from` on and below `to`.
std::span<const ItemId> cut(std::span<const ItemId> ids, ItemId from, ItemId to) {
  const auto first = std::ranges::lower_bound(ids, to, std::greater_equal<>{});
  const auto last = std::ranges::lower_bound(ids, from, std::greater_equal<>{});
  return {first, last};
}

}  // namespace

PairList::PairList(std::uint32_t items, std::uint64_t memory, std::string temp_dir)
    : memory_(memory),
      temp_dir_(std::move(temp_dir)),
      ends_(items),
      kept_(items),
      incomplete_(items) {}

Status PairList::add(ItemId item, ItemId earlier) {
  assert(earlier < item && item < ends_.size());
  if (!spilled_ && (earlier_.size() + 1) * sizeof(ItemId) > memory_) {
    TWINSIFT_TRY([[maybe_unused]] auto moved, earlier_.spill(temp_dir_));
    spilled_ = true;
  }
  TWINSIFT_TRY([[maybe_unused]] auto added, earlier_.append({&earlier, 1}));
  ends_[item] = earlier_.size();
  if (spilled_ && earlier_.size() % kBetweenReleases == 0) earlier_.release();
  return ok();
}

void PairList::finish() {
  std::uint64_t end = 0;
  for (std::size_t item = ends_.size(); item-- > 0;) {
    end = std::max(end, ends_[item]);  // an item without a pair ends where the one behind it does
    ends_[item] = end;
  }
  release();
}

bool PairList::earlier(ItemId item, std::vector<ItemId>& out) const {
  const auto ids = all(item);
  out.assign(ids.rbegin(), ids.rend());
  return incomplete_[item] == 0;
}

bool PairList::kept(ItemId item, ItemId from, std::vector<ItemId>& out) const {
  const auto ids = cut(all(item), from, item);
  out.clear();
  std::copy_if(ids.rbegin(), ids.rend(), std::back_inserter(out),
               [&](ItemId other) { return kept_[other] != 0; });
  return incomplete_[item] == 0;
}

bool PairList::between(ItemId from, ItemId item, std::size_t limit,
                       std::vector<ItemId>& out) const {
  const auto ids = cut(all(item), from, item);
  out.clear();
  if (ids.size() > limit) return false;
  out.assign(ids.rbegin(), ids.rend());
  return true;
}

void PairList::release() const {
  if (spilled_) earlier_.release();
}

}  // namespace twinsift
