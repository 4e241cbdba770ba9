// SPDX-License-Identifier: Apache-2.0
// Our labels beside the paper's, on the same documents at the same promise.
#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "eval/paper_004_network.h"

namespace twinsift::paper_004 {
namespace {

struct Range {
  double least = 1e9;
  double most = 0;
  void add(double ratio) {
    least = std::min(least, ratio);
    most = std::max(most, ratio);
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:.2f} to {:.2f}", least, most); }
};

// What labels take for a document and for a search.
struct Costs {
  LabelPlan plan{};
  double publish = 0;
  double search = 0;
  [[nodiscard]] double total() const { return kArticles * publish + kSearches * search; }
};

Costs counted(const CorpusRun& run, Comparing comparing) {
  return {run.plan, run.counts.publish(), run.counts.search(comparing)};
}

// What is counted of the paper's labels and of ours.  Plans are the same in all: those that are
// best by the paper's cost.
struct Count {
  const char* name;
  Comparing paper, ours;
};
constexpr std::array kCounts = {
    Count{"counted, each as it is", Comparing::kEachCandidate, Comparing::kShown},
    Count{"both by the paper's cost", Comparing::kEachCandidate, Comparing::kEachCandidate},
    Count{"both each peer once", Comparing::kEachPeer, Comparing::kEachPeer},
    Count{"both as our peers", Comparing::kShown, Comparing::kShown},
};

// In the paper's network, with the law of the corpus and one near duplicate for each search.
Result<Costs> planned(const CorpusRuns& runs, const PondGoal& goal, const LabelChoice& choice) {
  TWINSIFT_TRY(const LabelPlan plan,
               choose_label_plan(paper_load(kSearches), goal, runs.law, choice));
  return Costs{plan, plan.publish, plan.search};
}

double add_row(std::string_view network, const PondGoal& goal, const Costs& paper,
               const Costs& ours, EvalSection& section) {
  const double ratio = ours.total() / paper.total();
  section.table.rows.push_back({std::string(network), fmt::format("{}", goal.similarity),
                                fmt::format("{}", goal.recall), shape_of(paper.plan),
                                fmt::format("{:.1f}", paper.publish),
                                fmt::format("{:.1f}", paper.search), shape_of(ours.plan),
                                sketch_of(ours.plan), fmt::format("{:.1f}", ours.publish),
                                fmt::format("{:.1f}", ours.search), fmt::format("{:.3f}", ratio)});
  return ratio;
}

// All pr_min at one minSim.
struct Block {
  std::array<Range, kCounts.size()> counted;  // shares of the paper's messages that ours take
  Range planned;
  std::uint64_t largest = 0;  // label of ours
};

Result<Block> add_block(const CorpusRuns& runs, double similarity, EvalSection& section) {
  Block block;
  PlotSeries model{.name = fmt::format("minSim = {}, the paper's network", similarity)};
  std::vector<PlotSeries> series;
  for (const Count& count : kCounts) {
    series.push_back({.name = fmt::format("minSim = {}, {}", similarity, count.name)});
  }
  for (std::size_t i = 0; i + 1 < runs.runs.size(); i += 2) {
    const CorpusRun& paper = runs.runs[i];
    const CorpusRun& ours = runs.runs[i + 1];
    if (paper.similarity != similarity) continue;
    const PondGoal goal{similarity, paper.promised};
    block.largest = std::max(block.largest, ours.counts.largest_label);
    TWINSIFT_TRY(const Costs paper_plan, planned(runs, goal, kPaperLabels));
    TWINSIFT_TRY(const Costs our_plan, planned(runs, goal, kOurLabels));
    const double of_plan = add_row("the paper's, model", goal, paper_plan, our_plan, section);
    block.planned.add(of_plan);
    model.points.push_back({goal.recall, of_plan});
    for (std::size_t j = 0; j < kCounts.size(); ++j) {
      const Count& count = kCounts[j];
      const double ratio = add_row(count.name, goal, counted(paper, count.paper),
                                   counted(ours, count.ours), section);
      block.counted[j].add(ratio);
      series[j].points.push_back({goal.recall, ratio});
    }
  }
  section.plots.front().series.push_back(std::move(model));
  std::ranges::move(series, std::back_inserter(section.plots.front().series));
  return block;
}

}  // namespace

Result<EvalSection> wide_labels(const CorpusRuns& runs) {
  EvalSection section;
  section.claim = {
      .id = "labels",
      .title = "Ours: wide labels with a sketch against the paper's labels",
      .claim =
          "(Ours, not the paper's.) At the same promise, on the same documents, labels of wide "
          "min-hashes with a sketch in the entry take at most 0.6 times the messages of the "
          "paper's "
          "best plan at minSim = 0.9, and at most 0.4 times at 0.8.",
      .verdict = {}};
  section.table.columns = {"network",          "minSim",         "pr_min",
                           "paper, l x k x b", "paper, publish", "paper, search",
                           "ours, l x k x b",  "sketch bits",    "ours, publish",
                           "ours, search",     "ratio"};
  section.plots.push_back({.title = "Messages of our labels, as a share of the paper's",
                           .x = {.label = "pr_min", .low = 0.5, .high = 1},
                           .y = {.label = "ratio", .low = 0, .high = 1},
                           .series = {}});
  TWINSIFT_TRY(const Block same, add_block(runs, kMinSim, section));
  TWINSIFT_TRY(const Block near, add_block(runs, kNearMinSim, section));
  section.claim.holds = same.counted[0].most <= 0.6 && near.counted[0].most <= 0.4;
  std::string counts;
  for (std::size_t j = 0; j < kCounts.size(); ++j) {
    counts += fmt::format("{}{}: {} at 0.9 and {} at 0.8", j == 0 ? "" : "; ", kCounts[j].name,
                          same.counted[j].text(), near.counted[j].text());
  }
  section.claim.verdict = fmt::format(
      "By the model, in the paper's network with the "
      "similarities of {} and one duplicate for "
      "each search: {} times the messages at 0.9 and {} at 0.8, over all pr_min. On these "
      "documents "
      "themselves, whose searches have more duplicates, {}. The first of these decides: the "
      "paper's "
      "scheme as its cost has it, a message for each candidate and one for each duplicate, and "
      "ours "
      "as peers ask, a request and an answer for up to 16 candidates of one "
      "peer. The paper's text, which sends a question once to each peer, is cheaper than its cost. "
      "The largest label of ours has {} entries; a key has room for {:.0f}, and further keys "
      "count.",
      runs.where(), same.planned.text(), near.planned.text(), counts,
      std::max(same.largest, near.largest), kOurLabels.bucket);
  return section;
}

}  // namespace twinsift::paper_004
