// SPDX-License-Identifier: Apache-2.0
#include "tune/code_plan.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace twinsift {
namespace {

constexpr std::uint32_t kMinWidth = 8;
constexpr std::uint32_t kMaxWidth = 24;
constexpr std::uint32_t kMaxFlips = 3;
// Measured with a million codes of 256 bits, far larger than the caches, by bench_codes.
constexpr double kLookupNs = 40;
constexpr double kCandidateNs = 20;
constexpr double kHeadBytes = 8;
constexpr double kIdBytes = 3.1;

// Rows of Pascal's triangle; C(512, 256) is about 1e153.
std::vector<double> binomials(std::uint32_t n) {
  std::vector<double> row(n + 1, 1);
  for (std::uint32_t k = 1; k <= n; ++k) row[k] = row[k - 1] * (n - k + 1) / k;
  return row;
}

double choose(const std::vector<double>& row, std::uint32_t k) {
  return k < row.size() ? row[k] : 0;
}

// In how many ways so many differences lie in the groups of the tables, each group with more than
// `flips`; one table after another.
class Missed {
 public:
  Missed(std::uint32_t distance, std::uint32_t width, std::uint32_t flips)
      : flips_(flips), group_(binomials(width)), ways_(distance + 1) {
    ways_[0] = 1;
  }

  void add_table() {
    for (std::size_t d = ways_.size(); d-- > 0;) {
      double sum = 0;
      for (std::size_t j = flips_ + 1; j < group_.size() && j <= d; ++j) {
        sum += group_[j] * ways_[d - j];
      }
      ways_[d] = sum;
    }
  }

  // P(missed) if so many other bits differ as they like.
  [[nodiscard]] double probability(std::uint32_t bits, std::uint32_t others) const {
    const auto rest = binomials(others);
    const auto d = static_cast<std::uint32_t>(ways_.size() - 1);
    double sum = 0;
    for (std::uint32_t j = 0; j <= d; ++j) sum += ways_[j] * choose(rest, d - j);
    return sum / choose(binomials(bits), d);
  }

 private:
  std::uint32_t flips_;
  std::vector<double> group_;
  std::vector<double> ways_;
};

double variants(std::uint32_t width, std::uint32_t flips) {
  const auto row = binomials(width);
  double sum = 0;
  for (std::uint32_t j = 0; j <= flips; ++j) sum += choose(row, j);
  return sum;
}

void rate(const CodeTask& task, CodePlan& plan) {
  const double items = task.items;
  const double keys = std::ldexp(1.0, static_cast<int>(plan.width));
  plan.lookups = (plan.tables - plan.reduced) * variants(plan.width, plan.flips);
  if (plan.reduced > 0) plan.lookups += plan.reduced * variants(plan.width, plan.flips - 1);
  plan.candidates = plan.lookups * items / keys;
  const double slack = 0.5 * std::min(keys / items, 1.0);  // runs hold pairs of ids
  plan.bytes = task.bits / 8.0 + plan.tables * (kIdBytes * (1 + slack) + kHeadBytes * keys / items);
  plan.nanoseconds = kLookupNs * plan.lookups + kCandidateNs * plan.candidates;
}

// The fewest tables of this width that keep the promise; tables is 0 if there are not enough bits.
CodePlan fewest_tables(const CodeTask& task, std::uint32_t width, std::uint32_t flips) {
  CodePlan plan{.width = width, .flips = flips};
  const std::uint32_t exact = task.radius / (flips + 1) + 1;
  const std::uint32_t most = task.bits / width;
  if (task.recall < 1) {
    Missed missed(task.radius, width, flips);
    for (std::uint32_t tables = 1; tables <= std::min(most, exact); ++tables) {
      missed.add_table();
      plan.found = 1 - missed.probability(task.bits, task.bits - tables * width);
      if (plan.found >= task.recall) {
        plan.tables = tables;
        return plan;
      }
    }
  }
  if (exact > most) return plan;
  plan.tables = exact;
  plan.found = 1;
  plan.reduced = flips == 0 ? 0 : exact * (flips + 1) - task.radius - 1;
  return plan;
}

bool better(const CodeTask& task, const CodePlan& a, const CodePlan& b) {
  if (b.tables == 0) return true;
  const bool a_fits = a.bytes <= task.bytes_per_item;
  if (a_fits != (b.bytes <= task.bytes_per_item)) return a_fits;
  return a_fits ? a.nanoseconds < b.nanoseconds : a.bytes < b.bytes;
}

Status check(const CodeTask& task) {
  const auto bad = [](std::string message) {
    return Error{ErrorCode::kInvalidArgument, std::move(message)};
  };
  if (task.bits % 64 != 0 || task.bits < 64 || task.bits > 512) {
    return bad(fmt::format("codes have {} bits, but it must be a multiple of 64 from 64 to 512",
                           task.bits));
  }
  if (task.radius > task.bits / 4) {
    return bad(fmt::format("the radius is {}, but it must be at most a quarter of the {} bits",
                           task.radius, task.bits));
  }
  if (!(task.recall > 0 && task.recall <= 1)) {
    return bad(fmt::format("the recall is {}, but it must be above 0 and at most 1", task.recall));
  }
  if (task.items == 0 || task.items > 1U << 28U) {
    return bad(fmt::format("{} items are expected, but it must be 1 to 268435456", task.items));
  }
  return ok();
}

}  // namespace

double code_found(std::uint32_t bits, std::uint32_t distance, std::uint32_t tables,
                  std::uint32_t width, std::uint32_t flips) {
  assert(distance <= bits && bits <= 512 && width > 0 && tables * width <= bits);
  if (tables * (flips + 1) > distance) return 1;
  Missed missed(distance, width, flips);
  for (std::uint32_t i = 0; i < tables; ++i) missed.add_table();
  return 1 - missed.probability(bits, bits - tables * width);
}

Result<CodePlan> choose_code_plan(const CodeTask& task) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check(task));
  CodePlan best;
  for (std::uint32_t width = kMinWidth; width <= kMaxWidth; ++width) {
    for (std::uint32_t flips = 0; flips <= kMaxFlips; ++flips) {
      CodePlan plan = fewest_tables(task, width, flips);
      if (plan.tables == 0) continue;
      rate(task, plan);
      if (better(task, plan, best)) best = plan;
    }
  }
  assert(best.tables > 0);  // 8 bits and 3 flips do for a quarter of the bits
  return best;
}

}  // namespace twinsift
