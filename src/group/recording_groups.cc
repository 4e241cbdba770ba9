// SPDX-License-Identifier: Apache-2.0
#include "group/recording_groups.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "group/star.h"

namespace twinsift {
namespace {

using Order = std::vector<ItemId>;

std::vector<std::uint32_t> ranks_of(const Order& order) {
  std::vector<std::uint32_t> ranks(order.size());
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
  return ranks;
}

// The best copies first: a sharper picture is worth more than a few bytes, and so is sound with
// high tones, up to what people hear, and sound of which nothing was left out to save them.
Order by_quality(std::span<const RecordingItem> items) {
  Order order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](ItemId i) {
    const RecordingItem& item = items[i];
    const int lossy = !item.lossless ? 1 : *item.lossless ? 0 : 2;
    constexpr std::uint32_t kAllTones = 32000;  // Hz
    const std::uint32_t missing = kAllTones - std::min(item.sample_rate, kAllTones);
    return std::tuple(!item.reference, UINT64_MAX - item.pixels, missing, lossy,
                      UINT64_MAX - item.bytes, i);
  });
  return order;
}

// Whether the earlier one may stand for the later one.
bool stands_for(const RecordingPair& pair, bool a_first) {
  return pair.relation == Relation::kSame ||
         pair.relation == (a_first ? Relation::kContains : Relation::kContained);
}

// keeper[i] for each item, if they are asked in this order.
std::vector<ItemId> stars_in(const Order& order, std::span<const RecordingItem> items,
                             std::span<const RecordingPair> pairs, bool only_same) {
  const auto ranks = ranks_of(order);
  std::vector<Match> matches;
  for (const RecordingPair& pair : pairs) {
    const auto [first, second] = std::minmax(ranks[pair.a], ranks[pair.b]);
    if (only_same && pair.relation != Relation::kSame) continue;
    if (stands_for(pair, ranks[pair.a] == first)) matches.push_back({first, second, pair.score});
  }
  std::ranges::sort(matches, {}, [](const Match& match) { return std::pair(match.a, match.b); });
  const auto references =
      static_cast<std::uint32_t>(std::ranges::count_if(items, &RecordingItem::reference));
  const Stars stars = stars_of(matches, static_cast<std::uint32_t>(items.size()), references);
  std::vector<ItemId> keeper(items.size());
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
    keeper[order[rank]] = order[stars.keeper[rank]];
  }
  return keeper;
}

}  // namespace

RecordingGroups group_recordings(std::span<const RecordingItem> items,
                                 std::span<const RecordingPair> pairs) {
  Order order = by_quality(items);
  const auto quality = ranks_of(order);
  const auto best = stars_in(order, items, pairs, true);
  std::ranges::sort(order, {}, [&](ItemId i) {
    return std::tuple(!items[i].reference, -items[best[i]].seconds, quality[best[i]], quality[i]);
  });
  RecordingGroups groups{.keeper = stars_in(order, items, pairs, false), .links = {}};
  const auto stays = [&](ItemId i) { return groups.keeper[i] == i; };
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const RecordingPair& pair = pairs[i];
    if (pair.relation != Relation::kSame && stays(pair.a) && stays(pair.b)) {
      groups.links.push_back(i);
    }
  }
  return groups;
}

}  // namespace twinsift
