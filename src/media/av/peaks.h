// SPDX-License-Identifier: Apache-2.0
// How loud a recording is in the course of time, in few numbers, however long it turns out to be.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace twinsift {

// The largest amplitude of equal stretches of time.  A stretch is first one sample long; whenever
// there are too many, two become one.
class PeakMeter {
 public:
  // At most so many in the end, and at least half as many unless it is very short.
  // Requires: most >= 2.
  explicit PeakMeter(std::size_t most) : most_(most / 2 * 2) {}

  void add(std::span<const float> samples) {
    for (const float sample : samples) {
      peak_ = std::max(peak_, std::abs(sample));  // a NaN does not count
      if (++filled_ == stretch_) end_stretch();
    }
  }
  // 0 to 255.
  std::vector<std::uint8_t> finish() {
    if (filled_ > 0) end_stretch();  // the last may be shorter
    std::vector<std::uint8_t> bytes;
    for (const float peak : peaks_) {
      bytes.push_back(static_cast<std::uint8_t>(std::min(peak, 1.0F) * 255));
    }
    return bytes;
  }

 private:
  void end_stretch() {
    peaks_.push_back(peak_);
    peak_ = 0;
    filled_ = 0;
    if (peaks_.size() < most_) return;
    for (std::size_t i = 0; i < most_ / 2; ++i) {
      peaks_[i] = std::max(peaks_[2 * i], peaks_[2 * i + 1]);
    }
    peaks_.resize(most_ / 2);
    stretch_ *= 2;
  }

  std::size_t most_;  // even
  std::vector<float> peaks_;
  std::uint64_t stretch_ = 1;  // samples
  std::uint64_t filled_ = 0;
  float peak_ = 0;
};

}  // namespace twinsift
