// SPDX-License-Identifier: Apache-2.0
#include "feature/scale_space.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/portable_trig.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kLeastSide = 12;  // smaller octaves are all edge

Plane as_plane(const GreyView& picture) {
  Plane plane(picture.width, picture.height);
  std::ranges::copy(picture.pixels, plane.values.begin());
  return plane;
}

// Pixel (x, y) becomes (2 x, 2 y); those between are means of their neighbours.
Plane doubled(const GreyView& picture) {
  Plane plane(2 * picture.width, 2 * picture.height);
  for (std::uint32_t y = 0; y < plane.height; ++y) {
    const auto above = picture.row(y / 2);
    const auto below = picture.row(std::min((y + 1) / 2, picture.height - 1));
    float* row = plane.row(y);
    for (std::uint32_t x = 0; x < plane.width; ++x) {
      const std::uint32_t left = x / 2;
      const std::uint32_t right = std::min((x + 1) / 2, picture.width - 1);
      const int sum = above[left] + above[right] + below[left] + below[right];
      row[x] = static_cast<float>(sum) / 4;
    }
  }
  return plane;
}

Plane halved(const Plane& plane) {
  Plane half((plane.width + 1) / 2, (plane.height + 1) / 2);
  for (std::uint32_t y = 0; y < half.height; ++y) {
    const float* from = plane.row(2 * y);
    float* to = half.row(y);
    for (std::uint32_t x = 0; x < half.width; ++x) to[x] = from[std::size_t{2} * x];
  }
  return half;
}

// What has to be added to a blur of `from` for one of `to`.
double missing_blur(double from, double to) { return std::sqrt(to * to - from * from); }

const auto& kernels() {
  static const auto all = [] {
    std::array<std::vector<float>, kScalesPerOctave + 3> made;
    const double ratio = portable_exp(std::numbers::ln2 / kScalesPerOctave);
    double sigma = kFirstSigma;
    for (std::size_t i = 1; i < made.size(); ++i) {
      made[i] = gaussian_kernel(missing_blur(sigma, sigma * ratio));
      sigma *= ratio;
    }
    return made;
  }();
  return all;
}

}  // namespace

ScaleSpace::ScaleSpace(const GreyView& picture, int first_octave) : number_(first_octave) {
  assert(first_octave == -1 || first_octave == 0);
  assert(picture.pixels.size() == std::size_t{picture.width} * picture.height);
  if (picture.width == 0 || picture.height == 0) return;
  const bool fine = first_octave < 0;
  base_ =
      blurred(fine ? doubled(picture) : as_plane(picture),
              gaussian_kernel(missing_blur(fine ? 2 * kPictureSigma : kPictureSigma, kFirstSigma)));
}

std::optional<Octave> ScaleSpace::next() {
  if (std::min(base_.width, base_.height) < kLeastSide) return std::nullopt;
  Octave octave{.number = number_++, .blurs = {}, .differences = {}};
  octave.blurs.push_back(std::move(base_));
  for (std::size_t i = 1; i < kernels().size(); ++i) {
    octave.blurs.push_back(blurred(octave.blurs.back(), kernels()[i]));
    octave.differences.push_back(difference(octave.blurs[i], octave.blurs[i - 1]));
  }
  base_ = halved(octave.blurs[kScalesPerOctave]);
  return octave;
}

}  // namespace twinsift
