// SPDX-License-Identifier: Apache-2.0
#include "learn/linear.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "base/matrix.h"
#include "base/parallel.h"

namespace twinsift {
namespace {

// Where the rows of a group begin.
std::vector<std::int64_t> row_offsets(const GroupRange& range, std::size_t length) {
  std::vector<std::int64_t> offsets;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    offsets.push_back(static_cast<std::int64_t>(i * length));
  }
  return offsets;
}

}  // namespace

template <class Real>
Linear<Real>::Linear(std::size_t in, std::size_t out) : in_(in), out_(out) {
  weights_.resize(in * out);
  bias_.resize(out);
}

template <class Real>
void Linear<Real>::forward(const std::vector<Real>& x, std::vector<Real>& y,
                           unsigned threads) const {
  const std::size_t rows = x.size() / in_;
  y.resize(rows * out_);
  parallel_for(kGroups, threads, {}, [&](std::size_t group, unsigned) {
    const GroupRange range = group_range(group, rows);
    for (std::size_t i = range.begin; i < range.end; ++i) {
      std::ranges::copy(bias_.values, y.begin() + static_cast<std::ptrdiff_t>(i * out_));
    }
    const auto x_rows = row_offsets(range, in_);
    const auto y_rows = row_offsets(range, out_);
    multiply(MatrixProduct<Real>{.a = x.data(),
                                 .a_rows = x_rows,
                                 .b = weights_.values.data(),
                                 .b_row = static_cast<std::int64_t>(out_),
                                 .c = y.data(),
                                 .c_rows = y_rows,
                                 .inner = in_,
                                 .columns = out_,
                                 .add = true});
  });
}

template <class Real>
void Linear<Real>::backward(const std::vector<Real>& x, const std::vector<Real>& d_y,
                            std::vector<Real>* d_x, unsigned threads) {
  const std::size_t rows = x.size() / in_;
  assert(d_y.size() == rows * out_);
  std::vector<Real> transposed(d_x == nullptr ? 0 : in_ * out_);
  for (std::size_t w = 0; w < transposed.size(); ++w) {
    transposed[w % out_ * in_ + w / out_] = weights_.values[w];
  }
  std::array<std::vector<Real>, kGroups> gradients;  // of the weights, then of the bias
  parallel_for(kGroups, threads, {}, [&](std::size_t group, unsigned) {
    const GroupRange range = group_range(group, rows);
    std::vector<Real>& gradient = gradients[group];
    gradient.assign((in_ + 1) * out_, Real{0});
    const auto x_rows = row_offsets(range, in_);
    const auto y_rows = row_offsets(range, out_);
    add_outer(OuterProducts<Real>{.a = x.data(),
                                  .a_inner = x_rows,
                                  .b = d_y.data(),
                                  .b_inner = y_rows,
                                  .c = gradient.data(),
                                  .rows = in_,
                                  .columns = out_});
    for (std::size_t i = range.begin; i < range.end; ++i) {
      for (std::size_t o = 0; o < out_; ++o) gradient[in_ * out_ + o] += d_y[i * out_ + o];
    }
    if (d_x == nullptr) return;
    multiply(MatrixProduct<Real>{.a = d_y.data(),
                                 .a_rows = y_rows,
                                 .b = transposed.data(),
                                 .b_row = static_cast<std::int64_t>(in_),
                                 .c = d_x->data(),
                                 .c_rows = x_rows,
                                 .inner = out_,
                                 .columns = in_,
                                 .add = true});
  });
  for (std::size_t group = 1; group < kGroups; ++group) {
    for (std::size_t w = 0; w < gradients[0].size(); ++w) gradients[0][w] += gradients[group][w];
  }
  const auto bias = gradients[0].begin() + static_cast<std::ptrdiff_t>(in_ * out_);
  std::copy(gradients[0].begin(), bias, weights_.gradient.begin());
  std::copy(bias, gradients[0].end(), bias_.gradient.begin());
}

template <class Real>
void Linear<Real>::forget_gradient() {
  std::ranges::fill(weights_.gradient, Real{0});
  std::ranges::fill(bias_.gradient, Real{0});
}

template class Linear<float>;
template class Linear<double>;

}  // namespace twinsift
