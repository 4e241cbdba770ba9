// SPDX-License-Identifier: Apache-2.0
#include "tune/banding_area.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace twinsift {
namespace {

constexpr int kPoints = 1000;  // on either side of the threshold

// The curves of all numbers of bands, one after another, for a fixed number of rows: missed = (1 -
// s^rows)^bands is one multiplication more for each further band.
class Curve {
 public:
  Curve(double threshold, std::uint32_t rows) : threshold_(threshold) {
    for (int i = 0; i < kPoints; ++i) add(threshold * (i + 0.5) / kPoints, rows);
    for (int i = 0; i < kPoints; ++i) add(threshold + (1 - threshold) * (i + 0.5) / kPoints, rows);
  }

  void add_band() {
    for (std::size_t i = 0; i < missed_.size(); ++i) missed_[i] *= band_missed_[i];
  }

  [[nodiscard]] double areas(const AreaWeights& weights) const {
    double below = 0;
    double above = 0;
    for (std::size_t i = 0; i < kPoints; ++i) {
      below += 1 - missed_[i];
      above += missed_[kPoints + i];
    }
    return (weights.false_positives * threshold_ * below +
            weights.false_negatives * (1 - threshold_) * above) /
           kPoints;
  }

 private:
  void add(double s, std::uint32_t rows) {
    band_missed_.push_back(1 - std::pow(s, rows));
    missed_.push_back(1);
  }

  double threshold_;
  std::vector<double> band_missed_;
  std::vector<double> missed_;
};

Status check(double threshold, std::uint32_t k, const AreaWeights& weights) {
  const auto bad = [](std::string message) {
    return Error{ErrorCode::kInvalidArgument, std::move(message)};
  };
  if (!(threshold > 0 && threshold < 1)) {
    return bad(fmt::format("the threshold is {}, but it must be above 0 and below 1", threshold));
  }
  if (k == 0 || k > kMaxSketchSize) {
    return bad(fmt::format("a sketch of {} components was asked for, but it must have 1 to {}", k,
                           kMaxSketchSize));
  }
  const auto usable = [](double weight) { return weight >= 0 && std::isfinite(weight); };
  if (!usable(weights.false_positives) || !usable(weights.false_negatives) ||
      weights.false_positives + weights.false_negatives == 0) {
    return bad(
        fmt::format("the weights of false positives and false negatives are {} and {}, but "
                    "they must be numbers from 0 on and not both 0",
                    weights.false_positives, weights.false_negatives));
  }
  return ok();
}

}  // namespace

double banding_areas(double threshold, std::uint32_t bands, std::uint32_t rows,
                     const AreaWeights& weights) {
  assert(threshold > 0 && threshold < 1 && bands > 0 && rows > 0);
  Curve curve(threshold, rows);
  for (std::uint32_t i = 0; i < bands; ++i) curve.add_band();
  return curve.areas(weights);
}

Result<BandingPlan> choose_banding_by_areas(double threshold, std::uint32_t k,
                                            const AreaWeights& weights) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check(threshold, k, weights));
  double least = std::numeric_limits<double>::infinity();
  BandingPlan best;
  for (std::uint32_t rows = k; rows > 0; --rows) {
    Curve curve(threshold, rows);
    for (std::uint32_t bands = 1; bands * rows <= k; ++bands) {
      curve.add_band();
      const double areas = curve.areas(weights);
      if (areas >= least) continue;
      least = areas;
      best = {.bands = bands, .rows = rows};
    }
  }
  return rate_banding(threshold, k, best.bands, best.rows);
}

}  // namespace twinsift
