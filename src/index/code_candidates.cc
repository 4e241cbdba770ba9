// SPDX-License-Identifier: Apache-2.0
#include "index/code_candidates.h"

#include <algorithm>
#include <cassert>

#include "base/ascending.h"
#include "base/bit_code.h"

namespace twinsift {

CodeCandidates::CodeCandidates(std::span<const OrientedCodes> codes,
                               const std::array<std::uint32_t, 8>& radii,
                               std::unique_ptr<CodeIndex> kept)
    : codes_(codes), radii_(radii), kept_(std::move(kept)) {
  plain_.reserve(codes.size() * kCodeWords);
  for (const OrientedCodes& code : codes) {
    plain_.insert(plain_.end(), code[0].begin(), code[0].end());
  }
}

bool CodeCandidates::earlier(ItemId item, std::vector<ItemId>& out) const {
  return between(0, item, SIZE_MAX, out);
}

bool CodeCandidates::kept(ItemId item, ItemId from, std::vector<ItemId>& out) const {
  out.clear();
  std::vector<CodeMatch> found;
  for (std::size_t o = 0; o < radii_.size(); ++o) {
    [[maybe_unused]] const Status asked = kept_->near(codes_[item][o], radii_[o], found);
    assert(asked);  // all codes have the length of the index
    for (const CodeMatch& match : found) {
      if (match.row >= from) out.push_back(match.row);
    }
  }
  sort_unique(out);
  return true;
}

bool CodeCandidates::between(ItemId from, ItemId item, std::size_t limit,
                             std::vector<ItemId>& out) const {
  out.clear();
  std::vector<NearRow> found(item - from);
  for (std::size_t o = 0; o < radii_.size(); ++o) {
    const std::size_t count =
        near_range(codes_[item][o], plain_.data(), from, item - from, radii_[o], found.data());
    for (std::size_t i = 0; i < count; ++i) out.push_back(found[i].row);
  }
  sort_unique(out);
  if (out.size() <= limit) return true;
  out.clear();
  return false;
}

void CodeCandidates::keep(ItemId item) {
  [[maybe_unused]] const Status inserted = kept_->insert(item, codes_[item][0]);
  assert(inserted);  // each item is kept once
}

}  // namespace twinsift
