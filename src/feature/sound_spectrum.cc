// SPDX-License-Identifier: Apache-2.0
#include "feature/sound_spectrum.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/portable_trig.h"

namespace twinsift {
namespace {

constexpr std::size_t kWindow = 2048;
constexpr double kLowest = 207.6523487899726;  // Hz: G sharp, three bins below A
constexpr double kSpacing = static_cast<double>(kSoundRate) / kWindow;  // Hz from power to power

std::vector<float> hann_window() {
  std::vector<float> window;
  for (std::size_t i = 0; i < kWindow; ++i) {
    const double angle = 2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / kWindow;
    window.push_back(static_cast<float>(0.5 - 0.5 * portable_sine_cosine(angle).cosine));
  }
  return window;
}

}  // namespace

SoundSpectrum::SoundSpectrum(Sink sink)
    : sink_(std::move(sink)),
      fft_(kWindow),
      window_(hann_window()),
      samples_(kWindow / 2, 0.0F),
      re_(kWindow),
      im_(kWindow),
      rows_(kBatch) {
  double pitch = kLowest;
  for (std::size_t bin = 0; bin < kSoundBins; ++bin, pitch *= kSoundBinStep) {
    // Low pitches lie closer than the transform can tell apart.
    const double half = std::max(pitch * (kSoundBinStep - 1), kSpacing);
    Triangle triangle;
    triangle.first = static_cast<std::size_t>((pitch - half) / kSpacing) + 1;
    double sum = 0;
    for (std::size_t k = triangle.first; static_cast<double>(k) * kSpacing < pitch + half; ++k) {
      const double weight = 1 - std::abs(static_cast<double>(k) * kSpacing - pitch) / half;
      triangle.weights.push_back(static_cast<float>(weight));
      sum += weight;
    }
    for (float& weight : triangle.weights) weight /= static_cast<float>(sum);
    triangles_.push_back(std::move(triangle));
  }
}

void SoundSpectrum::add(std::span<const float> samples) {
  constexpr std::size_t kNeeded = (kBatch - 1) * kSoundHop + kWindow;
  while (!samples.empty()) {
    const std::size_t count = std::min(samples.size(), kNeeded - samples_.size());
    for (const float sample : samples.first(count)) {
      // Whatever a decoder makes of damaged data, one sample must not spoil all that follow.
      samples_.push_back(std::abs(sample) < 1e6F ? sample : 0.0F);
    }
    samples = samples.subspan(count);
    if (samples_.size() == kNeeded) emit(kBatch);
  }
}

void SoundSpectrum::finish() {
  samples_.resize(samples_.size() + kWindow / 2, 0.0F);
  if (samples_.size() < kWindow) return;
  const std::size_t rows = (samples_.size() - kWindow) / kSoundHop + 1;
  samples_.resize((kBatch * 2 - 1) * kSoundHop + kWindow, 0.0F);
  emit(std::min(rows, kBatch));
  if (rows > kBatch) emit(rows - kBatch);
}

void SoundSpectrum::emit(std::size_t rows) {
  transform();
  take_amplitudes();
  for (std::size_t i = 0; i < rows; ++i) sink_(rows_[i]);
  samples_.erase(samples_.begin(), samples_.begin() + kBatch * kSoundHop);
}

// Two rows of real numbers are one transform of complex ones.
void SoundSpectrum::transform() {
  for (std::size_t i = 0; i < kWindow; ++i) {
    const float weight = window_[i];
    const float* const sample = &samples_[i];
    float* const re = re_[i].lanes.data();
    float* const im = im_[i].lanes.data();
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      re[lane] = weight * sample[2 * lane * kSoundHop];
      im[lane] = weight * sample[(2 * lane + 1) * kSoundHop];
    }
  }
  const auto numbers = [](std::vector<Row>& rows) {
    return std::span(rows.front().lanes.data(), kWindow * kLanes);
  };
  fft_.forward(numbers(re_), numbers(im_), kLanes);
}

// With z = x + iy, X[k] = (Z[k] + Z*[n-k]) / 2 and Y[k] = (Z[k] - Z*[n-k]) / 2i.
void SoundSpectrum::take_amplitudes() {
  for (std::size_t bin = 0; bin < kSoundBins; ++bin) {
    std::array<float, kLanes> even{};
    std::array<float, kLanes> odd{};
    std::size_t k = triangles_[bin].first;
    for (const float weight : triangles_[bin].weights) {
      const float* const re = re_[k].lanes.data();
      const float* const im = im_[k].lanes.data();
      const float* const mirror_re = re_[kWindow - k].lanes.data();
      const float* const mirror_im = im_[kWindow - k].lanes.data();
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const float a = re[lane] + mirror_re[lane];
        const float b = im[lane] - mirror_im[lane];
        const float c = im[lane] + mirror_im[lane];
        const float d = re[lane] - mirror_re[lane];
        even[lane] += weight * (a * a + b * b);
        odd[lane] += weight * (c * c + d * d);
      }
      ++k;
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      rows_[2 * lane][bin] = std::sqrt(even[lane]);
      rows_[2 * lane + 1][bin] = std::sqrt(odd[lane]);
    }
  }
}

}  // namespace twinsift
