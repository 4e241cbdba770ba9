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

// What labels take in all, of the paper's documents and searches.
double total(const CorpusRun& run, Comparing comparing) {
  return kArticles * run.counts.publish() + kSearches * run.counts.search(comparing);
}

// Keys that a search has looked up for each of its labels.
double keys_of(const CorpusRun& run) {
  return 1 + static_cast<double>(run.counts.more_searched) /
                 static_cast<double>(run.counts.searches * run.plan.shape.labels);
}

// What is counted of the paper's labels and of ours.  The plans are the same in all: the paper's
// are best by its cost, and ours by that of our peers.
struct Count {
  const char* name;
  Comparing paper, ours;
};
constexpr std::array kCounts = {
    Count{"each as it is", Comparing::kEachCandidate, Comparing::kShown},
    Count{"both by the paper's cost", Comparing::kEachCandidate, Comparing::kEachCandidate},
    Count{"both each peer once", Comparing::kEachPeer, Comparing::kEachPeer},
    Count{"both as our peers", Comparing::kShown, Comparing::kShown},
};

double add_row(const char* documents, const Count& count, const CorpusRun& paper,
               const CorpusRun& ours, EvalSection& section) {
  const double ratio = total(ours, count.ours) / total(paper, count.paper);
  const auto number = [](double value) { return fmt::format("{:.1f}", value); };
  section.table.rows.push_back(
      {documents, count.name, fmt::format("{}", paper.similarity),
       fmt::format("{}", paper.promised), shape_of(paper.plan), number(paper.counts.publish()),
       number(paper.counts.search(count.paper)), fmt::format("{:.4f}", paper.counts.recall()),
       shape_of(ours.plan), sketch_of(ours.plan), number(ours.counts.publish()),
       number(ours.counts.search(count.ours)), fmt::format("{:.4f}", ours.counts.recall()),
       fmt::format("{:.2f}", ours.plan.keys), fmt::format("{:.2f}", keys_of(ours)),
       fmt::format("{:.3f}", ratio)});
  return ratio;
}

// All pr_min at one minSim, on one kind of documents.
struct Block {
  std::array<Range, kCounts.size()> counted;  // shares of the paper's messages that ours take
  Range model;                                // likewise of "each as it is", as planned
  bool kept = true;                           // what was promised was found
  std::uint64_t largest = 0;                  // label of ours
};

Block add_block(const CorpusRuns& runs, const char* documents, double similarity,
                EvalSection& section) {
  Block block;
  std::vector<PlotSeries> series;
  for (const Count& count : kCounts) {
    series.push_back(
        {.name = fmt::format("{}, minSim = {}, {}", documents, similarity, count.name)});
  }
  for (std::size_t i = 0; i + 1 < runs.runs.size(); i += 2) {
    const CorpusRun& paper = runs.runs[i];
    const CorpusRun& ours = runs.runs[i + 1];
    if (paper.similarity != similarity) continue;
    block.largest = std::max(block.largest, ours.counts.largest_label);
    block.kept = block.kept && ours.counts.recall() >= ours.promised;
    block.model.add(ours.plan.messages / paper.plan.messages);
    for (std::size_t j = 0; j < kCounts.size(); ++j) {
      const double ratio = add_row(documents, kCounts[j], paper, ours, section);
      block.counted[j].add(ratio);
      series[j].points.push_back({paper.promised, ratio});
    }
  }
  std::ranges::move(series, std::back_inserter(section.plots.front().series));
  return block;
}

std::string text_of(const Block& same, const Block& near) {
  std::string text;
  for (std::size_t j = 0; j < kCounts.size(); ++j) {
    text += fmt::format("{}{}: {} at 0.9 and {} at 0.8", j == 0 ? "" : "; ", kCounts[j].name,
                        same.counted[j].text(), near.counted[j].text());
  }
  return text;
}

EvalSection empty_section() {
  EvalSection section;
  section.claim = {
      .id = "labels",
      .title = "Ours: wide labels with a sketch against the paper's labels",
      .claim =
          "(Ours, not the paper's.) At the same promise, with the similarities of a real corpus, "
          "labels of wide min-hashes with a sketch in the entry take at most 0.6 times the "
          "messages of the paper's best plan at minSim = 0.9, and at most 0.4 times at 0.8.",
      .verdict = {}};
  section.table.columns = {"documents",        "comparing",      "minSim",        "pr_min",
                           "paper, l x k x b", "paper, publish", "paper, search", "paper, recall",
                           "ours, l x k x b",  "sketch bits",    "ours, publish", "ours, search",
                           "ours, recall",     "keys, planned",  "keys, counted", "ratio"};
  section.plots.push_back({.title = "Messages of our labels, as a share of the paper's",
                           .x = {.label = "pr_min", .low = 0.5, .high = 1},
                           .y = {.label = "ratio", .low = 0, .high = 1},
                           .series = {}});
  return section;
}

}  // namespace

EvalSection wide_labels(const CorpusRuns& corpus, const CorpusRuns& law) {
  EvalSection section = empty_section();
  const Block same_law = add_block(law, "its law", kMinSim, section);
  const Block near_law = add_block(law, "its law", kNearMinSim, section);
  const Block same = add_block(corpus, "corpus", kMinSim, section);
  const Block near = add_block(corpus, "corpus", kNearMinSim, section);
  // The rule, set before there were any counts of this: the paper's setting decides, each kind as
  // it is, for every pr_min, and ours must find what they promise.
  section.claim.holds = same_law.counted[0].most <= 0.6 && near_law.counted[0].most <= 0.4 &&
                        same_law.kept && near_law.kept;
  section.claim.verdict = fmt::format(
      "In the paper's network, {} made-up documents on {} peers with one near duplicate for each "
      "search, whose strangers are as similar as those of {}, over all pr_min, {}. (Planned, each "
      "as it is: {} and {}.) The first of these decides: the paper's scheme as its cost has it, a "
      "message for each candidate and one for each duplicate, and ours as peers ask, a request "
      "and an answer for up to 16 candidates of one peer. What ours promise is {}. On the "
      "documents of the corpus themselves, {}, whose searches have more duplicates, {}. The "
      "paper's text, which sends a question once to each peer, is cheaper than its cost. The "
      "largest label of ours has {} entries there and {} here; a key has room for {:.0f}, and "
      "further keys count.",
      law.documents, law.peers, corpus.description, text_of(same_law, near_law),
      same_law.model.text(), near_law.model.text(),
      same_law.kept && near_law.kept ? "found" : "not always found", corpus.where(),
      text_of(same, near), std::max(same_law.largest, near_law.largest),
      std::max(same.largest, near.largest), kOurLabels.bucket);
  return section;
}

}  // namespace twinsift::paper_004
