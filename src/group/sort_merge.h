// SPDX-License-Identifier: Apache-2.0
// Sort and merge: all pairs of items that have a value in common, and with how many, in two
// sorts; then clusters of the pairs that resemble each other.
//
//   1. (value, item) pairs are sorted; the items of one value stand together.
//   2. Each value that df items share gives df (df - 1) / 2 pairs (i, j) with i < j.  These are
//      sorted, too, and equal ones counted: c_ij.
//   3. The pair resembles if R = c_ij / (|S_i| + |S_j| - c_ij) >= T, or, for containment,
//      c_ij / min(|S_i|, |S_j|) >= T.  Connected components are the clusters.
// Values may be all features of an item (then c is exact) or the components of its sketch.
//
// Values that more than `max_items` items share say little and cost much: they are left out
// and counted.  Then c and R are lower bounds: pairs may be missed, never invented.  Equal items
// should be collapsed beforehand, because a crowd of them makes each of their values common.
//
// Components chain: the two ends of one may have nothing in common.  The star check tells which
// members resemble the representative of their cluster themselves.
//
// Papers:  [BGMZ97] Broder, Glassman, Manasse, Zweig, "Syntactic Clustering of the Web", 1997.
//          [CWSF19] Yuan, Wang, Peng, Zhang, "Efficient Near-Duplicate Document Detection Using
//          Consistent Weighted Sampling Filter", 2019, sec. 3, which describes it.
// Differs: equal values of one item count once; values that are too common are left out; the
//          star check.
// Cost:    O(n log n) for n (value, item) pairs and P log P for P = sum over values of df^2 / 2
//          pairs; memory as given, the rest on the disk.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/external_sort.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct SortMergeOptions {
  std::uint32_t max_items = 1000;                    // of a value that is followed
  std::uint64_t memory = std::uint64_t{256} << 20U;  // bytes, for both sorts together
  std::string temp_dir{};                            // empty: $TMPDIR or /tmp
  std::stop_token stop{};                            // ends either sort: kCancelled
  // How much of a sort has come back, now and then.
  std::function<void(std::string_view what, std::uint64_t done, std::uint64_t total)> progress{};
};

// Two items and how many values they share.
struct Overlap {
  ItemId a = 0;  // a < b
  ItemId b = 0;
  std::uint64_t common = 0;
  friend bool operator==(const Overlap&, const Overlap&) = default;
};

// Not thread-safe.  After an error it is good for nothing but its destructor.
class SortMerge {
 public:
  explicit SortMerge(const SortMergeOptions& options);

  // In any order; saying the same thing twice changes nothing.
  Status add(std::uint64_t value, ItemId item);

  // The first sort.  Call once, when all has been added.
  Status pair_up();

  // After pair_up(): the values that were left out, ascending: more than max_items items share
  // each.
  [[nodiscard]] std::span<const std::uint64_t> common_values() const { return common_values_; }
  [[nodiscard]] std::uint64_t values() const { return values_; }  // different ones

  // The second sort: calls take() for every pair that shares a value, ascending by (a, b); stops
  // at its first error.  Call once, after pair_up().
  Status overlaps(const std::function<Status(const Overlap&)>& take);

 private:
  struct Posting {
    std::uint64_t value;
    std::uint64_t item;
    friend auto operator<=>(const Posting&, const Posting&) = default;
    bool absorb(const Posting& next) const { return *this == next; }
  };
  struct PairCount {
    std::uint64_t pair;  // a in the upper half, b in the lower
    std::uint64_t count;
    friend bool operator<(const PairCount& x, const PairCount& y) { return x.pair < y.pair; }
    bool absorb(const PairCount& next) {
      if (pair != next.pair) return false;
      count += next.count;
      return true;
    }
  };

  Status expand(std::span<const std::uint64_t> items);
  Status end_value(std::uint64_t value, std::span<const std::uint64_t> items);
  void tell(std::string_view what, std::uint64_t done, std::uint64_t total);

  SortMergeOptions options_;
  std::uint64_t values_ = 0;
  std::vector<std::uint64_t> common_values_;
  std::uint64_t added_ = 0;   // postings
  std::uint64_t paired_ = 0;  // pairs, each as often as it was found
  std::uint64_t told_ = 0;
  ExternalSorter<Posting> postings_;
  ExternalSorter<PairCount> pairs_;
};

enum class OverlapMeasure : std::uint8_t { kResemblance, kContainment };

// Requires: common <= min(size_a, size_b), common > 0.
double overlap_score(std::uint64_t common, std::uint64_t size_a, std::uint64_t size_b,
                     OverlapMeasure measure);

struct ClusterTask {
  std::vector<std::uint64_t> sizes{};  // |S_i| of every item, all values counted
  double threshold = 0.8;
  OverlapMeasure measure = OverlapMeasure::kResemblance;
};

struct Clusters {
  std::vector<ItemId> representative;  // of each item: the first of its cluster
  // With the representative; 1 for that itself; 0 for members that only a chain leads to, be it
  // that they do not resemble it, or that values were left out.
  std::vector<double> score;
  std::uint32_t clusters = 0;  // those of a single item included
  std::uint32_t chained = 0;   // members whose score is 0
};

// Single-link clusters of all that was added.  kInvalidArgument if an item has no size, or shares
// more values than its size.
Result<Clusters> find_clusters(SortMerge& values, const ClusterTask& task);

}  // namespace twinsift
