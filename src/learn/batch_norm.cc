// SPDX-License-Identifier: Apache-2.0
#include "learn/batch_norm.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/parallel.h"

namespace twinsift {
namespace {

constexpr double kLeastVariance = 1e-5;
constexpr double kRunning = 0.1;  // how much a new batch counts

}  // namespace

template <class Real>
BatchNorm<Real>::BatchNorm(std::size_t channels)
    : channels_(channels),
      running_mean_(channels, Real{0}),
      running_variance_(channels, Real{1}),
      mean_(channels),
      scale_(channels) {
  bias_.resize(channels);
}

template <class Real>
std::vector<Real> BatchNorm<Real>::running_scale() const {
  std::vector<Real> scale;
  for (const Real variance : running_variance_) {
    scale.push_back(static_cast<Real>(1 / std::sqrt(double(variance) + kLeastVariance)));
  }
  return scale;
}

template <class Real>
template <class Term>
std::vector<double> BatchNorm<Real>::sums(const Maps<Real>& maps, unsigned threads,
                                          const Term& term) const {
  std::array<std::vector<double>, kGroups> partial;
  parallel_for(kGroups, threads, {}, [&](std::size_t group, unsigned) {
    const auto [begin, end] = group_range(group, maps.images);
    partial[group].assign(2 * channels_, 0.0);
    // A row is summed in the type of the values, rows in double precision.
    std::vector<Real> row(2 * channels_);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t y = 0; y < maps.side; ++y) {
        std::fill(row.begin(), row.end(), Real{0});
        for (std::size_t x = 0; x < maps.side; ++x) {
          const std::size_t at = i * maps.image_size() + maps.offset(y, x);
          for (std::size_t c = 0; c < channels_; ++c) {
            term(at + c, c, row[c], row[channels_ + c]);
          }
        }
        for (std::size_t c = 0; c < 2 * channels_; ++c) partial[group][c] += double(row[c]);
      }
    }
  });
  for (std::size_t group = 1; group < kGroups; ++group) {
    for (std::size_t c = 0; c < 2 * channels_; ++c) partial[0][c] += partial[group][c];
  }
  return partial[0];
}

template <class Real>
void BatchNorm<Real>::forget() {
  std::ranges::fill(running_mean_, Real{0});
  std::ranges::fill(running_variance_, static_cast<Real>(1 - kLeastVariance));
}

template <class Real>
void BatchNorm<Real>::expect_mean(const Maps<Real>& in, unsigned threads) {
  const std::vector<double> sum =
      sums(in, threads,
           [&](std::size_t at, std::size_t, Real& total, Real&) { total += in.values[at]; });
  const double count = double(in.images * in.side * in.side);
  for (std::size_t c = 0; c < channels_; ++c) {
    running_mean_[c] = static_cast<Real>(sum[c] / count);
    bias_.values[c] += running_mean_[c];
  }
}

template <class Real>
void BatchNorm<Real>::forward(const Maps<Real>& in, Maps<Real>& out, bool training,
                              unsigned threads) {
  assert(in.channels == channels_ && out.channels == channels_ && in.side == out.side);
  const double count = double(in.images) * double(in.side) * double(in.side);
  if (training) {
    // Around the running mean, so that nothing cancels.
    const std::vector<double> moments =
        sums(in, threads, [&](std::size_t at, std::size_t c, Real& first, Real& second) {
          const Real x = in.values[at] - running_mean_[c];
          first += x;
          second += x * x;
        });
    for (std::size_t c = 0; c < channels_; ++c) {
      const double off = moments[c] / count;
      const double variance = std::max(moments[channels_ + c] / count - off * off, 0.0);
      mean_[c] = static_cast<Real>(double(running_mean_[c]) + off);
      scale_[c] = static_cast<Real>(1 / std::sqrt(variance + kLeastVariance));
      running_mean_[c] += static_cast<Real>(kRunning * off);
      running_variance_[c] +=
          static_cast<Real>(kRunning * (variance - double(running_variance_[c])));
    }
  } else {
    mean_ = running_mean_;
    scale_ = running_scale();
  }
  parallel_for(kGroups, threads, {}, [&](std::size_t group, unsigned) {
    const auto [begin, end] = group_range(group, in.images);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t y = 0; y < in.side; ++y) {
        for (std::size_t x = 0; x < in.side; ++x) {
          const Real* from = in.pixel(i, y, x);
          Real* to = out.pixel(i, y, x);
          for (std::size_t c = 0; c < channels_; ++c) {
            const Real value = (from[c] - mean_[c]) * scale_[c] + bias_.values[c];
            to[c] = value > 0 ? value : Real{0};
          }
        }
      }
    }
  });
}

template <class Real>
void BatchNorm<Real>::backward(const Maps<Real>& in, const Maps<Real>& out, Maps<Real>& d,
                               unsigned threads) {
  assert(d.image_size() == out.image_size() && d.border == out.border);
  const double count = double(in.images) * double(in.side) * double(in.side);
  const bool alike = in.border == out.border;
  assert(alike);
  static_cast<void>(alike);
  const std::vector<double> totals =
      sums(d, threads, [&](std::size_t at, std::size_t c, Real& first, Real& second) {
        const Real g = out.values[at] > 0 ? d.values[at] : Real{0};
        first += g;
        second += g * (in.values[at] - mean_[c]) * scale_[c];
      });
  std::vector<Real> first(channels_), second(channels_);
  for (std::size_t c = 0; c < channels_; ++c) {
    bias_.gradient[c] = static_cast<Real>(totals[c]);
    first[c] = static_cast<Real>(totals[c] / count);
    second[c] = static_cast<Real>(totals[channels_ + c] / count);
  }
  parallel_for(kGroups, threads, {}, [&](std::size_t group, unsigned) {
    const auto [begin, end] = group_range(group, in.images);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t y = 0; y < in.side; ++y) {
        for (std::size_t x = 0; x < in.side; ++x) {
          const std::size_t at = i * in.image_size() + in.offset(y, x);
          for (std::size_t c = 0; c < channels_; ++c) {
            const Real g = out.values[at + c] > 0 ? d.values[at + c] : Real{0};
            const Real normal = (in.values[at + c] - mean_[c]) * scale_[c];
            d.values[at + c] = scale_[c] * (g - first[c] - normal * second[c]);
          }
        }
      }
    }
  });
}

template class BatchNorm<float>;
template class BatchNorm<double>;

}  // namespace twinsift
