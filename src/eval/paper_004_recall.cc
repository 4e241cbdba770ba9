// SPDX-License-Identifier: Apache-2.0
// Figure 4 of the POND paper, on documents.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "eval/paper_004_network.h"

namespace twinsift::paper_004 {
namespace {

void add_recall_row(const CorpusRun& run, EvalSection& section) {
  section.table.rows.push_back(
      {fmt::format("{}", run.similarity), fmt::format("{}", run.promised),
       run.ours ? "ours" : "the paper's", shape_of(run.plan), sketch_of(run.plan),
       std::to_string(run.counts.duplicates), fmt::format("{:.4f}", run.plan.found),
       fmt::format("{:.4f}", run.expected), fmt::format("{:.4f}", run.counts.recall()),
       run.counts.recall() >= run.promised ? "yes" : "no"});
}

}  // namespace

EvalSection recall(const CorpusRuns& runs) {
  EvalSection section;
  section.claim = {.id = "fig4",
                   .title = "Figure 4: recall against the promised probability",
                   .claim =
                       "Recall is at least pr_min, and above it, since most near duplicates are "
                       "more similar than minSim; for articles above 0.8 even with pr_min = 0.5.",
                   .verdict = {}};
  section.table.columns = {"minSim", "pr_min",    "labels",    "l x k x b", "sketch bits",
                           "pairs",  "at minSim", "in theory", "recall",    "kept"};
  Plot plot{.title = "Recall of near duplicates",
            .x = {.label = "pr_min", .low = 0.5, .high = 1},
            .y = {.label = "recall", .low = 0.5, .high = 1},
            .series = {{.name = "promised", .points = {{0.5, 0.5}, {1, 1}}, .markers = false}}};
  std::array<double, 2> least{1, 1};  // at 0.5: the paper's labels, ours
  double margin = 1;
  section.claim.holds = true;
  for (const double similarity : {kMinSim, kNearMinSim}) {
    for (const bool ours : {false, true}) {
      PlotSeries series{
          .name = fmt::format("{}, minSim = {}", ours ? "ours" : "the paper's", similarity)};
      for (const CorpusRun& run : runs.runs) {
        if (run.similarity != similarity || run.ours != ours) continue;
        const double recall = run.counts.recall();
        add_recall_row(run, section);
        series.points.push_back({run.promised, recall});
        section.claim.holds = section.claim.holds && recall >= run.promised;
        margin = std::min(margin, recall - run.promised);
        if (run.promised == 0.5) least[ours ? 1 : 0] = std::min(least[ours ? 1 : 0], recall);
      }
      plot.series.push_back(std::move(series));
    }
  }
  section.plots.push_back(std::move(plot));
  section.claim.verdict = fmt::format(
      "On {}: the promise is {} for all pr_min and both minSim, by the paper's labels and by ours; "
      "the least margin is {:+.3f}. At pr_min = 0.5 recall is {:.3f} or more with the paper's "
      "labels and {:.3f} or more with ours. Equal documents do not count, and every answer was "
      "compared in full: precision is 1.",
      runs.where(), section.claim.holds ? "kept" : "broken", margin, least[0], least[1]);
  return section;
}

}  // namespace twinsift::paper_004
