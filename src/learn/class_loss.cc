// SPDX-License-Identifier: Apache-2.0
#include "learn/class_loss.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace twinsift {

template <class Real>
double class_loss(std::span<const Real> scores, std::size_t classes,
                  std::span<const std::uint32_t> labels, double smoothing,
                  std::vector<Real>& gradient) {
  assert(scores.size() == classes * labels.size());
  gradient.resize(scores.size());
  const double n = double(labels.size());
  double loss = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = scores.subspan(i * classes, classes);
    const double most = double(*std::ranges::max_element(row));
    double sum = 0;
    for (const Real score : row) sum += std::exp(double(score) - most);
    const double log_sum = std::log(sum) + most;
    for (std::size_t c = 0; c < classes; ++c) {
      const double wanted = smoothing / double(classes) + (c == labels[i] ? 1 - smoothing : 0);
      const double log_share = double(row[c]) - log_sum;
      loss -= wanted * log_share;
      gradient[i * classes + c] = static_cast<Real>((std::exp(log_share) - wanted) / n);
    }
  }
  return loss / n;
}

template double class_loss<float>(std::span<const float>, std::size_t,
                                  std::span<const std::uint32_t>, double, std::vector<float>&);
template double class_loss<double>(std::span<const double>, std::size_t,
                                   std::span<const std::uint32_t>, double, std::vector<double>&);

}  // namespace twinsift
