// SPDX-License-Identifier: Apache-2.0
// Densified One Permutation Hashing: OPH (oph.h) in which every empty bin borrows from a full one.
//
// Banding and fixed-width codes need a value in every bin.  An empty bin i tries the bins
//     j_a = floor(k mix64(key ^ (i << 32 | a)) / 2^64),   a = 1, 2, ...
// and copies the first that the set filled itself; two sets try the same bins in the same order, so
// that each component is still equal with probability J, and J is estimated by the share of equal
// components.  The m bins that A u B fills count c = 1 + copies times, and with e = k - m
//     Var = J(1-J) (v (1 + 1/(f-1)) - 1/(f-1)),   v = E[sum c^2] / k^2,
//     E[sum c^2 | m] = m + 3e + e(e-1)/m:
// 1.5 times MinHash's for f << k, where raw OPH has half of it.  similarity() takes f = |A u B|
// from the numbers of different values in the sketches.
//
// Papers:  [Shr17] Shrivastava, "Optimal Densification for Fast and Accurate Minwise Hashing",
//          ICML 2017.
// Differs: the formula for v is ours.  Not "rotation" [SL14], which copies from the next full bin
//          to the right: its variance is up to 30 times that of MinHash.
// Cost:    as OPH, and k/m tries for each empty bin: k^2/m in all for small sets, where FSS is
//          faster; hence k <= 8192.  8k bytes.  Cannot be merged: a copy does not tell whether the
//          bin of the union is one, too.
#pragma once

#include "sketch/oph.h"

namespace twinsift {

class DophSketcher final : public Sketcher {
 public:
  static constexpr std::uint32_t kMaxComponents = 8192;
  DophSketcher(std::uint32_t k, std::uint64_t seed);  // Requires: 0 < k <= kMaxComponents.
  [[nodiscard]] std::string spec() const override;
  [[nodiscard]] std::uint32_t k() const override { return oph_.k(); }
  [[nodiscard]] bool bounded_variance() const override { return false; }
  void sketch_ids(std::span<const std::uint64_t> ids, std::span<std::uint64_t> out) const override;
  [[nodiscard]] Result<Sketch> sketch(const Feature& feature) const override;
  [[nodiscard]] Estimate similarity(const Sketch& a, const Sketch& b) const override;
  [[nodiscard]] Result<Sketch> merge(const Sketch& a, const Sketch& b) const override;

 private:
  OphSketcher oph_;
  std::uint64_t seed_;
};

// Fills the empty bins of a raw sketch.  Requires: a bin is not empty.
void densify(std::span<std::uint64_t> bins, std::uint64_t seed);

// The variance for known J and f, with m at its mean.  Requires: 0 < f, which may be infinite.
double doph_variance(double j, double f, std::uint32_t k);

}  // namespace twinsift
