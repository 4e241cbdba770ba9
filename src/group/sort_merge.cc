// SPDX-License-Identifier: Apache-2.0
#include "group/sort_merge.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace twinsift {
namespace {

// Disjoint sets whose root is their smallest member.
class Components {
 public:
  explicit Components(std::size_t items) : parent_(items) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  ItemId root(ItemId item) {
    while (parent_[item] != item) {
      parent_[item] = parent_[parent_[item]];  // halves the path for the next one
      item = parent_[item];
    }
    return item;
  }

  void unite(ItemId a, ItemId b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<ItemId> parent_;
};

Status check(const Overlap& overlap, const std::vector<std::uint64_t>& sizes) {
  if (overlap.b < sizes.size() && overlap.common <= sizes[overlap.a] &&
      overlap.common <= sizes[overlap.b]) {
    return ok();
  }
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("items {} and {} share {} values, which is more than their sizes allow",
                           overlap.a, overlap.b, overlap.common)};
}

}  // namespace

SortMerge::SortMerge(const SortMergeOptions& options)
    : options_(options),
      postings_(options.memory / 2, options.temp_dir, options.stop),
      pairs_(options.memory / 2, options.temp_dir, options.stop) {}

Status SortMerge::add(std::uint64_t value, ItemId item) {
  ++added_;
  return postings_.add({value, item});
}

void SortMerge::tell(std::string_view what, std::uint64_t done, std::uint64_t total) {
  constexpr std::uint64_t kOften = 1U << 16U;
  if (!options_.progress || done < told_ + kOften) return;
  told_ = done;
  options_.progress(what, done, total);
}

Status SortMerge::expand(std::span<const std::uint64_t> items) {
  for (std::size_t j = 1; j < items.size(); ++j) {
    paired_ += j;
    for (const std::uint64_t earlier : items.first(j)) {
      TWINSIFT_TRY([[maybe_unused]] auto added, pairs_.add({earlier << 32U | items[j], 1}));
    }
  }
  return ok();
}

// One more item than max_items means that there are too many.
Status SortMerge::end_value(std::uint64_t value, std::span<const std::uint64_t> items) {
  if (items.empty()) return ok();
  ++values_;
  if (items.size() <= options_.max_items) return expand(items);
  common_values_.push_back(value);
  return ok();
}

Status SortMerge::pair_up() {
  std::uint64_t value = 0;
  std::uint64_t done = 0;
  std::vector<std::uint64_t> items;  // of the value
  TWINSIFT_TRY([[maybe_unused]] auto sorted, postings_.drain([&](const Posting& p) -> Status {
    if (p.value != value) {
      TWINSIFT_TRY([[maybe_unused]] auto ended, end_value(value, items));
      items.clear();
      value = p.value;
    }
    if (items.size() <= options_.max_items) items.push_back(p.item);
    tell("pairing", ++done, added_);
    return ok();
  }));
  return end_value(value, items);
}

Status SortMerge::overlaps(const std::function<Status(const Overlap&)>& take) {
  std::uint64_t done = 0;
  told_ = 0;
  return pairs_.drain([&](const PairCount& p) -> Status {
    tell("counting", done += p.count, paired_);
    return take({static_cast<ItemId>(p.pair >> 32U), static_cast<ItemId>(p.pair), p.count});
  });
}

double overlap_score(std::uint64_t common, std::uint64_t size_a, std::uint64_t size_b,
                     OverlapMeasure measure) {
  assert(common > 0 && common <= std::min(size_a, size_b));
  const std::uint64_t whole =
      measure == OverlapMeasure::kContainment ? std::min(size_a, size_b) : size_a + size_b - common;
  return static_cast<double>(common) / static_cast<double>(whole);
}

Result<Clusters> find_clusters(SortMerge& values, const ClusterTask& task) {
  const std::size_t items = task.sizes.size();
  Components components(items);
  // The first match of each item is all the star check needs: a representative comes before
  // every other member, so if it matches one, it is the first that does.
  std::vector<Match> first(items);
  const auto take = [&](const Overlap& pair) -> Status {
    TWINSIFT_TRY([[maybe_unused]] auto checked, check(pair, task.sizes));
    const double score =
        overlap_score(pair.common, task.sizes[pair.a], task.sizes[pair.b], task.measure);
    if (score < task.threshold) return ok();
    components.unite(pair.a, pair.b);
    if (first[pair.b].score == 0) first[pair.b] = {pair.a, pair.b, score};
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] auto paired, values.pair_up());
  TWINSIFT_TRY([[maybe_unused]] auto done, values.overlaps(take));
  Clusters found;
  for (ItemId item = 0; item < items; ++item) {
    const ItemId representative = components.root(item);
    const bool alone = representative == item;
    const bool direct = !alone && first[item].score > 0 && first[item].a == representative;
    found.representative.push_back(representative);
    found.score.push_back(alone ? 1 : direct ? first[item].score : 0);
    if (alone) ++found.clusters;
    if (!alone && !direct) ++found.chained;
  }
  return found;
}

}  // namespace twinsift
