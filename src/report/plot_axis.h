// SPDX-License-Identifier: Apache-2.0
// Where the values of an axis stand, and which of them get a label: round numbers, few enough to
// be read.
#pragma once

#include <string>
#include <vector>

namespace twinsift {

struct Tick {
  double value = 0;
  std::string label;
};

// Whether a value has a place on a linear or logarithmic axis.  NaN, infinities and numbers
// beyond 1e100 have none, and neither has anything <= 0 if the axis is logarithmic.
bool can_be_plotted(double value, bool log);

class PlotScale {
 public:
  // Covers all of low..high and a little more, so that the axis ends at round numbers.
  // Requires: both can be plotted, low <= high.
  PlotScale(double low, double high, bool log);

  // 0 at the low end, 1 at the high end.
  [[nodiscard]] double place(double value) const;
  [[nodiscard]] const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  void make_linear(double low, double high);
  void make_log(double low, double high);

  bool log_;
  double low_ = 0;  // of the axis; logarithms if log_
  double high_ = 1;
  std::vector<Tick> ticks_;
};

}  // namespace twinsift
