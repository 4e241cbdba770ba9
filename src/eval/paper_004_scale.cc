// SPDX-License-Identifier: Apache-2.0
// Both kinds of labels in the paper's own network, with the similarities of a corpus.
//
// The paper's collection is not to be had, but its size is, and that a search has about one near
// duplicate.  So documents are made up (eval/law_documents.h) which are as similar as those of the
// corpus, as far as they are strangers, and each of which has one near duplicate.
//
// Limits:  all documents see the same law.  In a real corpus some have large families and others
//          none, so that few labels are much larger than the mean, and most are smaller; that is
//          counted on the corpus itself.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "eval/law_documents.h"
#include "eval/paper_004_network.h"

namespace twinsift::paper_004 {

std::vector<WeightedSimilarity> with_one_duplicate(std::span<const WeightedSimilarity> law,
                                                   double similarity, double documents) {
  double above = 0;
  double below = 0;
  for (const auto& [s, weight] : law) (s >= similarity ? above : below) += weight;
  std::vector<WeightedSimilarity> shares(law.begin(), law.end());
  if (above == 0) {
    shares.push_back({(1 + similarity) / 2, 1});
    above = 1;
  }
  if (below == 0) {
    shares.push_back({0, 1});
    below = 1;
  }
  for (auto& [s, weight] : shares) {
    weight *= s >= similarity ? 1 / (documents * above) : (1 - 1 / documents) / below;
  }
  return shares;
}

namespace {

Result<CorpusRun> count(const EvalOptions& options, const LawDocuments& corpus,
                        std::span<const LabelSketch> sketches, ChordTrial trial, CorpusRun run) {
  TWINSIFT_TRY([[maybe_unused]] const auto begun,
               begin(options, fmt::format("the law of the corpus, minSim = {}, pr_min = {}, {}",
                                          run.similarity, run.promised, shape_of(run.plan))));
  trial.sketches = sketches;
  TWINSIFT_TRY(run.counts, run_chord_trial(corpus, trial));
  return run;
}

// The plans of both kinds of labels for every pr_min.
Result<std::vector<CorpusRun>> make_plans(const PondLoad& load,
                                          std::span<const WeightedSimilarity> law,
                                          double similarity) {
  std::vector<CorpusRun> runs;
  for (const double promised : kPromises) {
    for (const bool ours : {false, true}) {
      CorpusRun run{similarity, promised, ours};
      TWINSIFT_TRY(run.plan, choose_label_plan(load, {similarity, promised}, law,
                                               ours ? kOurLabels : kPaperLabels));
      runs.push_back(run);
    }
  }
  return runs;
}

Status run_similarity(const EvalOptions& options, const Sizes& sizes, double similarity,
                      CorpusRuns& all) {
  const auto law = with_one_duplicate(all.law, similarity, sizes.documents);
  const LawDocuments corpus(sizes.documents, law, options.seed);
  const auto searches = choose_searches(corpus, similarity, sizes.searches, options.seed);
  const PondLoad load{1.0 * sizes.peers, 1.0 * sizes.documents / sizes.peers,
                      sizes.documents * kSearches / kArticles, 1};
  TWINSIFT_TRY(const std::vector<CorpusRun> runs, make_plans(load, law, similarity));
  std::vector<LabelSketch> sketches;
  for (const CorpusRun& run : runs) {
    const LabelChoice& choice = run.ours ? kOurLabels : kPaperLabels;
    ChordTrial trial = trial_of(options, run.plan, similarity, sizes.peers);
    trial.bucket = static_cast<std::uint32_t>(choice.bucket);
    trial.crowd = static_cast<std::uint32_t>(choice.crowd);
    trial.searches = searches;
    if (run.ours && sketches.empty()) {
      sketches = sketch_documents(corpus, trial, most_sketched(runs));
    }
    TWINSIFT_TRY(CorpusRun counted, count(options, corpus, sketches, std::move(trial), run));
    all.runs.push_back(std::move(counted));
  }
  return ok();
}

}  // namespace

Result<CorpusRuns> run_on_law(const EvalOptions& options, const Sizes& sizes,
                              const CorpusRuns& corpus) {
  CorpusRuns result{.description = fmt::format("the law of {}", corpus.description),
                    .real = corpus.real,
                    .documents = sizes.documents,
                    .peers = sizes.peers,
                    .law = corpus.law};
  for (const double similarity : {kMinSim, kNearMinSim}) {
    TWINSIFT_TRY([[maybe_unused]] const auto counted,
                 run_similarity(options, sizes, similarity, result));
  }
  return result;
}

}  // namespace twinsift::paper_004
