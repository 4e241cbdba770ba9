// SPDX-License-Identifier: Apache-2.0
#include "feature/gist320.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "base/portable_math.h"
#include "feature/box_sums.h"

namespace twinsift {
namespace {

constexpr std::size_t kSide = 128;
constexpr std::size_t kPadding = 64;
constexpr std::size_t kPadded = kSide + 2 * kPadding;
constexpr std::size_t kStep = 2;  // between the pixels whose strength is taken
constexpr std::size_t kFolded = kPadded / kStep;
constexpr std::size_t kCellSide = kSide / GistBank::kCells;

// Mirrored at the borders, the outermost pixels twice.  Requires: within one length of them.
std::size_t mirrored(std::ptrdiff_t i) {
  constexpr std::ptrdiff_t kLength = kSide;
  if (i < 0) return static_cast<std::size_t>(-1 - i);
  return static_cast<std::size_t>(i < kLength ? i : 2 * kLength - 1 - i);
}

// What a C library may compute differently in its last digit is rounded to a multiple of 2^-20,
// which is then the same number everywhere.
double rounded(double x) { return std::round(x * 0x1p20) * 0x1p-20; }

// The weights of the smoothing, of which exp(-(f / s)^2), s = 4 / sqrt(ln 2) cycles in 138 pixels,
// is the transform, as in the authors' program.
std::vector<float> smoothing() {
  constexpr int kReach = 20;
  const double s = 4 / std::sqrt(std::numbers::ln2) / 138;
  std::vector<double> weights;
  double sum = 0;
  for (int x = -kReach; x <= kReach; ++x) {
    const double turned = std::numbers::pi * s * x;
    weights.push_back(rounded(std::exp(-turned * turned)));
    sum += weights.back();
  }
  std::vector<float> normed;
  for (const double w : weights) normed.push_back(static_cast<float>(w / sum));
  return normed;
}

// Along the columns; the transposed square.
std::vector<float> smoothed_columns(const std::vector<float>& square,
                                    const std::vector<float>& weights) {
  const auto reach = static_cast<std::ptrdiff_t>(weights.size() / 2);
  std::vector<float> out(square.size());
  for (std::size_t y = 0; y < kSide; ++y) {
    float* const sums = &out[y * kSide];
    for (std::ptrdiff_t i = -reach; i <= reach; ++i) {
      const float* const row = &square[mirrored(static_cast<std::ptrdiff_t>(y) + i) * kSide];
      const float weight = weights[static_cast<std::size_t>(i + reach)];
      for (std::size_t x = 0; x < kSide; ++x) sums[x] += weight * row[x];
    }
  }
  transpose_square(out, kSide);
  return out;
}

std::vector<float> smoothed(const std::vector<float>& square) {
  static const std::vector<float> weights = smoothing();
  return smoothed_columns(smoothed_columns(square, weights), weights);
}

struct Spectrum {
  std::vector<float> re;
  std::vector<float> im;
};

// Of the mirrored picture; rows are horizontal frequencies, as the transform leaves them.
Spectrum spectrum_of(const std::vector<float>& square, const Fft& fft) {
  Spectrum spectrum{std::vector<float>(kPadded * kPadded), std::vector<float>(kPadded * kPadded)};
  for (std::size_t y = 0; y < kPadded; ++y) {
    const auto from =
        mirrored(static_cast<std::ptrdiff_t>(y) - static_cast<std::ptrdiff_t>(kPadding)) * kSide;
    for (std::size_t x = 0; x < kPadded; ++x) {
      spectrum.re[y * kPadded + x] = square[from + mirrored(static_cast<std::ptrdiff_t>(x) -
                                                            static_cast<std::ptrdiff_t>(kPadding))];
    }
  }
  fft.forward(spectrum.re, spectrum.im, kPadded);
  transpose_square(spectrum.re, kPadded);
  transpose_square(spectrum.im, kPadded);
  fft.forward(spectrum.re, spectrum.im, kPadded);
  return spectrum;
}

// The spectrum of every second pixel of a filtered picture.
void fold(const std::vector<float>& part, const std::vector<float>& filter,
          std::vector<float>& out) {
  for (std::size_t u = 0; u < kFolded; ++u) {
    const float* const x = &part[u * kPadded];
    const float* const g = &filter[u * kPadded];
    const float* const far_x = &part[(u + kFolded) * kPadded];
    const float* const far_g = &filter[(u + kFolded) * kPadded];
    float* const row = &out[u * kFolded];
    for (std::size_t v = 0; v < kFolded; ++v) {
      row[v] = (x[v] * g[v] + x[v + kFolded] * g[v + kFolded]) +
               (far_x[v] * far_g[v] + far_x[v + kFolded] * far_g[v + kFolded]);
    }
  }
}

// Of the transform's k-th row or column, in cycles for each pixel.
double frequency(std::size_t k) {
  const auto n = static_cast<double>(kPadded);
  return k < kPadded / 2 ? static_cast<double>(k) / n : static_cast<double>(k) / n - 1;
}

struct Orientation {
  double centre;  // cycles for each pixel
  double count;   // orientations of this scale
  double angle;
};

// Rows are horizontal frequencies, as in spectrum_of.
std::vector<float> make_filter(const Orientation& o) {
  constexpr double kPi = std::numbers::pi;
  const double narrow = 2 * kPi * 16 * o.count * o.count / (32 * 32);
  std::vector<float> filter;
  for (std::size_t u = 0; u < kPadded; ++u) {
    for (std::size_t v = 0; v < kPadded; ++v) {
      const double off = std::hypot(frequency(u), frequency(v)) / o.centre - 1;
      double turn = std::atan2(frequency(v), frequency(u)) + o.angle;
      if (turn > kPi) turn -= 2 * kPi;
      filter.push_back(
          static_cast<float>(rounded(std::exp(-3.5 * off * off - narrow * turn * turn))));
    }
  }
  return filter;
}

// The mean strengths over the grid.
void average(const Spectrum& filtered, std::span<float> cells) {
  constexpr std::size_t kSamples = kCellSide / kStep;
  constexpr std::size_t kFirst = kPadding / kStep;
  // The transform backwards lacks its factor.
  constexpr double kScale = 1.0 / (double{kPadded} * kPadded) / (kSamples * kSamples);
  for (std::size_t row = 0; row < GistBank::kCells; ++row) {
    for (std::size_t column = 0; column < GistBank::kCells; ++column) {
      double sum = 0;
      for (std::size_t y = 0; y < kSamples; ++y) {
        for (std::size_t x = 0; x < kSamples; ++x) {
          const std::size_t at =
              (kFirst + row * kSamples + y) * kFolded + kFirst + column * kSamples + x;
          const float re = filtered.re[at];
          const float im = filtered.im[at];
          sum += double{std::sqrt(re * re + im * im)};
        }
      }
      cells[row * GistBank::kCells + column] = static_cast<float>(sum * kScale);
    }
  }
}

}  // namespace

std::vector<float> gist_prefilter(const GreyView& picture) {
  constexpr double kLeastSpread = 0.2;
  const std::vector<std::uint64_t> sums = box_sums(picture, kSide, kSide);
  const auto [low, high] = std::ranges::minmax(sums);
  std::vector<float> square(sums.size());
  if (low == high) return square;
  const double scale = 255 / static_cast<double>(high - low);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    square[i] = static_cast<float>(portable_log(1 + scale * static_cast<double>(sums[i] - low)));
  }
  std::vector<float> other = smoothed(square);
  for (std::size_t i = 0; i < square.size(); ++i) {
    square[i] -= other[i];
    other[i] = square[i] * square[i];
  }
  other = smoothed(other);
  for (std::size_t i = 0; i < square.size(); ++i) {
    square[i] =
        static_cast<float>(double{square[i]} / (kLeastSpread + std::sqrt(double{other[i]})));
  }
  return square;
}

GistBank::GistBank() : whole_(kPadded), folded_(kFolded) {
  double centre = 0.3;
  for (const std::size_t orientations : {8U, 8U, 4U}) {
    for (std::size_t j = 0; j < orientations; ++j) {
      const auto count = static_cast<double>(orientations);
      filters_.push_back(
          make_filter({centre, count, std::numbers::pi * static_cast<double>(j) / count}));
    }
    centre /= 1.85;
  }
}

Gist320 GistBank::gist_of(const GreyView& picture) const {
  Gist320 gist{};
  const std::vector<float> square = gist_prefilter(picture);
  if (std::ranges::all_of(square, [](float x) { return x == 0; })) return gist;
  const Spectrum spectrum = spectrum_of(square, whole_);
  Spectrum filtered{std::vector<float>(kFolded * kFolded), std::vector<float>(kFolded * kFolded)};
  for (std::size_t f = 0; f < kFilters; ++f) {
    fold(spectrum.re, filters_[f], filtered.re);
    fold(spectrum.im, filters_[f], filtered.im);
    folded_.backward(filtered.re, filtered.im, kFolded);
    transpose_square(filtered.re, kFolded);
    transpose_square(filtered.im, kFolded);
    folded_.backward(filtered.re, filtered.im, kFolded);
    average(filtered, std::span(gist).subspan(f * kCells * kCells, kCells * kCells));
  }
  return gist;
}

}  // namespace twinsift
