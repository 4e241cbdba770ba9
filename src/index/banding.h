// SPDX-License-Identifier: Apache-2.0
// Banding: b tables, each keyed by r consecutive components of a set sketch.
//
// Components agree with probability s = J, so two items meet in some table with probability
//     P(s) = 1 - (1 - s^r)^b,
// an S-curve that is steep near (1/b)^(1/r).  tune/ chooses b and r for a promise P(T) >= recall.
//
// Papers:  [MMDS] Leskovec, Rajaraman, Ullman, sec. 3.4.
// Differs: keys are 32 bits of a multilinear hash of the r components; items that meet by chance
//          (once in 2^32 pairs per table) are sorted out by the early stop like any other.
// Cost:    b r multiplications per item; 4 b bytes of keys.
#pragma once

#include <vector>

#include "twinsift/index.h"

namespace twinsift {

class BandingIndex final : public Index {
 public:
  BandingIndex(std::uint32_t bands, std::uint32_t rows);  // Requires: bands, rows > 0.
  [[nodiscard]] std::string spec() const override;
  [[nodiscard]] std::uint32_t tables() const override { return bands_; }
  [[nodiscard]] std::uint32_t rows() const { return rows_; }
  // Requires: sketch.size() >= bands * rows.
  void keys(const Sketch& sketch, std::span<std::uint32_t> keys) const override;
  [[nodiscard]] double found(double similarity) const override;

 private:
  std::uint32_t bands_;
  std::uint32_t rows_;
  std::vector<std::uint64_t> factors_;  // odd, one for each row
};

}  // namespace twinsift
