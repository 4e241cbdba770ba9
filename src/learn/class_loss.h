// SPDX-License-Identifier: Apache-2.0
// The cross entropy of classes, by which a network is prepared for telling pairs.
//
// The classes wanted are smoothed: a share of the probability is spread over all of them, so that
// no score need grow for ever.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace twinsift {

// The mean over the batch of -sum_c wanted_c log softmax(score)_c, for n rows of `classes` scores.
template <class Real>
double class_loss(std::span<const Real> scores, std::size_t classes,
                  std::span<const std::uint32_t> labels, double smoothing,
                  std::vector<Real>& gradient);

}  // namespace twinsift
