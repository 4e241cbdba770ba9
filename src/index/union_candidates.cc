// SPDX-License-Identifier: Apache-2.0
#include "index/union_candidates.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace twinsift {
namespace {

void merge(const std::vector<ItemId>& more, std::vector<ItemId>& out) {
  std::vector<ItemId> both;
  both.reserve(out.size() + more.size());
  std::ranges::set_union(out, more, std::back_inserter(both));
  out = std::move(both);
}

}  // namespace

bool UnionCandidates::earlier(ItemId item, std::vector<ItemId>& out) const {
  std::vector<ItemId> more;
  const bool all = first_.earlier(item, out);
  const bool all_more = second_.earlier(item, more);
  merge(more, out);
  return all && all_more;
}

bool UnionCandidates::kept(ItemId item, ItemId from, std::vector<ItemId>& out) const {
  std::vector<ItemId> more;
  const bool all = first_.kept(item, from, out);
  const bool all_more = second_.kept(item, from, more);
  merge(more, out);
  return all && all_more;
}

bool UnionCandidates::between(ItemId from, ItemId item, std::size_t limit,
                              std::vector<ItemId>& out) const {
  std::vector<ItemId> more;
  if (first_.between(from, item, limit, out) && second_.between(from, item, limit, more)) {
    merge(more, out);
    if (out.size() <= limit) return true;
  }
  out.clear();
  return false;
}

void UnionCandidates::keep(ItemId item) {
  first_.keep(item);
  second_.keep(item);
}

void UnionCandidates::release() const {
  first_.release();
  second_.release();
}

}  // namespace twinsift
