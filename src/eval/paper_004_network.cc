// SPDX-License-Identifier: Apache-2.0
// Trials of label plans on Chord, with documents of a corpus.
#include "eval/paper_004_network.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "base/hash.h"
#include "eval/data.h"
#include "eval/set_documents.h"

namespace twinsift::paper_004 {
namespace {

constexpr double kResourcesPerPeer = kArticles / kPeers;
constexpr std::uint64_t kSeeds = 8;  // of labels, for each plan on a corpus

// The mean over the pairs that are to be found.
double expected_recall(const SetDocuments& corpus, const ChordTrial& trial) {
  const SketchThresholds least = sketch_thresholds(trial.least_agreeing, trial.similarity);
  double sum = 0;
  double pairs = 0;
  for (const std::uint32_t a : trial.searches) {
    for (const std::uint32_t b : corpus.similar(a, trial.similarity)) {
      sum += asked_share(trial.shape, least, corpus.similarity(a, b));
      ++pairs;
    }
  }
  return pairs > 0 ? sum / pairs : 1;
}

// The plans of both kinds of labels for every minSim and pr_min.
Result<std::vector<CorpusRun>> make_plans(const SetDocuments& corpus, std::uint32_t peers) {
  std::vector<CorpusRun> runs;
  for (const double similarity : {kMinSim, kNearMinSim}) {
    const PondLoad load{1.0 * peers, corpus.documents() / (1.0 * peers),
                        corpus.documents() * kSearches / kArticles, corpus.duplicates(similarity)};
    for (const double promised : kPromises) {
      for (const bool ours : {false, true}) {
        CorpusRun run{similarity, promised, ours};
        TWINSIFT_TRY(run.plan, choose_label_plan(load, {similarity, promised}, corpus.law(),
                                                 ours ? kOurLabels : kPaperLabels));
        runs.push_back(run);
      }
    }
  }
  return runs;
}

// Counts all plans with the labels of one seed.
Status run_plans(const EvalOptions& options, const SetDocuments& corpus, std::uint64_t seed,
                 CorpusRuns& all) {
  std::vector<LabelSketch> sketches;
  for (CorpusRun& run : all.runs) {
    TWINSIFT_TRY(
        [[maybe_unused]] const auto begun,
        begin(options, fmt::format("minSim = {}, pr_min = {}", run.similarity, run.promised)));
    ChordTrial trial = trial_of(options, run.plan, run.similarity, all.peers);
    trial.seed = seed;
    const LabelChoice& choice = run.ours ? kOurLabels : kPaperLabels;
    trial.bucket = static_cast<std::uint32_t>(choice.bucket);
    trial.crowd = static_cast<std::uint32_t>(choice.crowd);
    trial.searches = corpus.searches(run.similarity);
    if (run.ours && sketches.empty()) {
      sketches = sketch_documents(corpus, trial, most_sketched(all.runs));
    }
    trial.sketches = sketches;
    run.expected = expected_recall(corpus, trial);
    TWINSIFT_TRY(const ChordCounts counts, run_chord_trial(corpus, trial));
    run.counts += counts;
  }
  return ok();
}

}  // namespace

std::uint32_t most_sketched(std::span<const CorpusRun> runs) {
  std::uint32_t most = 0;
  for (const CorpusRun& run : runs) {
    if (run.plan.least_agreeing > 0) most = std::max(most, run.plan.shape.labels);
  }
  return most;
}

std::string CorpusRuns::where() const {
  return fmt::format("{}, {} different ones on {} peers", description, documents, peers);
}

std::string shape_of(const LabelPlan& plan) {
  return fmt::format("{} x {} x {}", plan.shape.labels, plan.shape.hashes, plan.shape.width);
}

std::string sketch_of(const LabelPlan& plan) {
  return plan.least_agreeing == 0 ? "-" : std::to_string(plan.least_agreeing);
}

PondLoad paper_load(double searches) { return {kPeers, kResourcesPerPeer, searches, 1}; }

ChordTrial trial_of(const EvalOptions& options, const LabelPlan& plan, double similarity,
                    std::uint32_t peers) {
  return {.shape = plan.shape,
          .least_agreeing = plan.least_agreeing,
          .bucket = 0,
          .similarity = similarity,
          .peers = peers,
          .searches = {},
          .seed = options.seed,
          .threads = std::max(std::thread::hardware_concurrency(), 1U),
          .stop = options.stop,
          .sketches = {}};
}

Result<CorpusRuns> run_on_corpus(const EvalOptions& options, const Sizes& sizes) {
  TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "similarities of the corpus"));
  TWINSIFT_TRY(EvalSets loaded, load_sets(options, sizes.texts));
  std::ranges::sort(loaded.sets);
  if (loaded.sets.empty() || loaded.sets.front() == loaded.sets.back()) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("{} has no two different documents of five words or more", options.corpus)};
  }
  const SetDocuments corpus(std::move(loaded.sets), sizes.sample, options.seed);
  CorpusRuns result{.description = loaded.description,
                    .real = !options.corpus.empty(),
                    .documents = corpus.documents(),
                    .peers = static_cast<std::uint32_t>(
                        std::max(std::round(corpus.documents() / kResourcesPerPeer), 1.0)),
                    .law = corpus.law()};
  TWINSIFT_TRY(result.runs, make_plans(corpus, result.peers));
  for (std::uint64_t i = 0; i < kSeeds; ++i) {
    TWINSIFT_TRY([[maybe_unused]] const auto counted,
                 run_plans(options, corpus, seed_key(options.seed, i), result));
  }
  return result;
}

Result<std::vector<EvalSection>> network(const EvalOptions& options, const Sizes& sizes) {
  TWINSIFT_TRY(const CorpusRuns runs, run_on_corpus(options, sizes));
  TWINSIFT_TRY(EvalSection lookups, forwards(options, sizes));
  TWINSIFT_TRY(EvalSection costs, messages(options, sizes));
  TWINSIFT_TRY(const CorpusRuns law, run_on_law(options, sizes, runs));
  std::vector<EvalSection> sections;
  sections.push_back(recall(runs));
  sections.push_back(std::move(lookups));
  sections.push_back(std::move(costs));
  sections.push_back(wide_labels(runs, law));
  return sections;
}

}  // namespace twinsift::paper_004
