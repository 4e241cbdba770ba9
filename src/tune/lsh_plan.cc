// SPDX-License-Identifier: Apache-2.0
#include "tune/lsh_plan.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace twinsift {
namespace {

constexpr std::uint32_t kMaxV = 64;
constexpr double kTableNs = 100;      // to find a bucket
constexpr double kCandidateNs = 30;   // to read an id and what it leads to
constexpr double kDimensionNs = 0.5;  // to multiply and add, for a projection or a distance

Error bad(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Status check(double recall, std::uint32_t items) {
  if (!(recall > 0 && recall < 1)) {
    return bad(fmt::format("the recall is {}, but it must be above 0 and below 1", recall));
  }
  if (items == 0) return bad("no items are expected, but there must be at least one");
  return ok();
}

// The fewest tables that find a pair which one of them finds with probability `hit`; 0 if too many.
std::uint32_t tables_for(double hit, double recall) {
  if (hit >= recall) return 1;
  if (hit <= 0) return 0;
  const double tables = std::ceil(std::log1p(-recall) / std::log1p(-hit) - 1e-9);
  return tables <= kMaxTables ? static_cast<std::uint32_t>(tables) : 0;
}

double found(double hit, std::uint32_t tables) {
  return hit >= 1 ? 1 : -std::expm1(tables * std::log1p(-hit));
}

Error too_many(double radius, double recall) {
  return bad(fmt::format("{} tables do not find what is within {} with recall {}", kMaxTables,
                         radius, recall));
}

// The plan of one v, with the cost of its question; l is 0 if it needs too many tables.
LshPlan rate(double hit, double far_hit, double recall, std::uint32_t items) {
  LshPlan plan{.l = tables_for(hit, recall)};
  plan.found = found(hit, plan.l);
  plan.candidates = items * found(far_hit, plan.l);
  return plan;
}

}  // namespace

double coordinate_collision(std::uint32_t bits, std::uint32_t distance, std::uint32_t v) {
  assert(distance <= bits && v <= bits);
  double p = 1;
  for (std::uint32_t i = 0; i < v; ++i) {
    if (bits - distance <= i) return 0;
    p *= static_cast<double>(bits - distance - i) / (bits - i);
  }
  return p;
}

double pstable_collision(double u, double r) {
  assert(u >= 0 && r > 0);
  const double t = r / u;
  if (std::isinf(t)) return 1;
  // 2 Phi(-t) = erfc(t / sqrt 2)
  return 1 - std::erfc(t / std::numbers::sqrt2) +
         std::sqrt(2 / std::numbers::pi) / t * std::expm1(-t * t / 2);
}

Result<LshPlan> choose_coordinates(const CoordinateTask& task) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check(task.recall, task.items));
  if (task.bits == 0 || task.radius >= task.bits) {
    return bad(
        fmt::format("the radius is {}, but it must be below the {} bits", task.radius, task.bits));
  }
  LshPlan best;
  for (std::uint32_t v = 1; v <= std::min(kMaxV, task.bits); ++v) {
    LshPlan plan = rate(coordinate_collision(task.bits, task.radius, v),
                        std::ldexp(1.0, -static_cast<int>(v)), task.recall, task.items);
    if (plan.l == 0) continue;
    plan.v = v;
    plan.nanoseconds = kTableNs * plan.l + kCandidateNs * plan.candidates;
    if (best.l == 0 || plan.nanoseconds < best.nanoseconds) best = plan;
  }
  if (best.l == 0) return too_many(task.radius, task.recall);
  return best;
}

Result<LshPlan> choose_pstable(const PstableTask& task) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check(task.recall, task.items));
  const auto usable = [](double x) { return x > 0 && std::isfinite(x); };
  if (task.dimension == 0 || !usable(task.radius) || !usable(task.far)) {
    return bad(fmt::format("dimension {}, radius {} and usual distance {} must be above 0",
                           task.dimension, task.radius, task.far));
  }
  LshPlan best;
  for (int step = 0; step <= 12; ++step) {  // from half the radius to 32 times, by roots of 2
    const double r = task.radius * std::exp2(step / 2.0 - 1);
    const double p = pstable_collision(task.radius, r);
    const double far = pstable_collision(task.far, r);
    for (std::uint32_t v = 1; v <= kMaxV; ++v) {
      LshPlan plan = rate(std::pow(p, v), std::pow(far, v), task.recall, task.items);
      if (plan.l == 0) break;  // a longer key needs more tables still
      plan.v = v;
      plan.r = r;
      plan.nanoseconds = plan.l * (kTableNs + kDimensionNs * v * task.dimension) +
                         plan.candidates * (kCandidateNs + kDimensionNs * task.dimension);
      if (best.l == 0 || plan.nanoseconds < best.nanoseconds) best = plan;
    }
  }
  if (best.l == 0) return too_many(task.radius, task.recall);
  return best;
}

}  // namespace twinsift
