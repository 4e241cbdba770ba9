// SPDX-License-Identifier: Apache-2.0
// Figures 5 and 6: which features make an index fast at equal quality.
#include <algorithm>

#include <fmt/format.h>

#include "eval/paper_001.h"

namespace twinsift::paper_001 {
namespace {

constexpr std::array kCompared = {Method::kBasic, Method::kBalanced, Method::kMultiProbe};

Line line_of(const Trial& trial, const char* family, std::uint32_t l, Method method) {
  Line line{family, l, method};
  if (method == Method::kBalanced) line.cap = paper_cap(trial.items(), trial.set->dimension, l);
  return line;
}

std::uint32_t shared_tables(const Trial& ours, const Trial& theirs) {
  for (const std::uint32_t l : ours.tables) {
    if (std::ranges::find(theirs.tables, l) != theirs.tables.end()) return l;
  }
  return ours.tables.front();
}

}  // namespace

EvalSection feature_comparison(const FeatureClaim& claim, const Trial& ours, const Trial& theirs) {
  EvalSection section;
  section.claim = {.id = claim.id, .title = claim.title, .claim = claim.claim, .verdict = {}};
  section.table.columns = {"features", "N-S score, exhaustive", "family", "L", "index"};
  for (const double quality : kQualities) {
    section.table.columns.push_back(fmt::format("acceleration at {}", quality));
  }
  const std::uint32_t l = shared_tables(ours, theirs);
  std::size_t compared = 0;
  std::size_t ahead = 0;
  for (const char* const family : kFamilies) {
    Plot plot{.title = fmt::format("{}, L = {}", family, l),
              .x = {.label = "relative mRP"},
              .y = {.label = "acceleration, n / candidates", .log = true},
              .series = {}};
    for (const Trial* trial : {&ours, &theirs}) {
      for (const Method method : kCompared) {
        std::vector<std::string> row = {trial->set->name,
                                        fmt::format("{:.3f}", trial->questions->scan_score()),
                                        family, std::to_string(l), name_of(method)};
        PlotSeries series{.name = fmt::format("{}, {}", trial->set->name, name_of(method))};
        for (const double quality : kQualities) {
          const Spread at = acceleration_at(*trial, line_of(*trial, family, l, method), quality);
          row.push_back(at.count == 0 ? "-" : fmt::format("{:.1f}", at.mean));
          if (at.count > 0) series.points.push_back({quality, at.mean});
        }
        section.table.rows.push_back(std::move(row));
        plot.series.push_back(std::move(series));
      }
    }
    section.plots.push_back(std::move(plot));
    for (const double quality : kQualities) {
      const Spread mine = acceleration_at(ours, line_of(ours, family, l, Method::kBasic), quality);
      const Spread other =
          acceleration_at(theirs, line_of(theirs, family, l, Method::kBasic), quality);
      if (mine.count == 0 || other.count == 0) continue;
      ++compared;
      ahead += mine.mean > other.mean ? 1U : 0U;
    }
  }
  section.claim.holds = compared > 0 && ahead == compared;
  section.claim.verdict = fmt::format(
      "With basic LSH, {} accelerate more than {} at equal relative mRP in {} of {} comparisons. "
      "Relative mRP is relative to what the same features find without an index: the N-S scores "
      "of that are {:.3f} and {:.3f}.",
      ours.set->name, theirs.set->name, ahead, compared, ours.questions->scan_score(),
      theirs.questions->scan_score());
  return section;
}

}  // namespace twinsift::paper_001
