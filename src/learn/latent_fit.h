// SPDX-License-Identifier: Apache-2.0
// Fits the latent layer of a trained network to its features, instead of learning it.
//
// A network that was trained on few kinds of pictures gives all others codes that differ in few
// bits.  Its features still tell them apart, along directions that training had no use for.  So, as
// for the codes of whole pictures (learn/code_fit.h): with T, the scatter of the features of
// pictures, and N, that of the differences between duplicates, bit i says on which side of the
// mean a picture lies along the i-th of the axes with the largest a'Ta / a'Na, which are
// uncorrelated, so that every bit counts as much.
//
// Papers: R. A. Fisher, 1936 (learn/symmetric.h).
// Cost:   d^2 multiplications for each picture, and 6 d^3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/symmetric.h"

namespace twinsift {

class LatentFit {
 public:
  explicit LatentFit(std::size_t features) : sums_(features), total_(features), noise_(features) {}

  // Rows of features; those with equal labels are duplicates.
  void add(std::span<const float> rows, std::span<const std::uint32_t> labels);

  struct Layer {
    std::vector<float> weights;  // (feature, bit)
    std::vector<float> bias;
  };
  // `share` of the mean of N's diagonal is added to it: no direction is trusted in which the
  // duplicates happened not to differ.  Requires: bits <= features; pictures were added.
  [[nodiscard]] Layer layer(std::size_t bits, double share) const;

 private:
  std::vector<double> sums_;
  Matrix total_, noise_;  // on the diagonal and below it
  std::uint64_t count_ = 0;
  std::uint64_t pairs_ = 0;
};

}  // namespace twinsift
