// SPDX-License-Identifier: Apache-2.0
#include "index/mih.h"

#include <numeric>

#include <fmt/format.h>

#include "base/random.h"
#include "index/code_tables.h"
#include "index/spec.h"

namespace twinsift {
namespace {

struct Parsed {
  CodeTask task;
  std::uint64_t seed = 0;
  std::string spec;  // canonical
};

Result<Parsed> parse(std::string_view text) {
  const CodeTask usual;
  TWINSIFT_TRY(const IndexSpec spec,
               IndexSpec::parse(text, {"bits", "radius", "recall", "items", "seed"}));
  TWINSIFT_TRY(const auto bits, spec.number("bits", usual.bits, 64, 512));
  TWINSIFT_TRY(const auto radius, spec.number("radius", bits / 8 - 1, 0, 512));
  TWINSIFT_TRY(const double recall, spec.real("recall", usual.recall));
  TWINSIFT_TRY(const auto items, spec.number("items", usual.items, 1, 1U << 28U));
  Parsed parsed;
  TWINSIFT_TRY(parsed.seed, spec.number("seed", 0, 0, UINT64_MAX));
  parsed.task.bits = static_cast<std::uint32_t>(bits);
  parsed.task.radius = static_cast<std::uint32_t>(radius);
  parsed.task.recall = recall;
  parsed.task.items = static_cast<std::uint32_t>(items);
  parsed.spec = fmt::format("mih1:bits={},radius={},recall={},items={},seed={}", bits, radius,
                            recall, items, parsed.seed);
  return parsed;
}

// Disjoint groups of bits, drawn like cards.
std::vector<BitSample> draw_groups(const CodeTask& task, const CodePlan& plan, std::uint64_t seed) {
  std::vector<std::uint32_t> bits(task.bits);
  std::iota(bits.begin(), bits.end(), 0U);
  Rng rng(seed);
  std::vector<BitSample> groups;
  std::uint32_t drawn = 0;
  for (std::uint32_t t = 0; t < plan.tables; ++t) {
    const bool reduced = t >= plan.tables - plan.reduced;
    BitSample group{.masks = std::vector<std::uint64_t>(task.bits / 64),
                    .flips = plan.flips - (reduced ? 1 : 0)};
    for (std::uint32_t i = 0; i < plan.width; ++i, ++drawn) {
      std::swap(bits[drawn], bits[drawn + rng.below(task.bits - drawn)]);
      group.masks[bits[drawn] / 64] |= std::uint64_t{1} << (bits[drawn] % 64);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

Result<CodePlan> plan_of_mih(std::string_view spec) {
  TWINSIFT_TRY(const Parsed parsed, parse(spec));
  return choose_code_plan(parsed.task);
}

Result<std::unique_ptr<CodeIndex>> make_mih(std::string_view spec) {
  TWINSIFT_TRY(const Parsed parsed, parse(spec));
  TWINSIFT_TRY(const CodePlan plan, choose_code_plan(parsed.task));
  return std::unique_ptr<CodeIndex>(std::make_unique<CodeTables>(
      CodeTables::Layout{.spec = parsed.spec,
                         .words = parsed.task.bits / 64,
                         .radius = parsed.task.radius,
                         .samples = draw_groups(parsed.task, plan, parsed.seed)}));
}

}  // namespace twinsift
