// SPDX-License-Identifier: Apache-2.0
// What the sections on the network of peers share: the paper's setting, and trials on Chord.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "eval/chord_trial.h"
#include "eval/paper_004.h"
#include "net/bucket_sizes.h"
#include "tune/label_plan.h"

namespace twinsift::paper_004 {

// The text collection of the paper: 802,253 articles on 100,000 peers.
inline constexpr double kPeers = 100'000;
inline constexpr double kArticles = 802'253;
inline constexpr double kSearches = 1e6;  // in a period
inline constexpr std::uint32_t kBins = 100;
// The exponent of the law of similarities for which a search has about one near duplicate.
inline constexpr double kSteep = 3.5;

// Ours, with room for so many entries under a key as peers have it (net/crowd.h), and a request and
// an answer for each that is compared (net/show_protocol.h).
inline const LabelChoice kOurLabels{
    .bucket = net::kMostEntries, .crowd = net::kCrowd, .stranger = 2};

// pr_min for which labels are compared.
inline constexpr std::array kPromises = {0.5, 0.7, 0.8, 0.9, 0.95};

// The load of the paper's network with one near duplicate for each search.
PondLoad paper_load(double searches);

// A trial of a plan.  The searches are still to be chosen.
ChordTrial trial_of(const EvalOptions& options, const LabelPlan& plan, double similarity,
                    std::uint32_t peers);

// Figure 3: the cost for each number of labels, by the model and counted.
Result<EvalSection> cost_of_numbers(const EvalOptions& options, const Sizes& sizes);

// Section V-D: the optimiser against brute force.
Result<EvalSection> optimiser(const EvalOptions& options, const Sizes& sizes);

// Figure 5: messages for a resource and for a search, by the model and counted.
Result<EvalSection> messages(const EvalOptions& options, const Sizes& sizes);

// Section V-B: how often a lookup is forwarded.
Result<EvalSection> forwards(const EvalOptions& options, const Sizes& sizes);

// One plan on a corpus.
struct CorpusRun {
  double similarity = 0;  // minSim
  double promised = 0;    // pr_min
  bool ours = false;
  LabelPlan plan{};
  double expected = 0;   // recall in theory, over the same pairs
  ChordCounts counts{};  // over all seeds
};

// The most labels that any of the plans with sketches has.
std::uint32_t most_sketched(std::span<const CorpusRun> runs);

struct CorpusRuns {
  std::string description;
  bool real = false;  // documents, not made up
  std::uint32_t documents = 0;
  std::uint32_t peers = 0;
  std::vector<WeightedSimilarity> law{};
  std::vector<CorpusRun> runs{};  // the paper's labels and ours, one after the other

  [[nodiscard]] std::string where() const;  // "37655 documents of ... on ... peers"
};

// "4 x 21 x 1": labels, hashes, bits of a hash.
std::string shape_of(const LabelPlan& plan);
// The bits of one sketch that must agree, "-" if there is none.
std::string sketch_of(const LabelPlan& plan);

// Publishes the documents of the corpus, or made-up ones, by the plans of both kinds of labels for
// minSim of .8 and .9 and several pr_min, and looks for near duplicates.
Result<CorpusRuns> run_on_corpus(const EvalOptions& options, const Sizes& sizes);

// Figure 4: recall against pr_min.
EvalSection recall(const CorpusRuns& runs);

// The law below `similarity`, and above it so much that one of so many documents has one near
// duplicate on average.
std::vector<WeightedSimilarity> with_one_duplicate(std::span<const WeightedSimilarity> law,
                                                   double similarity, double documents);

// The same plans for made-up documents, in the paper's network, with the law of the corpus and one
// near duplicate for each search.
Result<CorpusRuns> run_on_law(const EvalOptions& options, const Sizes& sizes,
                              const CorpusRuns& corpus);

// Ours: wide labels with a sketch against the paper's at the same promise, on the corpus and on
// its law.
EvalSection wide_labels(const CorpusRuns& corpus, const CorpusRuns& law);

}  // namespace twinsift::paper_004
