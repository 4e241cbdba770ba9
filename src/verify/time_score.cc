// SPDX-License-Identifier: Apache-2.0
#include "verify/time_score.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

namespace twinsift {
namespace {

constexpr double kWhole = 0.8;
constexpr double kPart = 0.8;

using Interval = std::pair<double, double>;

// How much of [0, seconds] they cover together.
double covered(std::vector<Interval> intervals, double seconds) {
  std::ranges::sort(intervals);
  double sum = 0;
  double end = 0;
  for (const auto& [from, to] : intervals) {
    const double begin = std::max(from, end);
    end = std::max(end, std::min(to, seconds));
    sum += std::max(0.0, end - begin);
  }
  return sum;
}

}  // namespace

TimeScore score_of(const Timeline& timeline) {
  assert(timeline.seconds_a > 0 && timeline.seconds_b > 0 && timeline.speed > 0);
  std::vector<Interval> in_a;
  std::vector<Interval> in_b;
  for (const Stretch& stretch : timeline.stretches) {
    in_a.emplace_back(stretch.begin_a, stretch.end_a);
    in_b.emplace_back(stretch.begin_b, stretch.end_b);
  }
  const double shared_a = covered(std::move(in_a), timeline.seconds_a);
  const double shared_b = covered(std::move(in_b), timeline.seconds_b);
  const double a = timeline.seconds_a;
  const double b = timeline.seconds_b * timeline.speed;
  const double shared = std::min(shared_a, shared_b * timeline.speed);
  const double whole = shared / (a + b - shared);
  const double part = shared / std::min(a, b);

  TimeScore result;
  result.covered_a = shared_a / a;
  result.covered_b = shared_b / timeline.seconds_b;
  if (whole >= kWhole) {
    result.relation = Relation::kSame;
    result.score = kWhole + (whole - kWhole) * timeline.agreement;
  } else if (part >= kPart || std::min(shared, shared / timeline.speed) >= kLeastShared) {
    if (part >= kPart) result.relation = a < b ? Relation::kContained : Relation::kContains;
    result.score = 0.6 + 0.19 * part;
  } else {
    result.score = 0.6 * part;
  }
  return result;
}

Timeline reversed(const Timeline& timeline) {
  Timeline other = timeline;
  std::swap(other.seconds_a, other.seconds_b);
  other.speed = 1 / timeline.speed;
  other.pitch = 1 / timeline.pitch;
  for (Stretch& stretch : other.stretches) {
    std::swap(stretch.begin_a, stretch.begin_b);
    std::swap(stretch.end_a, stretch.end_b);
  }
  std::ranges::sort(other.stretches, {}, [](const Stretch& stretch) {
    return std::pair(stretch.begin_a, stretch.end_a);
  });
  return other;
}

Relation reversed(Relation relation) {
  if (relation == Relation::kContains) return Relation::kContained;
  if (relation == Relation::kContained) return Relation::kContains;
  return relation;
}

}  // namespace twinsift
