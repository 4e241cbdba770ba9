// SPDX-License-Identifier: Apache-2.0
// The cross entropy of classes, by which a network is prepared for telling pairs.
//
// The classes wanted are smoothed: each gets a little of the probability, so that no score need
// grow for ever.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace twinsift {

inline constexpr double kLabelSmoothing = 0.1;

// The mean over the batch of -sum_c wanted_c log softmax(score)_c, for n rows of `classes` scores.
template <class Real>
double class_loss(std::span<const Real> scores, std::size_t classes,
                  std::span<const std::uint32_t> labels, std::vector<Real>& gradient);

}  // namespace twinsift
