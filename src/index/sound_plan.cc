// SPDX-License-Identifier: Apache-2.0
#include "index/sound_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "base/tails.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kGroups = 16;  // of a seed
constexpr double kGroupSeconds = 0.25;
constexpr double kMostSeconds = 3600;
constexpr std::uint32_t kMinute = 240;  // groups

// In whole percents, as it is told.
double agreement_of_minute(SoundPlan plan, double recall) {
  const double enough = plan.agreement;
  for (int percent = 60; percent < 100 * enough; ++percent) {
    plan.agreement = 0.01 * percent;
    if (seed_probability(plan, kMinute) >= recall) break;
    plan.agreement = enough;
  }
  return plan.agreement;
}

}  // namespace

// Seeds overlap by half; those that do not are independent.
double seed_probability(const SoundPlan& plan, std::uint32_t groups) {
  const double hit = std::pow(plan.agreement, plan.keys.bits);
  const double q = 1 - std::pow(1 - hit, 4.0 * plan.keys.tables);
  // However the groups lie, half of them or more are in one seed.
  const std::uint32_t together = std::min(groups, kGroups / 2 + groups / 2);
  if (groups <= kGroups) return binomial_at_least(std::min(together, kGroups), q, plan.votes);
  const double one = binomial_at_least(kGroups, q, plan.votes);
  return 1 - std::pow(1 - one, (groups - kGroups / 2) / kGroups);
}

SoundPlan plan_sound(std::uint64_t moments, double recall) {
  SoundPlan plan;
  const auto width = static_cast<unsigned>(std::bit_width(moments));
  plan.keys.bits = std::clamp(width + 1, 18U, kMostKeyBits);
  plan.keys.tables = recall < 0.9 ? 2 : 3;
  std::uint32_t groups = 4;
  while (seed_probability(plan, groups) < recall && groups * kGroupSeconds < kMostSeconds) {
    ++groups;
  }
  plan.seconds = groups * kGroupSeconds;
  plan.found = seed_probability(plan, groups);
  plan.of_minute = agreement_of_minute(plan, plan.found);
  return plan;
}

std::string SoundPlan::spec() const {
  return fmt::format("sound1:bits={},tables={},votes={}", keys.bits, keys.tables, votes);
}

std::string SoundPlan::guarantee() const {
  const std::string minute =
      of_minute < agreement ? fmt::format(", or 60 s with {:.0f} %", 100 * of_minute) : "";
  return fmt::format(
      "recordings that share {:.0f} s of sound with {:.0f} % of its bits{}: "
      "P(compared) >= {:.4f}",
      std::ceil(seconds), 100 * agreement, minute, std::floor(found * 1e4) / 1e4);
}

}  // namespace twinsift
