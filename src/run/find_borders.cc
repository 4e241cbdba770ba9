// SPDX-License-Identifier: Apache-2.0
// Who stays of pictures of which one is the other with a border around it.
//
// Pictures stay by their pixels, and a border has many.  Where two match, and what one shows beyond
// the other is a plain border (verify/picture_border.h), only the pixels of what both show count;
// if the one without the border has as many of these, it stays.
#include <algorithm>
#include <map>

#include "run/find.h"
#include "verify/picture_border.h"

namespace twinsift {
namespace {

constexpr double kAll = 0.98;  // what rounding at the edges leaves of all

}  // namespace

// As compared with b, by a placement of which the scale is that of the full sizes.
Result<Borders> FindRun::borders_of(std::uint32_t a, std::uint32_t b,
                                    const Placement& placement) const {
  if (placement.covered_a >= kAll && placement.covered_b >= kAll) return Borders{};
  TWINSIFT_TRY(const SetView packed_a, packed_of(a));
  TWINSIFT_TRY(const SetView packed_b, packed_of(b));
  return pictures_by_->borders(packed_a, packed_b, placement);
}

// In each group of whole pictures, unless a member would match the new keeper no longer.
Status FindRun::prefer_unbordered() {
  std::map<std::uint32_t, std::vector<std::uint32_t>> followers;
  for (const auto& [pair, match] : whole_matches_) followers[pair.first].push_back(pair.second);
  std::vector<std::uint32_t> rank(files_.size(), 0);
  for (std::uint32_t i = 0; i < pictures_.size(); ++i) rank[pictures_[i]] = i;
  for (auto& [keeper, contents] : followers) {
    if (has_reference(keeper)) continue;
    std::ranges::sort(contents, {}, [&](auto c) { return rank[c]; });
    for (const std::uint32_t c : contents) {
      const auto& placement = whole_matches_.at({keeper, c}).placement;
      if (!placement) continue;
      TWINSIFT_TRY(const Borders borders, borders_of(keeper, c, *placement));
      if (!is_bordered_copy(*placement, borders)) continue;
      TWINSIFT_TRY(const bool done, make_keeper(c, keeper, contents));
      if (done) break;
    }
  }
  return ok();
}

// False, and nothing has changed, if one of the group does not match it.
Result<bool> FindRun::make_keeper(std::uint32_t chosen, std::uint32_t old_keeper,
                                  std::span<const std::uint32_t> contents) {
  std::map<std::uint32_t, WholeMatch> matches;
  for (const std::uint32_t c : contents) {
    const std::uint32_t other = c == chosen ? old_keeper : c;
    if (!may_match(chosen, other)) return false;
    TWINSIFT_TRY(WholeMatch match, compare_wholes(chosen, other));
    if (match.score < picture_threshold(resolved_.threshold)) return false;
    matches.emplace(other, std::move(match));
  }
  for (const std::uint32_t c : contents) whole_matches_.erase({old_keeper, c});
  for (auto& [c, match] : matches) whole_matches_.emplace(std::pair(chosen, c), std::move(match));
  for (Duplicate& duplicate : matched_.duplicates) {
    if (duplicate.keeper != old_keeper) continue;
    if (duplicate.content == chosen) duplicate.content = old_keeper;
    duplicate.keeper = chosen;
  }
  return true;
}

// The contents in the order of keeping: as they are, but those with a border come last.
Result<std::vector<std::uint32_t>> FindRun::without_borders_first(
    std::span<const std::uint32_t> items, std::span<const PlacedPair> pairs) const {
  std::vector<std::uint8_t> bordered(items.size(), 0);
  for (const PlacedPair& pair : pairs) {
    const std::uint32_t a = items[pair.a];
    const std::uint32_t b = items[pair.b];
    if (pair.placement->covered_a >= kAll || has_reference(a)) continue;
    Placement placement = *pair.placement;
    if (pair.by == FoundBy::kKeyPoints) {
      TWINSIFT_TRY(const Widths widths, widths_of(a, b));
      placement = at_full_size(placement, widths);
    }
    TWINSIFT_TRY(const Borders borders, borders_of(a, b, placement));
    if (is_bordered_copy(placement, borders)) bordered[pair.a] = 1;
  }
  std::vector<std::uint32_t> order;
  for (const int last : {0, 1}) {
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      if (bordered[i] == last) order.push_back(i);
    }
  }
  return order;
}

// How much of a member is a border, as a fact, because who plans counts pixels, too.
Status FindRun::note_borders(Group& group, const MemberPair& pair, std::uint32_t keeper,
                             std::uint32_t file) const {
  if (!pictures_by_ || group.medium != "image" || !pair.evidence.placement) return ok();
  const Placement& placement = *pair.evidence.placement;
  TWINSIFT_TRY(const Borders borders, borders_of(content_[keeper], content_[file], placement));
  twinsift::note_borders(placement, borders, group.members[pair.a].facts,
                         group.members[pair.b].facts);
  return ok();
}

}  // namespace twinsift
