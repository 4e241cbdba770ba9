// SPDX-License-Identifier: Apache-2.0
// Where candidates come from, as those who compare and group ask for them.  Two ways of asking:
//   earlier(i)  all candidates before i: every candidate pair once.
//   kept(i)     only those items that keep() has been called for.  A run that keeps one of each
//               group asks this, in the order of the items, and a family of a million copies
//               costs a million questions with one answer each.
#pragma once

#include <cstddef>
#include <vector>

#include "twinsift/types.h"

namespace twinsift {

class CandidateSource {
 public:
  virtual ~CandidateSource() = default;

  // Both replace `out` by ascending ids, each once, and return false if some may be missing.
  // earlier() may be asked by many threads, but not after keep().
  virtual bool earlier(ItemId item, std::vector<ItemId>& out) const = 0;
  // Items kept so far that are not below `from`.  Many threads may ask between calls of keep().
  virtual bool kept(ItemId item, ItemId from, std::vector<ItemId>& out) const = 0;
  // Items from `from` on that come before `item`, kept or not; false and nothing if there are more
  // than `limit`.  Requires: nothing from `from` on has been kept.
  virtual bool between(ItemId from, ItemId item, std::size_t limit,
                       std::vector<ItemId>& out) const = 0;
  // Requires: ascending items.
  virtual void keep(ItemId item) = 0;
  // What is on the disk leaves memory until it is asked for again.
  virtual void release() const {}
};

}  // namespace twinsift
