// SPDX-License-Identifier: Apache-2.0
#include "sketch/cws.h"

#include <cmath>

namespace twinsift {
namespace {

// An interval is empty with probability 1/2: that many in a row do not happen, but a loop must end.
constexpr int kMaxIntervals = 1000;

// The points of one interval, in descending order.
class Points {
 public:
  Points(std::uint64_t xs, int interval)
      : rng_(mix64(xs + kGolden * static_cast<std::uint64_t>(interval + 4096))),
        point_{interval, 0, rng_.uniform()} {}
  [[nodiscard]] bool inside() const { return point_.fraction > 0.5; }
  [[nodiscard]] const CwsPoint& point() const { return point_; }
  void next() {
    point_.fraction *= rng_.uniform();
    ++point_.ordinal;
  }

 private:
  Rng rng_;
  CwsPoint point_;
};

CwsPoint first_below(std::uint64_t xs, int interval) {
  Points points(xs, interval - 1);
  for (int i = 2; !points.inside() && i < kMaxIntervals; ++i) points = Points(xs, interval - i);
  return points.point();
}

CwsPoint first_above(std::uint64_t xs, int interval) {
  Points points(xs, interval + 1);
  for (int i = 2; !points.inside() && i < kMaxIntervals; ++i) points = Points(xs, interval + i);
  CwsPoint last = points.point();
  for (points.next(); points.inside(); points.next()) last = points.point();
  return last;
}

// c / z as mantissa and exponent, so that it exists for every z.
struct Value {
  int exponent = 0;
  double mantissa = 0;
  bool operator<(const Value& other) const {
    return exponent != other.exponent ? exponent < other.exponent : mantissa < other.mantissa;
  }
};

Value value_of(double c, const CwsPoint& z) {
  Value value;
  value.mantissa = std::frexp(c / z.fraction, &value.exponent);
  value.exponent -= z.interval;
  return value;
}

}  // namespace

ActiveIndices active_indices(std::uint64_t xs, double weight) {
  int interval = 0;
  double fraction = std::frexp(weight, &interval);
  if (fraction == 0.5) {  // the interval is closed above
    fraction = 1;
    --interval;
  }
  ActiveIndices active;
  Points points(xs, interval);
  bool above = false;
  for (; points.inside() && points.point().fraction > fraction; points.next()) {
    active.z = points.point();
    above = true;
  }
  active.y = points.inside() ? points.point() : first_below(xs, interval);
  if (!above) active.z = first_above(xs, interval);
  return active;
}

CwsSketcher::CwsSketcher(std::uint32_t k, std::uint64_t seed) : WeightedSketcher("cws1", k, seed) {}

Status CwsSketcher::sketch_weighted(const WeightedSet& set, std::span<std::uint64_t> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t key = seed_key(seed(), i);
    Value best;
    std::size_t winner = set.tokens.size();
    CwsPoint y;
    for (std::size_t j = 0; j < set.tokens.size(); ++j) {
      const std::uint64_t xs = permute64(set.tokens[j], key);
      const ActiveIndices active = active_indices(xs, set.weights[j]);
      Rng rng(mix64(xs));
      const Value value = value_of(gamma2(rng), active.z);
      if (winner < set.tokens.size() && !(value < best)) continue;
      best = value;
      winner = j;
      y = active.y;
    }
    const auto interval = static_cast<std::uint64_t>(y.interval + 4096);
    out[i] = sample_component(set.tokens[winner], (interval << 32U) | y.ordinal);
  }
  return ok();
}

}  // namespace twinsift
