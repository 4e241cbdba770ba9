// SPDX-License-Identifier: Apache-2.0
// Candidates of two sources: those that either of them names.
#pragma once

#include "index/candidate_source.h"

namespace twinsift {

// Both must outlive it, and are told of what is kept by it alone.
class UnionCandidates final : public CandidateSource {
 public:
  UnionCandidates(CandidateSource& first, CandidateSource& second)
      : first_(first), second_(second) {}

  bool earlier(ItemId item, std::vector<ItemId>& out) const override;
  bool kept(ItemId item, ItemId from, std::vector<ItemId>& out) const override;
  bool between(ItemId from, ItemId item, std::size_t limit,
               std::vector<ItemId>& out) const override;
  void keep(ItemId item) override;
  void release() const override;

 private:
  CandidateSource& first_;
  CandidateSource& second_;
};

}  // namespace twinsift
