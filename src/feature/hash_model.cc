// SPDX-License-Identifier: Apache-2.0
#include "feature/hash_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace twinsift {

ConvolutionShape HashNetShape::stem_layer() const {
  return {.side = side, .in = colours, .out = stem, .kernel = stem_kernel, .stride = stem_stride};
}

ConvolutionShape HashNetShape::convolution_layer(std::size_t i) const {
  const std::size_t block = i / 2;
  const bool first = i % 2 == 0;
  const std::size_t before = block == 0 ? stem : widths[block - 1];
  const std::size_t whole = side / stem_stride >> block;
  return {.side = first ? whole : whole / 2,
          .in = first ? before : widths[block],
          .out = widths[block],
          .pool = first};
}

Status HashNetShape::check() const {
  const auto within = [](std::size_t value, std::size_t least, std::size_t most) {
    return value >= least && value <= most;
  };
  const bool sizes = within(side, 8, 256) && (colours == 1 || colours == 3) &&
                     within(stem_kernel, 1, 9) && stem_kernel % 2 == 1 &&
                     within(stem_stride, 1, 4) && within(stem, 1, 512) &&
                     within(features, 1, 8192) && within(bits, 1, 1024);
  const bool wide = std::ranges::all_of(widths, [&](auto w) { return within(w, 1, 1024); });
  if (sizes && wide && side % (8 * stem_stride) == 0 && within(cells, 1, last_side()) &&
      last_side() % cells == 0) {
    return ok();
  }
  return Error{ErrorCode::kInvalidArgument,
               "a network cannot have such sizes: the side of its pictures must be a multiple of 8 "
               "times the stride of the stem, and no layer may be empty or huge"};
}

std::vector<HashWeights::Part> HashWeights::parts(const HashNetShape& shape) {
  std::vector<Part> all = {{&stem, shape.stem_layer().weights(), false}};
  for (std::size_t i = 0; i < HashNetShape::kConvolutions; ++i) {
    const ConvolutionShape layer = shape.convolution_layer(i);
    all.push_back({&convolutions[i], layer.weights(), true});
    all.push_back({&shifts[i], layer.out, false});
  }
  all.push_back({&features, shape.pooled() * shape.features, true});
  all.push_back({&feature_bias, shape.features, false});
  all.push_back({&latent, shape.features * shape.bits, true});
  all.push_back({&latent_bias, shape.bits, false});
  return all;
}

HashModel::HashModel(const HashNetShape& shape, HashWeights weights,
                     const HashCalibration& calibration, std::string spec)
    : shape_(shape),
      calibration_(calibration),
      weights_(std::move(weights)),
      spec_(std::move(spec)) {
  plans_.emplace_back(shape.stem_layer());
  panels_.push_back(panels_of<float>(weights_.stem, shape.stem));
  for (std::size_t i = 0; i < HashNetShape::kConvolutions; ++i) {
    plans_.emplace_back(shape.convolution_layer(i));
    panels_.push_back(panels_of<float>(weights_.convolutions[i], plans_.back().shape().out));
  }
  panels_.push_back(panels_of<float>(weights_.features, shape.features));
  panels_.push_back(panels_of<float>(weights_.latent, shape.bits));
}

std::uint64_t HashModel::multiplications() const {
  std::uint64_t count = 0;
  for (const ConvolutionPlan& plan : plans_) {
    const std::size_t side = plan.shape().middle_side();
    count += side * side * plan.shape().weights();
  }
  const std::uint64_t looks = (shape_.mirrored ? 2U : 1U) * (shape_.shifted ? 3U : 1U);
  return looks * count + (shape_.pooled() + shape_.bits) * shape_.features;
}

namespace {

// A map inside its border of zeros.
std::vector<float> bordered(std::size_t side, std::size_t border, std::size_t channels) {
  return std::vector<float>((side + 2 * border) * (side + 2 * border) * channels);
}

// What follows a convolution: the maximum of 2 x 2 pixels if there is one, the shift, the cut at 0,
// and a border of one for the next layer.
std::vector<float> activated(const std::vector<float>& middle, const ConvolutionShape& shape,
                             std::span<const float> shift) {
  const std::size_t side = shape.out_side();
  const std::size_t row = shape.middle_side() * shape.out;
  const std::size_t step = shape.pool ? 2 : 1;
  std::vector<float> out = bordered(side, 1, shape.out);
  for (std::size_t y = 0; y < side; ++y) {
    for (std::size_t x = 0; x < side; ++x) {
      const float* from = &middle[step * y * row + step * x * shape.out];
      float* to = &out[((y + 1) * (side + 2) + x + 1) * shape.out];
      for (std::size_t o = 0; o < shape.out; ++o) {
        float value = from[o];
        if (shape.pool) {
          value = std::max(std::max(value, from[shape.out + o]),
                           std::max(from[row + o], from[row + shape.out + o]));
        }
        to[o] = std::max(value + shift[o], 0.0F);
      }
    }
  }
  return out;
}

std::vector<float> cell_maxima(const std::vector<float>& map, const HashNetShape& shape) {
  const std::size_t channels = shape.widths.back();
  const std::size_t side = shape.last_side();
  const std::size_t width = side / shape.cells;
  std::vector<float> maxima(shape.pooled());
  for (std::size_t y = 0; y < side; ++y) {
    for (std::size_t x = 0; x < side; ++x) {
      const float* from = &map[((y + 1) * (side + 2) + x + 1) * channels];
      float* to = &maxima[(y / width * shape.cells + x / width) * channels];
      for (std::size_t c = 0; c < channels; ++c) to[c] = std::max(to[c], from[c]);
    }
  }
  return maxima;
}

std::vector<std::uint8_t> mirror_image(std::span<const std::uint8_t> square,
                                       const HashNetShape& shape) {
  std::vector<std::uint8_t> mirrored(square.size());
  for (std::size_t pixel = 0; pixel < shape.side * shape.side; ++pixel) {
    const std::size_t x = pixel % shape.side;
    const std::size_t from = pixel - x + (shape.side - 1 - x);
    for (std::size_t c = 0; c < shape.colours; ++c) {
      mirrored[pixel * shape.colours + c] = square[from * shape.colours + c];
    }
  }
  return mirrored;
}

// What was `by` pixels further right and down; what lies outside is what lies as far inside.
std::vector<std::uint8_t> shifted_by(int by, std::span<const std::uint8_t> square,
                                     const HashNetShape& shape) {
  const auto side = static_cast<int>(shape.side);
  const auto inside = [side, by](int x) {
    return static_cast<std::size_t>(std::min(std::abs(x + by), 2 * side - 2 - (x + by)));
  };
  std::vector<std::uint8_t> shifted;
  shifted.reserve(square.size());
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const auto from = square.subspan((inside(y) * shape.side + inside(x)) * shape.colours);
      shifted.insert(shifted.end(), from.begin(),
                     from.begin() + static_cast<std::ptrdiff_t>(shape.colours));
    }
  }
  return shifted;
}

std::vector<float> linear(std::span<const float> in, const std::vector<float>& panels,
                          const std::vector<float>& bias) {
  constexpr std::array<std::int64_t, 1> kOnly = {0};
  std::vector<float> out(bias.size());
  multiply_panels(PanelProduct<float>{.a = in.data(),
                                      .a_rows = kOnly,
                                      .runs = 1,
                                      .length = in.size(),
                                      .panels = &panels,
                                      .c = out.data(),
                                      .c_rows = kOnly,
                                      .columns = out.size()});
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += bias[i];
  return out;
}

void make_unit(std::vector<float>& vector) {
  double square = 0;
  for (const float x : vector) square += double(x) * double(x);
  if (square == 0) return;
  const auto scale = static_cast<float>(1 / std::sqrt(square));
  for (float& x : vector) x *= scale;
}

// exp(x) for x <= 0, the same on every machine, which that of the C library is not: a power of 2
// times the first terms of the series, for what is left of x, at most (log 2) / 2.
double exponential(double x) {
  constexpr double kSmallest = -700;
  const double turns = std::nearbyint(std::max(x, kSmallest) / std::numbers::ln2);
  const double rest = std::max(x, kSmallest) - turns * std::numbers::ln2;
  double sum = 1;
  for (int term = 10; term > 0; --term) sum = 1 + sum * rest / term;
  return std::ldexp(sum, static_cast<int>(turns));
}

// In place of scores.
void make_shares(std::vector<float>& scores) {
  const float most = *std::ranges::max_element(scores);
  double sum = 0;
  std::vector<double> shares;
  for (const float score : scores) {
    shares.push_back(exponential(double(kScoreScale) * (double(score) - double(most))));
    sum += shares.back();
  }
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = static_cast<float>(shares[i] / sum);
}

}  // namespace

std::vector<float> HashModel::maxima_of(std::span<const std::uint8_t> square) const {
  const std::size_t border = shape_.stem_kernel / 2;
  const std::size_t row = shape_.side * shape_.colours;
  const std::size_t pitch = row + 2 * border * shape_.colours;
  std::vector<float> map = bordered(shape_.side, border, shape_.colours);
  for (std::size_t y = 0; y < shape_.side; ++y) {
    float* to = &map[(y + border) * pitch + border * shape_.colours];
    for (std::size_t i = 0; i < row; ++i) to[i] = to_input(square[y * row + i]);
  }
  const std::vector<float> none(shape_.stem);
  for (std::size_t layer = 0; layer < plans_.size(); ++layer) {
    const ConvolutionShape& shape = plans_[layer].shape();
    std::vector<float> middle(shape.middle_side() * shape.middle_side() * shape.out);
    plans_[layer].convolve(map.data(), panels_[layer], middle.data());
    map = activated(middle, shape, layer == 0 ? none : weights_.shifts[layer - 1]);
  }
  return cell_maxima(map, shape_);
}

std::vector<float> HashModel::see_mirrored(std::span<const std::uint8_t> square) const {
  std::vector<float> maxima = maxima_of(square);
  if (!shape_.mirrored) return maxima;
  const std::vector<float> others = maxima_of(mirror_image(square, shape_));
  for (std::size_t i = 0; i < maxima.size(); ++i) maxima[i] = (maxima[i] + others[i]) / 2;
  return maxima;
}

std::vector<float> HashModel::see(std::span<const std::uint8_t> square) const {
  assert(square.size() == shape_.side * shape_.side * shape_.colours);
  std::vector<float> maxima = see_mirrored(square);
  if (!shape_.shifted) return maxima;
  const std::vector<float> before = see_mirrored(shifted_by(-1, square, shape_));
  const std::vector<float> behind = see_mirrored(shifted_by(1, square, shape_));
  for (std::size_t i = 0; i < maxima.size(); ++i) {
    maxima[i] = maxima[i] / 2 + (before[i] + behind[i]) / 4;
  }
  return maxima;
}

bool HashModel::sees_as(const HashModel& other) const {
  HashNetShape theirs = other.shape_;
  theirs.features = shape_.features;
  theirs.bits = shape_.bits;
  theirs.shares = shape_.shares;
  return theirs == shape_ && other.weights_.stem == weights_.stem &&
         other.weights_.convolutions == weights_.convolutions &&
         other.weights_.shifts == weights_.shifts;
}

HashDescription HashModel::describe(std::span<const std::uint8_t> square) const {
  return describe_seen(see(square));
}

HashDescription HashModel::describe_seen(std::span<const float> seen) const {
  assert(seen.size() == shape_.pooled());
  HashDescription description;
  const std::size_t linear_layers = plans_.size();
  description.features = linear(seen, panels_[linear_layers], weights_.feature_bias);
  if (shape_.shares) make_shares(description.features);
  description.latent =
      linear(description.features, panels_[linear_layers + 1], weights_.latent_bias);
  description.code.resize((shape_.bits + 63) / 64);
  for (std::size_t i = 0; i < shape_.bits; ++i) {
    description.code[i / 64] |= std::uint64_t{description.latent[i] > 0} << i % 64;
  }
  make_unit(description.features);
  return description;
}

}  // namespace twinsift
