// SPDX-License-Identifier: Apache-2.0
// SuperMinHash: MinHash whose k values of an element are drawn without replacement.
//
// Element x puts the values u_0 + 0, u_1 + 1, ..., u_{k-1} + k-1 (u uniform in (0, 1)) into the k
// components in a random order of its own, and a component keeps its smallest.  Components are
// equal with probability J, and the variance is at most J(1-J)/k, half of it for small sets.  A
// histogram of floor(value) tells the largest that is still in the sketch; no element needs to go
// on beyond it.
//
// Papers:  [Ert17] Ertl, "SuperMinHash - A New Minwise Hashing Algorithm for Jaccard Similarity
//          Estimation", 2017.
// Differs: components are the bits of the doubles, which are ordered like the doubles.
// Cost:    O(|set| + k log^2 k); 8k bytes.  The accuracy of FSS for 1.5 to 26 times its time, up to
//          10^4 elements at least: a reference to hold FSS against.  Merges by minimum.
#pragma once

#include "twinsift/sketch.h"

namespace twinsift {

class SuperMinHashSketcher final : public Sketcher {
 public:
  SuperMinHashSketcher(std::uint32_t k, std::uint64_t seed);  // Requires: 0 < k <= 65536.
  [[nodiscard]] std::string spec() const override;
  [[nodiscard]] std::uint32_t k() const override { return k_; }
  void sketch_ids(std::span<const std::uint64_t> ids, std::span<std::uint64_t> out) const override;
  [[nodiscard]] Result<Sketch> sketch(const Feature& feature) const override;
  [[nodiscard]] Estimate similarity(const Sketch& a, const Sketch& b) const override;
  [[nodiscard]] Result<Sketch> merge(const Sketch& a, const Sketch& b) const override;

 private:
  std::uint32_t k_;
  std::uint64_t seed_;
};

}  // namespace twinsift
