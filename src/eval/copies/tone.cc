// SPDX-License-Identifier: Apache-2.0
// Blur, noise, brightness and grey.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/normal.h"
#include "eval/copies/transforms.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kWhole = 1U << 16U;  // the sum of the weights of a kernel

// Weights at 0, 1, ... from the centre.  They are rounded, so the last bit of exp() is harmless.
std::vector<std::uint32_t> gaussian(double sigma) {
  const auto radius = static_cast<std::size_t>(std::ceil(3 * sigma));
  std::vector<double> exact(radius + 1);
  double sum = 0;
  for (std::size_t i = 0; i <= radius; ++i) {
    const auto distance = static_cast<double>(i);
    exact[i] = std::exp(-distance * distance / (2 * sigma * sigma));
    sum += (i == 0 ? 1 : 2) * exact[i];
  }
  std::vector<std::uint32_t> weights(radius + 1);
  std::uint32_t rest = kWhole;
  for (std::size_t i = radius; i > 0; --i) {
    weights[i] = static_cast<std::uint32_t>(std::floor(exact[i] / sum * kWhole + 0.5));
    rest -= 2 * weights[i];
  }
  weights[0] = rest;
  return weights;
}

// One pass along a line of `count` samples that lie `step` apart.  The edges are repeated.
void blur_line(const std::uint8_t* in, std::uint8_t* out, std::uint32_t count, std::size_t step,
               const std::vector<std::uint32_t>& weights, std::vector<std::uint32_t>& line) {
  const std::size_t radius = weights.size() - 1;
  line.resize(count + 2 * radius);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t place = std::min<std::size_t>(i < radius ? 0 : i - radius, count - 1);
    line[i] = in[place * step];
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t sum = kWhole / 2 + weights[0] * line[i + radius];
    for (std::size_t d = 1; d <= radius; ++d) {
      sum += weights[d] * (line[i + radius - d] + line[i + radius + d]);
    }
    out[i * step] = static_cast<std::uint8_t>(sum / kWhole);
  }
}

std::uint8_t clamped(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::floor(value + 0.5), 0.0, 255.0));
}

}  // namespace

RgbImage blurred(const RgbImage& image, double sigma) {
  const std::vector<std::uint32_t> weights = gaussian(sigma);
  std::vector<std::uint32_t> line;
  RgbImage across(image.width, image.height);
  for (std::uint32_t y = 0; y < image.height; ++y) {
    for (std::size_t c = 0; c < 3; ++c) {
      blur_line(image.at(0, y) + c, across.at(0, y) + c, image.width, 3, weights, line);
    }
  }
  RgbImage out(image.width, image.height);
  const std::size_t row = std::size_t{3} * image.width;
  for (std::size_t i = 0; i < row; ++i) {
    blur_line(across.bytes.data() + i, out.bytes.data() + i, image.height, row, weights, line);
  }
  return out;
}

RgbImage noisy(const RgbImage& image, double sigma, std::uint64_t seed) {
  RgbImage out = image;
  Rng random(seed);
  for (std::uint8_t& sample : out.bytes) sample = clamped(sample + sigma * normal(random));
  return out;
}

RgbImage brightened(const RgbImage& image) {
  RgbImage out = image;
  for (std::uint8_t& sample : out.bytes) {
    sample = static_cast<std::uint8_t>(std::min(255U, (12U * sample + 155U) / 10U));
  }
  return out;
}

RgbImage grey(const RgbImage& image) {
  RgbImage out(image.width, image.height);
  for (std::size_t i = 0; i < out.bytes.size(); i += 3) {
    const std::uint8_t* in = image.bytes.data() + i;
    const unsigned luma = (299U * in[0] + 587U * in[1] + 114U * in[2] + 500U) / 1000U;
    std::fill_n(out.bytes.data() + i, 3, static_cast<std::uint8_t>(luma));
  }
  return out;
}

}  // namespace twinsift
