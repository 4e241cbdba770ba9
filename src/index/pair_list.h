// SPDX-License-Identifier: Apache-2.0
// Candidate pairs, one by one: for each item those before it, in one array that can move to disk.
//
// Pairs come sorted, from the last item to the first, as a sort gives them that has seen the items
// in backward order; so each is written once, behind the last.
//
// Cost: 4 bytes for each pair, 10 for each item.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/spill.h"
#include "index/candidate_source.h"
#include "twinsift/result.h"

namespace twinsift {

class PairList final : public CandidateSource {
 public:
  // Beyond `memory` bytes the pairs go to a file in `temp_dir` (empty: $TMPDIR or /tmp).
  PairList(std::uint32_t items, std::uint64_t memory, std::string temp_dir);

  // Requires: `item` descends, and `earlier` for one item; earlier < item.
  Status add(ItemId item, ItemId earlier);
  // Some candidates of this item may be missing.
  void mark_incomplete(ItemId item) { incomplete_[item] = 1; }
  // Call before the first question, when all has been said.
  void finish();

  bool earlier(ItemId item, std::vector<ItemId>& out) const override;
  bool kept(ItemId item, ItemId from, std::vector<ItemId>& out) const override;
  bool between(ItemId from, ItemId item, std::size_t limit,
               std::vector<ItemId>& out) const override;
  void keep(ItemId item) override { kept_[item] = 1; }
  void release() const override;

  [[nodiscard]] std::uint64_t pairs() const { return earlier_.size(); }
  [[nodiscard]] bool spilled() const { return spilled_; }

 private:
  // Descending.
  [[nodiscard]] std::span<const ItemId> all(ItemId item) const {
    const std::uint64_t begin = item + 1 == ends_.size() ? 0 : ends_[item + 1];
    return earlier_.span().subspan(begin, ends_[item] - begin);
  }

  std::uint64_t memory_;
  std::string temp_dir_;
  bool spilled_ = false;
  SpillVector<ItemId> earlier_;  // of the last item, of the one before it, ...
  std::vector<std::uint64_t>
      ends_;  // of each item's stretch, which begins where the next one's ends
  std::vector<std::uint8_t> kept_;
  std::vector<std::uint8_t> incomplete_;
};

}  // namespace twinsift
