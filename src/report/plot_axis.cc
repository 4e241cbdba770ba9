// SPDX-License-Identifier: Apache-2.0
#include "report/plot_axis.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace twinsift {
namespace {

constexpr int kMostSteps = 8;
constexpr double kLargest = 1e100;
constexpr double kSmallest = 1e-100;

// "0.25", "9000", "10k", "2.5M"; what is larger or smaller, scientific.
std::string label(double value, int digits) {
  const double size = std::abs(value);
  constexpr std::array<std::pair<double, char>, 4> kUnits = {
      {{1e12, 'T'}, {1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}}};
  if (size >= 1e15 || digits > 6) return fmt::format("{:.4g}", value);
  if (size >= 1e4) {
    for (const auto& [unit, letter] : kUnits) {
      if (size >= unit) return fmt::format("{:.10g}{}", value / unit, letter);
    }
  }
  return fmt::format("{:.{}f}", value, digits);
}

// The smallest of 1, 2, 5, 10, 20 ... that cuts the range into few enough steps.
double nice_step(double range) {
  const double least = range / kMostSteps;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

bool can_be_plotted(double value, bool log) {
  if (log) return value >= kSmallest && value <= kLargest;
  return std::abs(value) <= kLargest;
}

PlotScale::PlotScale(double low, double high, bool log) : log_(log) {
  assert(can_be_plotted(low, log) && can_be_plotted(high, log) && low <= high);
  if (log) {
    make_log(low, high);
  } else {
    make_linear(low, high);
  }
}

void PlotScale::make_linear(double low, double high) {
  // A range that vanishes beside its own values would have no ticks that differ.
  const double least = std::max({std::abs(low), std::abs(high), kSmallest}) * 1e-9;
  if (high - low < least) {
    const double margin = std::max(std::abs(low), std::abs(high)) / 2;
    low -= margin > 0 ? margin : .5;
    high += margin > 0 ? margin : .5;
  }
  const double step = nice_step(high - low);
  const double first = std::floor(low / step + 1e-9);  // in steps; the last is a few more
  low_ = first * step;
  high_ = std::ceil(high / step - 1e-9) * step;
  const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  for (int i = 0; i <= std::lround((high_ - low_) / step); ++i) {
    ticks_.push_back({(first + i) * step, label((first + i) * step, digits)});
  }
}

void PlotScale::make_log(double low, double high) {
  const auto first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  auto last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  if (first == last) ++last;
  low_ = first;
  high_ = last;
  const int every = (last - first + kMostSteps - 1) / kMostSteps;
  const bool between = last - first <= 2;
  for (int power = first; power <= last; power += every) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor > 1 && (!between || power == last)) continue;
      const double value = factor * std::pow(10, power);
      ticks_.push_back({value, label(value, std::max(0, -power))});
    }
  }
}

double PlotScale::place(double value) const {
  return ((log_ ? std::log10(value) : value) - low_) / (high_ - low_);
}

}  // namespace twinsift
