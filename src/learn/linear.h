// SPDX-License-Identifier: Apache-2.0
// A fully connected layer: y = x W + bias, for each row x of a batch.
#pragma once

#include <vector>

#include "learn/maps.h"

namespace twinsift {

template <class Real>
class Linear {
 public:
  Linear(std::size_t in, std::size_t out);

  [[nodiscard]] std::size_t in() const { return in_; }
  [[nodiscard]] std::size_t out() const { return out_; }
  Parameters<Real>& weights() { return weights_; }  // (i, o) at i * out + o
  Parameters<Real>& bias() { return bias_; }

  // `rows` rows of `in` and `out` numbers.
  void forward(const std::vector<Real>& x, std::vector<Real>& y, unsigned threads) const;
  // Sets the gradients, and adds that of x to d_x unless it is null.
  void backward(const std::vector<Real>& x, const std::vector<Real>& d_y, std::vector<Real>* d_x,
                unsigned threads);
  // As if nothing had gone through.
  void forget_gradient();

 private:
  std::size_t in_, out_;
  Parameters<Real> weights_, bias_;
};

}  // namespace twinsift
