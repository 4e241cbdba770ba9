// SPDX-License-Identifier: Apache-2.0
// Batch normalisation without a scale, then the positive part: y = max(0, (x - mean) / deviation +
// bias), with the mean and the deviation of each channel over the pixels of the batch.
//
// The scale would be idle: the next layer has weights of its own, and the positive part commutes
// with it.
//
// Papers: S. Ioffe, C. Szegedy, "Batch normalization", 2015.
#pragma once

#include <vector>

#include "learn/maps.h"

namespace twinsift {

template <class Real>
class BatchNorm {
 public:
  explicit BatchNorm(std::size_t channels);

  Parameters<Real>& bias() { return bias_; }
  // Of each channel, over the batches seen, the last ones counting most: what a picture on its own
  // is normalised by.
  std::vector<Real>& running_mean() { return running_mean_; }
  std::vector<Real>& running_variance() { return running_variance_; }
  [[nodiscard]] std::vector<Real> running_scale() const;  // 1 / deviation

  // To begin with a network that needs no normalising: forget() leaves what comes in as it is, and
  // expect_mean() makes its mean a part of the bias, so that taking it off changes nothing.
  void forget();
  void expect_mean(const Maps<Real>& in, unsigned threads);

  // `training`: by the statistics of this batch, which the running ones learn; else by those.
  void forward(const Maps<Real>& in, Maps<Real>& out, bool training, unsigned threads);
  // In place: d holds the gradient of `out` and then that of `in`, both of the last forward() in
  // training.
  void backward(const Maps<Real>& in, const Maps<Real>& out, Maps<Real>& d, unsigned threads);

 private:
  // Sums over all pixels of the batch, for each channel and each of two terms.
  template <class Term>
  std::vector<double> sums(const Maps<Real>& maps, unsigned threads, const Term& term) const;

  std::size_t channels_;
  Parameters<Real> bias_;
  std::vector<Real> running_mean_, running_variance_;
  std::vector<Real> mean_, scale_;  // of the last batch; scale = 1 / deviation
};

}  // namespace twinsift
