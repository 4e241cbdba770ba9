// SPDX-License-Identifier: Apache-2.0
// Candidates by the codes of pictures, in eight orientations.
//
// A picture may be a turned or mirrored copy of another: the question is asked with the codes that
// it would have in each orientation.  Those that are kept are in an index; the few of a block that
// is being decided are read one by one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "index/candidate_source.h"
#include "index/code_index.h"

namespace twinsift {

inline constexpr std::size_t kCodeWords = 4;
using OrientedCodes = std::array<std::array<std::uint64_t, kCodeWords>, 8>;

class CodeCandidates final : public CandidateSource {
 public:
  // `codes[i][o]` is the code of item i in orientation o, and radii[o] how many bits may differ
  // then.  The index must be empty.
  CodeCandidates(std::span<const OrientedCodes> codes, const std::array<std::uint32_t, 8>& radii,
                 std::unique_ptr<CodeIndex> kept);

  bool earlier(ItemId item, std::vector<ItemId>& out) const override;
  bool kept(ItemId item, ItemId from, std::vector<ItemId>& out) const override;
  bool between(ItemId from, ItemId item, std::size_t limit,
               std::vector<ItemId>& out) const override;
  void keep(ItemId item) override;

 private:
  std::span<const OrientedCodes> codes_;
  std::array<std::uint32_t, 8> radii_;
  std::vector<std::uint64_t> plain_;  // orientation 0 of all items, one after another
  std::unique_ptr<CodeIndex> kept_;
};

}  // namespace twinsift
