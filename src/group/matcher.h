// SPDX-License-Identifier: Apache-2.0
// From the shingles of documents to stars and pairs: sketch, index, verify and group in one.
//
// Documents come in batches, in order; each leaves a signature behind: byte codes of its sketch,
// its bucket keys, and hashes by which equal documents meet.  match() then
//   1. collapses documents with equal features, so that a text that occurs 13,428 times costs
//      no more than one that occurs once;
//   2. finds candidates in the buckets, drops most of them by the early stop, verifies the rest
//      exactly against features that are stored or read again;
//   3. gives each document the one it duplicates, if any.
// Where it is cheaper than sketching (few or short documents), candidates come from the exact
// prefix filter instead, and recall is 1.  On request they come by sort and merge of the features
// or, where these are not stored, of the components of the sketches.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/spill.h"
#include "feature/set_arena.h"
#include "feature/shingle.h"
#include "feature/tfidf.h"
#include "group/star.h"
#include "index/candidate_source.h"
#include "index/generator.h"
#include "sketch/table.h"
#include "twinsift/index.h"
#include "twinsift/result.h"
#include "twinsift/sketch.h"
#include "twinsift/types.h"
#include "verify/sketch_comparison.h"

namespace twinsift {

struct MatcherOptions {
  double threshold = 0.8;
  double recall = 0.99;
  std::string sketch = "fss1";  // k is chosen unless the spec has one
  std::string filter = "gs1";
  GeneratorOptions generator{};  // kPrefix requires stored features
  bool store_features = false;   // keep the sets; otherwise match() needs a way to make them again
  bool weighted = false;         // sets have weights
  unsigned threads = 1;
  std::uint64_t memory = std::uint64_t{1} << 32U;  // bytes for sketches and features
  std::string temp_dir;
};

using DocId = std::uint32_t;

class Matcher {
  enum class Kind : std::uint8_t { kEmpty, kTiny, kFull };

 public:
  static Result<Matcher> make(const MatcherOptions& options);

  // The signatures of consecutive documents, made by one worker.
  class Batch {
   public:
    explicit Batch(const Matcher& matcher) : matcher_(&matcher) {}
    // `text` tells tiny documents apart, which only their bytes can.  Takes the ids.  `idf` weighs
    // them, if sets have weights.
    void add(Shingles& shingles, std::string_view text, const IdfTable* idf = nullptr);
    // A set that is ready.  Requires: features are stored, the set is canonical and not empty.
    void add_set(WeightedSet set, std::uint64_t length);

   private:
    friend class Matcher;
    void add_without_features(Kind kind, std::string_view text);
    const Matcher* matcher_;
    std::vector<std::uint64_t> equal_;  // for each document a hash of its sequence of words, and
                                        // one of its set or sketch: its signature
    std::vector<std::uint64_t> lengths_;
    std::vector<std::uint8_t> kinds_;
    std::vector<std::uint8_t> codes_;
    std::vector<std::uint32_t> keys_;  // row by row
    std::vector<WeightedSet> sets_;
    Sketch sketch_;
  };

  // Takes the next documents and empties the batch.  Not thread-safe.
  Status append(Batch& batch);

  [[nodiscard]] std::uint32_t documents() const { return static_cast<DocId>(kinds_.size()); }
  [[nodiscard]] const SetArena& sets() const { return arena_; }
  // Whether the memory did not suffice.
  [[nodiscard]] bool spilled() const { return spilled_; }
  // Set of a document in sets(); nothing for empty and tiny ones.
  [[nodiscard]] std::optional<std::uint32_t> row(DocId document) const;

  struct Task {
    bool longest_first = false;    // keep the longest of a group, not the first
    std::uint32_t references = 0;  // the first so many documents always stay
    bool references_only = false;  // look for matches with references alone
    bool all_pairs = false;
    std::vector<std::uint32_t> labels;        // if any: only documents of different labels match
    std::function<bool(DocId, DocId)> apart;  // pairs that never match, as a person has said
    std::function<Result<WeightedSet>(DocId)> remake;     // unless features are stored
    std::function<Result<bool>(DocId, DocId)> same_text;  // unless all came by add_set
    std::stop_token stop;
    // What it does now, and how much of it is done.
    std::function<void(std::string_view stage, std::uint64_t items, std::uint64_t total)> progress;
  };
  struct Outcome {
    std::vector<DocId> keeper;  // keeper[d] == d: d stays
    std::vector<double> score;
    std::vector<Match> pairs;     // of documents; equal ones only with the first of them
    MatchStats stats;             // capped: documents
    std::uint64_t collapsed = 0;  // documents whose features equal those of another
    std::vector<std::pair<std::string, std::uint64_t>> index_counts;  // facts of the generator
    std::string guarantee;
    std::vector<std::string> specs;  // sketch, index and filter that were used
    double seconds_index = 0;
    double seconds_verify = 0;
  };
  // Call once.
  Result<Outcome> match(const Task& task);

 private:
  static constexpr std::uint32_t kNoRow = UINT32_MAX;
  // Item i stands for the document docs[i] and, if there are more with equal features, for them.
  struct Items {
    std::vector<DocId> docs;          // full documents, in the order of keeping
    std::vector<std::uint32_t> rows;  // their rows
    std::vector<DocId> same_as;       // for each document the first equal one; itself if alone
    std::uint32_t references = 0;     // items that stand for references
  };

  class SortMergeJoin;

  Matcher(MatcherOptions options, SketchComparison comparison)
      : options_(std::move(options)), comparison_(std::move(comparison)) {}
  Status sketch_stored();
  [[nodiscard]] bool counts_exactly() const;
  [[nodiscard]] bool needs_keys() const;
  [[nodiscard]] bool needs_sketches(GeneratorKind kind) const;
  [[nodiscard]] GeneratorKind choose_generator() const;
  Status collapse(const Task& task, Items& items) const;
  Status collapse_equal(const Task& task, std::span<const DocId> order,
                        std::vector<DocId>& same_as) const;
  Status collapse_run(const Task& task, std::span<const DocId> docs,
                      std::vector<DocId>& same_as) const;
  Result<bool> equal(const Task& task, DocId a, DocId b) const;
  Result<std::unique_ptr<CandidateSource>> find_candidates(GeneratorKind kind, const Task& task,
                                                           const Items& items,
                                                           Outcome& outcome) const;
  Result<std::unique_ptr<CandidateSource>> meet_in_prefixes(const Items& items,
                                                            Outcome& outcome) const;
  Result<std::unique_ptr<CandidateSource>> meet_in_bands(const Items& items,
                                                         Outcome& outcome) const;
  Result<std::unique_ptr<CandidateSource>> sort_and_merge(const Task& task, const Items& items,
                                                          Outcome& outcome) const;
  [[nodiscard]] std::unique_ptr<FeatureSets> features_of(const Task& task,
                                                         const Items& items) const;
  void spread(const Task& task, const Items& items, const Stars& stars, Outcome& outcome) const;
  [[nodiscard]] std::uint64_t spare_memory() const;
  Status limit_memory();
  void release() const;  // spilled arrays leave memory until they are touched again

  MatcherOptions options_;
  SketchComparison comparison_;
  std::unique_ptr<Index> index_;
  std::string guarantee_;  // of banding
  double found_ = 0;       // P(candidates) of a pair at the threshold
  std::string caveats_;
  bool spilled_ = false;

  std::vector<std::uint8_t> kinds_;
  std::vector<std::uint64_t> lengths_;
  SpillVector<std::uint64_t> equal_;
  std::vector<std::uint32_t> rows_;  // of full documents; others have kNoRow
  std::uint32_t row_count_ = 0;
  std::unique_ptr<SketchTable> sketches_;
  std::vector<SpillVector<std::uint32_t>> keys_;  // one column for each table
  SetArena arena_;
};

}  // namespace twinsift
