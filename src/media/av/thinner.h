// SPDX-License-Identifier: Apache-2.0
// Fewer samples, before they are resampled: each is a weighted mean of those around it.
//
// Resampling from 44,100 to 6,000 Hz takes a filter of 120 samples for each that comes out. Whoever
// first keeps a third of the samples takes one of 40.  What would fold back to low frequencies then
// lies near the new rate and its multiples, where three means of `by` samples, one after the other,
// have their zeros: of 12 kHz and more they leave 1.5 %, and at 2.7 kHz they keep 86 %, at a third
// of 44,100 Hz.
//
// Cost: three multiplications for each sample that comes in.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "media/av/libav.h"

namespace twinsift {

class Thinner {
 public:
  explicit Thinner(unsigned by);  // Requires: by > 0.

  // Sample i of what comes out stands where sample i * by came in; before the first and after the
  // last there is silence.  Both append to `out`.
  void add(std::span<const float> samples, std::vector<float>& out);
  void finish(std::vector<float>& out);  // nothing may be added afterwards

 private:
  std::size_t by_;
  std::vector<float> weights_;
  std::vector<float> samples_;  // that are still needed
};

// The largest divisor of `rate` that leaves twice the samples of `wanted` or more: what is left of
// them up to 0.45 of that rate is right.
unsigned thinned_by(unsigned rate, unsigned wanted);

// The mean of all channels, as floats up to 1.  Requires: is_mixable(frame.format), which is true
// of all formats but rare ones.
void mix_evenly(const AVFrame& frame, std::vector<float>& mono);
bool is_mixable(int format);

}  // namespace twinsift
