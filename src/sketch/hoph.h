// SPDX-License-Identifier: Apache-2.0
// Hierarchical One Permutation Hashing, (a:b) HOPH: groups of bins, each with a smaller part of the
// universe than the one before.
//
// With r = a/(a+b), group j = 1..n holds the share
//     w_j = r (1-r)^(j-1) for j < n,   w_n = (1-r)^(n-1),   sum w_j = 1,
// of the permuted universe, cut into k' = k/n equal bins.  If m_j bins of a group match and e_j are
// empty in both sketches, its estimate is R_j = m_j / (k' - e_j), and the whole is
//     paper:  sum w_j R_j / sum w_j over the groups that are not empty in both,
//     pooled: sum m_j / sum (k' - e_j).
// Both are unbiased.  Bins hold different elements, as in OPH, so that eq. 8 (oph.h) holds with
//     1/m = sum w_j^2 / (k' - e_j),   for large sets sum w_j^2 / k' -> r / (2-r) / k':
// the paper's estimate is worth 3k' (1:1), 5k' (1:2) or 2k' (2:1) bins, however many groups there
// are.  It is here to reproduce the paper; oph1 and fss1 are more accurate for the same k.
//
// Papers:  [HOPH18] Zhang et al., MTAP 2018, sec. 4.
// Differs: groups are intervals of 2^64, found without division; the last one takes the rest.
// Errata:  the paper's lengths r^j fill the universe for 1:1 only (0.5001 of it for 1:2 and 1.961
//          for 2:1 with 9 splits).  Fig. 2 prints 0.375 for (D1, D3), because it drops bins that
//          either set leaves empty: it must be 1/4.
// Cost:    O(n |set| + k); 8k bytes.  Merges by component-wise minimum.
#pragma once

#include <vector>

#include "base/permute.h"
#include "sketch/oph.h"
#include "sketch/spec.h"
#include "twinsift/sketch.h"

namespace twinsift {

// How the permuted universe [0, 2^64) is cut.
struct HophShape {
  std::uint32_t a = 1;  // the ratio a:b
  std::uint32_t b = 1;
  std::uint32_t groups = 8;
  std::uint32_t bins = 32;  // k', in each group
};

// The weights w_j.
std::vector<double> hoph_weights(const HophShape& shape);

class HophPartition {
 public:
  // Requires: fits(shape).
  explicit HophPartition(const HophShape& shape);

  // Every group has 2^32 points or more, so that the bins of a group are equal to one part in 2^16.
  static bool fits(const HophShape& shape);

  // Lets permuted numbers fall into the bins, group after group; an example on {0..15} under the
  // identity is x << 60.  Requires: bins.size() == groups * k'.
  void throw_permuted(std::span<const std::uint64_t> permuted, std::span<std::uint64_t> bins) const;

  // The first point of each group.
  [[nodiscard]] const std::vector<std::uint64_t>& starts() const { return starts_; }

 private:
  // (h - start) 2^64 / length = x + x * rest / 2^64 with x = (h - start) << shift.
  struct Scale {
    unsigned shift = 0;
    std::uint64_t rest = 0;
  };
  std::vector<std::uint64_t> starts_;
  std::vector<Scale> scales_;
  std::uint32_t bins_;
};

// Counts of the groups, and what they say.
enum class HophEstimate : std::uint8_t { kPaper, kPooled };
std::vector<BinCounts> count_groups(std::span<const std::uint64_t> a,
                                    std::span<const std::uint64_t> b, std::uint32_t groups);
// Requires: counts.size() == shape.groups.
Estimate estimate_groups(std::span<const BinCounts> counts, const HophShape& shape,
                         HophEstimate how);

class HophSketcher final : public Sketcher {
 public:
  // Requires: HophPartition::fits(shape) and 0 < k() <= 65536.
  HophSketcher(const HophShape& shape, HophEstimate how, std::uint64_t seed);
  [[nodiscard]] std::string spec() const override;
  [[nodiscard]] std::uint32_t k() const override { return shape_.groups * shape_.bins; }
  [[nodiscard]] bool bounded_variance() const override { return false; }
  [[nodiscard]] bool leaves_empty() const override { return true; }
  void sketch_ids(std::span<const std::uint64_t> ids, std::span<std::uint64_t> out) const override;
  [[nodiscard]] Result<Sketch> sketch(const Feature& feature) const override;
  [[nodiscard]] Estimate similarity(const Sketch& a, const Sketch& b) const override;
  [[nodiscard]] Result<Sketch> merge(const Sketch& a, const Sketch& b) const override;

 private:
  HophShape shape_;
  HophPartition partition_;
  HophEstimate how_;
  std::uint64_t seed_;
};

Result<std::unique_ptr<Sketcher>> make_hoph(const SketchSpec& spec);

}  // namespace twinsift
