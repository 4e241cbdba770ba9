// SPDX-License-Identifier: Apache-2.0
// What find() does when pictures that stayed as wholes turn out to match: who goes with whom, and
// what becomes of those that went with one that goes itself.  No group is ever a chain.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "run/find.h"

namespace twinsift {

// They come first.
std::uint32_t FindRun::references_of(std::span<const std::uint32_t> items) const {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(items, [&](auto c) { return has_reference(c); }));
}

// Stars of the items, numbered anew in the order of keeping.
Result<std::vector<FindRun::Joined>> FindRun::join(std::span<const std::uint32_t> items,
                                                   std::span<const PlacedPair> pairs) const {
  TWINSIFT_TRY(const auto order, without_borders_first(items, pairs));
  std::vector<ItemId> place(items.size());
  for (ItemId i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::vector<Match> matches;
  for (const PlacedPair& pair : pairs) {
    const auto [a, b] = std::minmax(place[pair.a], place[pair.b]);
    matches.push_back({a, b, pair.score});
  }
  const Stars stars =
      stars_of(matches, static_cast<std::uint32_t>(items.size()), references_of(items));
  std::vector<Joined> joined;
  for (ItemId i = 0; i < items.size(); ++i) {
    const ItemId k = stars.keeper[i];
    if (k == i) continue;
    joined.push_back({items[order[i]], items[order[k]], order[k] < order[i]});
  }
  return joined;
}

Status FindRun::absorb(std::span<const Joined> joined, FoundBy by) {
  std::map<std::uint32_t, std::uint32_t> absorbed;  // content that stayed, by whom
  for (const Joined& one : joined) absorbed.emplace(one.content, one.keeper);
  TWINSIFT_TRY([[maybe_unused]] auto moved, move_followers(absorbed, by));
  for (const auto& [content, keeper] : absorbed) matched_.duplicates.push_back({content, keeper});
  return ok();
}

// What went with a picture that goes itself now.  Key points only for those that need them.
Status FindRun::move_followers(const std::map<std::uint32_t, std::uint32_t>& absorbed, FoundBy by) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> followers;  // by the one that stayed
  std::vector<std::uint32_t> far;
  for (const auto& [content, old_keeper] : matched_.duplicates) {
    const auto keeper = absorbed.find(old_keeper);
    if (keeper == absorbed.end()) continue;
    followers[old_keeper].push_back(content);
    TWINSIFT_TRY(const bool near, match_as_wholes(keeper->second, content));
    if (!near) far.push_back(content);
  }
  if (followers.empty()) return ok();
  if (by == FoundBy::kKeyPoints) {
    TWINSIFT_TRY([[maybe_unused]] auto learnt, learn_local(far));
  }
  std::erase_if(matched_.duplicates,
                [&](const Duplicate& duplicate) { return absorbed.contains(duplicate.keeper); });
  for (const auto& [old_keeper, contents] : followers) {
    std::vector<std::uint32_t> keepers = {absorbed.at(old_keeper)};
    for (const std::uint32_t c : contents) {
      TWINSIFT_TRY(const auto keeper, first_that_matches(keepers, c, by));
      if (keeper) {
        matched_.duplicates.push_back({c, *keeper});
      } else {
        keepers.push_back(c);
      }
    }
  }
  return ok();
}

// By their codes, else by learned ones, if these are asked at all; what was found is remembered.
Result<bool> FindRun::match_as_wholes(std::uint32_t keeper, std::uint32_t content) {
  const std::pair key(keeper, content);
  if (whole_matches_.contains(key)) return true;
  if (!may_match(keeper, content)) return false;
  TWINSIFT_TRY(WholeMatch match, compare_wholes(keeper, content));
  const double threshold = picture_threshold(resolved_.threshold);
  if (match.score < threshold && pictures_by_->learned_radius() > 0) {
    TWINSIFT_TRY([[maybe_unused]] auto learnt, learn_codes(std::array{keeper, content}));
    const LearnedDistance distance = learned_distance(learned_[keeper], learned_[content]);
    TWINSIFT_TRY(match, compare_by_learned(keeper, content, distance));
  }
  if (match.score < threshold) return false;
  whole_matches_.emplace(key, std::move(match));
  return true;
}

Result<std::optional<std::uint32_t>> FindRun::first_that_matches(
    std::span<const std::uint32_t> keepers, std::uint32_t content, FoundBy by) {
  LocalPrint local;
  if (by == FoundBy::kKeyPoints) {
    TWINSIFT_TRY(local, local_print_of(content));
  }
  LocalMatchOptions how;
  how.least_score = picture_threshold(resolved_.threshold);
  for (const std::uint32_t keeper : keepers) {
    if (!may_match(keeper, content)) continue;
    TWINSIFT_TRY(const bool near, match_as_wholes(keeper, content));
    if (near) return std::optional(keeper);
    if (by != FoundBy::kKeyPoints) continue;
    TWINSIFT_TRY(const LocalPrint keeper_local, local_print_of(keeper));
    auto match = match_local_or_mirrored(keeper_local.words, local.words, local.mirrored, how);
    if (!match) continue;
    local_matches_.emplace(content, *std::move(match));
    return std::optional(keeper);
  }
  return std::optional<std::uint32_t>();
}

}  // namespace twinsift
