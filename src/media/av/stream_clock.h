// SPDX-License-Identifier: Apache-2.0
// Where the parts of a stream lie in time, although timestamps are missing, go back or leap.
#pragma once

#include <algorithm>
#include <optional>

namespace twinsift {

// For frames: times that never go back.  A stamp is believed unless it lies before the last frame,
// or so far after it that no film would pause as long; then the frame follows the last one, and
// the difference holds for all that come later.
class FrameClock {
 public:
  explicit FrameClock(double start) : offset_(start) {}

  double place(std::optional<double> stamp, double duration) {
    double time = next_;
    if (stamp) {
      const double wanted = *stamp - offset_;
      if (wanted < last_ || wanted > next_ + kLongestPause) {
        offset_ = *stamp - next_;
      } else {
        time = wanted;
      }
    }
    last_ = time;
    next_ = time + duration;
    return time;
  }
  // Where a frame with this stamp would be, if it is believed.
  [[nodiscard]] double expected(double stamp) const { return stamp - offset_; }
  // A frame that nobody needs to see ends with this stamp.
  void lasts_until(double stamp) {
    const double end = expected(stamp);
    if (end <= next_ + kSkipped) unseen_ = std::max(unseen_, end);
  }
  // Where the last frame ends.
  [[nodiscard]] double end() const { return std::max(next_, unseen_); }

 private:
  static constexpr double kLongestPause = 3600;
  static constexpr double kSkipped = 5;  // more is not skipped in a row
  double offset_;
  double last_ = 0;
  double next_ = 0;
  double unseen_ = 0;
};

// For sound, whose samples are its clock: how much silence belongs before the next ones.
class SoundClock {
 public:
  // No start: gaps do not matter.
  explicit SoundClock(std::optional<double> start) : offset_(start) {}

  // `now`: how much sound there is before it.
  double silence_before(std::optional<double> stamp, double now) {
    if (!stamp || !offset_) return 0;
    const double gap = *stamp - *offset_ - now;
    if (gap > kShortestGap && silence_ + gap <= kMostSilence) {
      silence_ += gap;
      return gap;
    }
    if (gap > kShortestGap || gap < -kShortestGap) *offset_ += gap;  // from here on it fits again
    return 0;
  }

 private:
  static constexpr double kShortestGap = 0.5;
  static constexpr double kMostSilence = 3600;  // in all: stamps may be lies
  std::optional<double> offset_;
  double silence_ = 0;
};

}  // namespace twinsift
