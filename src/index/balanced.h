// SPDX-License-Identifier: Apache-2.0
// Load-balanced LSH: what a bucket has too many of moves on to the next.
//
// In each table the buckets stand in ascending order of their keys, non-empty ones only.  Each has
// a virtual centre, the mean of its members (eq. 27), which never changes.  Going through them, a
// bucket of more than Delta members sends those farthest from its centre (ties: larger ids) to the
// next, the last to the first, until none has too many.  A question reads the bucket of its key h,
// or the next one if there is none, and
//     probe=paper     phi = floor(Delta / (Delta - M)) more (eq. 28), M = members per bucket;
//     probe=recorded  as many as any member of h has moved: nothing of h is missed, so that the
//                     answers contain those of basic LSH for every seed.
// Delta is
//     cap=auto   ceil(4 M), the default;
//     cap=paper  ceil((d n + n^(1 + 1/c^2)) / (L B)), c = 2, B = 2000 (eq. 25);
//     cap=none   infinite, and then nothing moves;
//     cap=N      what is said.
//
// Papers:  [HU18] Hu, Fan, Xing, Sun, Cai, Maybank, "Deep Constrained Siamese Hash Coding
//          Network and Load-Balanced Locality-Sensitive Hashing for Near Duplicate Image
//          Detection", IEEE TIP 2018, sec. IV, Algorithm 1.
// Differs: where Delta times the buckets is less than n, Delta is raised to ceil(M): the paper
//          would loop for ever.  Then at most two passes are needed.  For M >= Delta, where eq.
//          28 divides by 0 or less, all buckets are read.
// Errata:  eq. 25 counts stored numbers, not members: it grows with d.  Of the seven values in
//          the paper the formula gives none exactly: 85, 57, 140, 105, 28, 23, 512 against 84,
//          54, 134, 100, 27, 34, 550.  phi does not bound how far members move.  Neighbours in
//          the order of keys need not be alike (0111, 1000).
// Cost:    O(n d + n log n) a table to build; it is built once and for all.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/vector_family.h"
#include "index/vector_store.h"

namespace twinsift {

// Eq. 25.  Requires: n, d, l, b > 0.
std::uint64_t paper_cap(std::uint64_t n, std::uint64_t d, std::uint64_t l, std::uint64_t b = 2000);

class BalancedTable {
 public:
  static constexpr std::uint64_t kNoCap = UINT64_MAX;

  // keys[i] is that of id i.  Requires: as many as vectors in the store, whose ids are 0, 1, ...
  BalancedTable(std::span<const std::uint64_t> keys, const VectorStore& store, std::uint64_t cap);

  // The buckets that are to be read for a key, as the number of the first and how many.
  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  [[nodiscard]] Range paper_probe(std::uint64_t key) const;
  [[nodiscard]] Range recorded_probe(std::uint64_t key) const;
  void read(const Range& range, std::vector<ItemId>& out) const;

  [[nodiscard]] std::uint64_t cap() const { return cap_; }  // perhaps raised
  [[nodiscard]] const std::vector<std::vector<ItemId>>& buckets() const { return buckets_; }

 private:
  [[nodiscard]] std::size_t home(std::uint64_t key) const;
  void redistribute(const VectorStore& store);
  void record(std::span<const std::size_t> homes);

  std::uint64_t cap_;
  std::size_t items_;
  std::vector<std::uint64_t> keys_;  // ascending, one for each bucket
  std::vector<std::vector<ItemId>> buckets_;
  std::vector<std::size_t> moved_;  // how far any member of this home has moved
};

// "balanced1:family=hamming,cap=auto,probe=paper,v=16,l=10,theta=median,seed=0", or with
// family=pstable and its keys.
Result<std::unique_ptr<VectorIndex>> make_balanced(std::string_view spec,
                                                   const VectorRows& training,
                                                   const VectorRows& items);

}  // namespace twinsift
