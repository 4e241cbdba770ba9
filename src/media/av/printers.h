// SPDX-License-Identifier: Apache-2.0
// Where the decoder meets the features: what is kept of a recording's sound and film.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "feature/grey_image.h"

namespace twinsift {

inline constexpr unsigned kSoundRate = 11025;

// The loudness of each second.
class SoundPrinter {
 public:
  void add(std::span<const float> mono) {
    for (const float sample : mono) {
      sum_ += std::abs(static_cast<double>(sample));
      if (++count_ == kSoundRate) end_second();
    }
  }
  std::vector<std::uint64_t> finish() {
    if (count_ > 0) end_second();
    return std::move(words_);
  }

 private:
  void end_second() {
    words_.push_back(static_cast<std::uint64_t>(std::min(sum_ / count_, 1.0) * 65535));
    sum_ = 0;
    count_ = 0;
  }
  double sum_ = 0;
  unsigned count_ = 0;
  std::vector<std::uint64_t> words_;
};

// The brightness, twice a second.
class FilmPrinter {
 public:
  [[nodiscard]] bool wants(double seconds) const { return seconds >= next_; }
  void add(double seconds, const GreyView& luma) {
    std::uint64_t sum = 0;
    for (const std::uint8_t pixel : luma.pixels) sum += pixel;
    words_.push_back(sum / std::max<std::size_t>(luma.pixels.size(), 1));
    next_ = std::floor(seconds * 2) / 2 + 0.5;
  }
  std::vector<std::uint64_t> finish(double /*seconds*/) { return std::move(words_); }

 private:
  double next_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace twinsift
