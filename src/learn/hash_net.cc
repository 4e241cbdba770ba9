// SPDX-License-Identifier: Apache-2.0
#include "learn/hash_net.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "learn/symmetric.h"

namespace twinsift {
namespace {

template <class Real>
void randomise(std::vector<Real>& weights, std::size_t fan_in, Rng& rng) {
  const double most = std::sqrt(3.0 / double(fan_in));  // variance 1 / fan_in
  for (Real& weight : weights) weight = static_cast<Real>(most * (2 * rng.uniform() - 1));
}

// In place of scores, row by row.
template <class Real>
void make_shares(std::span<Real> rows, std::size_t length) {
  for (std::size_t begin = 0; begin < rows.size(); begin += length) {
    const auto row = rows.subspan(begin, length);
    const Real most = *std::ranges::max_element(row);
    Real sum = 0;
    for (Real& value : row) {
      value = std::exp(static_cast<Real>(kScoreScale) * (value - most));
      sum += value;
    }
    for (Real& value : row) value /= sum;
  }
}

}  // namespace

template <class Real>
HashNet<Real>::HashNet(const HashNetShape& shape)
    : shape_(shape),
      stem_(shape.stem_layer()),
      feature_layer_(shape.pooled(), shape.features),
      latent_layer_(shape.features, shape.bits),
      stem_out_(0, shape.side / shape.stem_stride, shape.stem, 1) {
  for (std::size_t i = 0; i < kConvolutions; ++i) {
    const ConvolutionShape layer = shape.convolution_layer(i);
    convolutions_.emplace_back(layer);
    norms_.emplace_back(layer.out);
    const Maps<Real> maps(0, layer.out_side(), layer.out, 1);
    convolved_.push_back(maps);
    normal_.push_back(maps);
    gradients_.push_back(maps);
  }
}

template <class Real>
void HashNet<Real>::initialise(Rng& rng) {
  for (Convolution<Real>& layer : convolutions_) {
    const ConvolutionShape& shape = layer.shape();
    auto& weights = layer.weights().values;
    randomise(weights, 9 * shape.in, rng);
    constexpr std::size_t kCentre = 4;
    for (std::size_t c = 0; c < std::min(shape.in, shape.out); ++c) {
      for (std::size_t tap = 0; tap < 9; ++tap) {
        for (std::size_t i = 0; i < shape.in; ++i) {
          weights[(tap * shape.in + i) * shape.out + c] =
              static_cast<Real>(tap == kCentre && i == c ? 1 : 0);
        }
      }
    }
  }
  randomise(feature_layer_.weights().values, feature_layer_.in(), rng);
  randomise(latent_layer_.weights().values, latent_layer_.in(), rng);
  prepare();
}

template <class Real>
void HashNet<Real>::fit_stem(const Maps<Real>& pictures) {
  const std::size_t k = shape_.stem_kernel;
  const std::size_t run = k * shape_.colours;
  const std::size_t length = k * run;
  // Patches inside the pictures, around their mean.
  std::vector<double> mean(length);
  Matrix scatter(length);
  std::vector<double> patch(length);
  std::size_t count = 0;
  const auto each_patch = [&](const auto& use) {
    for (std::size_t image = 0; image < pictures.images; ++image) {
      for (std::size_t y = 0; y + k <= pictures.side; y += 3) {
        for (std::size_t x = 0; x + k <= pictures.side; x += 3) {
          for (std::size_t row = 0; row < k; ++row) {
            const Real* from = pictures.pixel(image, y + row, x);
            std::copy_n(from, run, patch.begin() + static_cast<std::ptrdiff_t>(row * run));
          }
          use();
        }
      }
    }
  };
  each_patch([&] {
    ++count;
    for (std::size_t i = 0; i < length; ++i) mean[i] += patch[i];
  });
  for (double& value : mean) value /= double(std::max<std::size_t>(count, 1));
  each_patch([&] {
    for (std::size_t i = 0; i < length; ++i) patch[i] -= mean[i];
    for (std::size_t i = 0; i < length; ++i) {
      for (std::size_t j = 0; j < length; ++j) scatter.row(i)[j] += patch[i] * patch[j];
    }
  });
  for (double& value : scatter.values) value /= double(std::max<std::size_t>(count, 1));
  const Eigen eigen = eigen_of(scatter);
  auto& weights = stem_.weights().values;
  constexpr double kLeastVariance = 5e-4;  // an axis with less is noise, and is not blown up
  for (std::size_t filter = 0; filter < shape_.stem; ++filter) {
    const std::size_t axis = std::min(filter / 2, length - 1);
    const double sign = filter % 2 == 0 ? 1 : -1;
    const double scale = sign / std::sqrt(std::max(eigen.values[axis], 0.0) + kLeastVariance);
    for (std::size_t i = 0; i < length; ++i) {
      weights[i * shape_.stem + filter] = static_cast<Real>(scale * eigen.vectors.row(axis)[i]);
    }
  }
  stem_.prepare();
}

template <class Real>
void HashNet<Real>::prepare() {
  stem_.prepare();
  for (Convolution<Real>& layer : convolutions_) layer.prepare();
}

template <class Real>
void HashNet<Real>::pool_cells(unsigned threads) {
  const Maps<Real>& last = normal_.back();
  const std::size_t cells = shape_.cells;
  const std::size_t width = last.side / cells;
  pooled_.resize(last.images * shape_.pooled());
  winners_.resize(pooled_.size());
  parallel_for(kGroups, threads, {}, [&](std::size_t group, unsigned) {
    const auto [begin, end] = group_range(group, last.images);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t cell = 0; cell < cells * cells; ++cell) {
        for (std::size_t c = 0; c < last.channels; ++c) {
          const std::size_t to = i * shape_.pooled() + cell * last.channels + c;
          Real best = -1;  // what was cut at 0 is not below
          for (std::size_t p = 0; p < width * width; ++p) {
            const std::size_t y = cell / cells * width + p / width;
            const std::size_t x = cell % cells * width + p % width;
            const Real value = last.pixel(i, y, x)[c];
            if (value <= best) continue;
            best = value;
            winners_[to] = static_cast<std::uint32_t>(y * last.side + x);
          }
          pooled_[to] = best;
        }
      }
    }
  });
}

template <class Real>
void HashNet<Real>::forward(const Maps<Real>& pictures, bool training, unsigned threads) {
  stem_out_.resize(pictures.images);
  stem_.forward(pictures, stem_out_, threads);
  for (Real& value : stem_out_.values) value = value > 0 ? value : Real{0};
  const Maps<Real>* in = &stem_out_;
  for (std::size_t i = 0; i < kConvolutions; ++i) {
    convolved_[i].resize(pictures.images);
    normal_[i].resize(pictures.images);
    convolutions_[i].forward(*in, convolved_[i], threads);
    norms_[i].forward(convolved_[i], normal_[i], training, threads);
    in = &normal_[i];
  }
  pool_cells(threads);
  feature_layer_.forward(pooled_, scores_, threads);
  features_ = scores_;
  if (shape_.shares) make_shares(std::span(features_), shape_.features);
  latent_layer_.forward(features_, codes_, threads);
  for (Real& code : codes_) code = std::tanh(code);
}

template <class Real>
std::vector<Real> HashNet<Real>::before_tanh(const std::vector<Real>& d_codes) const {
  std::vector<Real> d_latent = d_codes;
  for (std::size_t i = 0; i < d_latent.size(); ++i) d_latent[i] *= 1 - codes_[i] * codes_[i];
  return d_latent;
}

template <class Real>
std::vector<Real> HashNet<Real>::before_shares(std::vector<Real> d_features) const {
  if (!shape_.shares) return d_features;
  const std::size_t length = shape_.features;
  for (std::size_t begin = 0; begin < d_features.size(); begin += length) {
    Real mean = 0;
    for (std::size_t i = begin; i < begin + length; ++i) mean += features_[i] * d_features[i];
    for (std::size_t i = begin; i < begin + length; ++i) {
      d_features[i] = static_cast<Real>(kScoreScale) * features_[i] * (d_features[i] - mean);
    }
  }
  return d_features;
}

template <class Real>
void HashNet<Real>::backward_linear(const std::vector<Real>& d_codes, unsigned threads) {
  std::vector<Real> d_features(features_.size());
  latent_layer_.backward(features_, before_tanh(d_codes), &d_features, threads);
  feature_layer_.backward(pooled_, before_shares(std::move(d_features)), nullptr, threads);
}

template <class Real>
void HashNet<Real>::backward(const std::vector<Real>& d_features, const std::vector<Real>& d_codes,
                             unsigned threads) {
  std::vector<Real> d_f = d_features;
  d_f.resize(features_.size());
  if (!d_codes.empty()) {
    latent_layer_.backward(features_, before_tanh(d_codes), &d_f, threads);
  } else {
    latent_layer_.forget_gradient();
  }
  backward_seen(before_shares(std::move(d_f)), threads);
}

template <class Real>
void HashNet<Real>::backward_scores(const std::vector<Real>& d_scores, unsigned threads) {
  latent_layer_.forget_gradient();
  backward_seen(d_scores, threads);
}

template <class Real>
void HashNet<Real>::backward_seen(const std::vector<Real>& d_scores, unsigned threads) {
  std::vector<Real> d_pooled(pooled_.size());
  feature_layer_.backward(pooled_, d_scores, &d_pooled, threads);
  const std::size_t images = normal_.back().images;
  Maps<Real>& last = gradients_.back();
  last.resize(images);
  std::ranges::fill(last.values, Real{0});
  for (std::size_t i = 0; i < d_pooled.size(); ++i) {
    const std::size_t pixel = winners_[i];
    last.pixel(i / shape_.pooled(), pixel / last.side, pixel % last.side)[i % last.channels] +=
        d_pooled[i];
  }
  for (std::size_t i = kConvolutions; i-- > 0;) {
    norms_[i].backward(convolved_[i], normal_[i], gradients_[i], threads);
    if (i == 0) {
      convolutions_[0].backward(stem_out_, gradients_[0], nullptr, threads);
    } else {
      gradients_[i - 1].resize(images);
      convolutions_[i].backward(normal_[i - 1], gradients_[i], &gradients_[i - 1], threads);
    }
  }
}

template <class Real>
std::vector<Learnt<Real>> HashNet<Real>::learnt() {
  std::vector<Learnt<Real>> all;
  for (std::size_t i = 0; i < kConvolutions; ++i) {
    all.push_back({.parameters = &convolutions_[i].weights()});
    all.push_back({.parameters = &norms_[i].bias(), .bias = true});
  }
  for (Linear<Real>* layer : {&feature_layer_, &latent_layer_}) {
    const bool latent = layer == &latent_layer_;
    all.push_back({&layer->weights(), false, true, latent, true});
    all.push_back({&layer->bias(), true, true, latent, true});
  }
  return all;
}

template <class Real>
std::vector<std::vector<Real>*> HashNet<Real>::state() {
  std::vector<std::vector<Real>*> all = {&stem_.weights().values};
  for (const Learnt<Real>& one : learnt()) all.push_back(&one.parameters->values);
  for (BatchNorm<Real>& norm : norms_) {
    all.push_back(&norm.running_mean());
    all.push_back(&norm.running_variance());
  }
  return all;
}

template <class Real>
void HashNet<Real>::unfold(const HashWeights& weights, const Maps<Real>& pictures,
                           unsigned threads) {
  const auto take = [](const std::vector<float>& from, std::vector<Real>& to) {
    assert(from.size() == to.size());
    std::ranges::transform(from, to.begin(), [](float x) { return static_cast<Real>(x); });
  };
  take(weights.stem, stem_.weights().values);
  for (std::size_t i = 0; i < kConvolutions; ++i) {
    take(weights.convolutions[i], convolutions_[i].weights().values);
    take(weights.shifts[i], norms_[i].bias().values);
    norms_[i].forget();
  }
  take(weights.features, feature_layer_.weights().values);
  take(weights.feature_bias, feature_layer_.bias().values);
  if (weights.latent_bias.size() == latent_layer_.out()) {
    take(weights.latent, latent_layer_.weights().values);
    take(weights.latent_bias, latent_layer_.bias().values);
  }
  prepare();
  // While training, the mean of a batch is taken off: so it belongs to the bias.
  forward(pictures, false, threads);
  for (std::size_t i = 0; i < kConvolutions; ++i) norms_[i].expect_mean(convolved_[i], threads);
}

template <class Real>
HashWeights HashNet<Real>::folded() {
  const auto floats = [](const std::vector<Real>& numbers) {
    return std::vector<float>(numbers.begin(), numbers.end());
  };
  HashWeights weights;
  weights.stem = floats(stem_.weights().values);
  for (std::size_t i = 0; i < kConvolutions; ++i) {
    const std::vector<Real> scale = norms_[i].running_scale();
    weights.convolutions[i] = floats(convolutions_[i].weights().values);
    weights.shifts[i] = floats(norms_[i].bias().values);
    for (std::size_t w = 0; w < weights.convolutions[i].size(); ++w) {
      weights.convolutions[i][w] *= static_cast<float>(scale[w % scale.size()]);
    }
    for (std::size_t c = 0; c < scale.size(); ++c) {
      weights.shifts[i][c] -= static_cast<float>(norms_[i].running_mean()[c] * scale[c]);
    }
  }
  weights.features = floats(feature_layer_.weights().values);
  weights.feature_bias = floats(feature_layer_.bias().values);
  weights.latent = floats(latent_layer_.weights().values);
  weights.latent_bias = floats(latent_layer_.bias().values);
  return weights;
}

template class HashNet<float>;
template class HashNet<double>;

}  // namespace twinsift
