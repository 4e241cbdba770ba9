// SPDX-License-Identifier: Apache-2.0
#include "feature/frame_spectra.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace twinsift {
namespace {

constexpr std::size_t kSideBySide = 8;  // frames: as many floats as a SIMD register takes

}  // namespace

FrameSpectra::FrameSpectra(std::vector<float> window, std::size_t hop)
    : fft_(window.size()), window_(std::move(window)), hop_(hop) {
  assert(hop_ > 0 && hop_ <= window_.size());
  power_.resize(window_.size() / 2);
}

void FrameSpectra::add(std::span<const float> samples, const Sink& sink) {
  const std::size_t enough = window_.size() + (kSideBySide - 1) * hop_;
  while (!samples.empty()) {
    const std::size_t taken = std::min(samples.size(), enough - waiting_.size());
    waiting_.insert(waiting_.end(), samples.begin(),
                    samples.begin() + static_cast<std::ptrdiff_t>(taken));
    samples = samples.subspan(taken);
    if (waiting_.size() == enough) transform(kSideBySide, sink);
  }
}

void FrameSpectra::finish(const Sink& sink) {
  if (waiting_.size() < window_.size()) return;
  transform((waiting_.size() - window_.size()) / hop_ + 1, sink);
}

void FrameSpectra::transform(std::size_t frames, const Sink& sink) {
  const std::size_t size = window_.size();
  re_.resize(size * frames);
  im_.assign(size * frames, 0.0F);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t f = 0; f < frames; ++f) {
      re_[i * frames + f] = window_[i] * waiting_[f * hop_ + i];
    }
  }
  fft_.forward(re_, im_, frames);
  for (std::size_t f = 0; f < frames; ++f) {
    for (std::size_t i = 0; i < power_.size(); ++i) {
      const float re = re_[i * frames + f];
      const float im = im_[i * frames + f];
      power_[i] = re * re + im * im;
    }
    sink(power_);
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(frames * hop_));
}

}  // namespace twinsift
