// SPDX-License-Identifier: Apache-2.0
// What the sections on the CWS filter paper share: their sizes, and the pairs they are measured on.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/report.h"
#include "sketch/table.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"
#include "twinsift/sketch.h"
#include "twinsift/types.h"
#include "verify/early_stop.h"

namespace twinsift::paper_002 {

inline constexpr std::uint32_t kPaperComponents = 1000;  // K of the paper
inline constexpr std::uint32_t kComponents = 1024;       // ours; the paper's are the first of them
inline constexpr std::array<std::uint32_t, 4> kOurLooks = {64, 128, 256, 512};
inline constexpr double kSmallProbability = 1e-5;                             // e of the paper
inline constexpr std::array<std::uint32_t, 3> kThresholds = {800, 500, 300};  // T, permille

struct Sizes {
  std::uint32_t documents = 10'000;    // all of them are compared with all
  std::uint32_t pairs = 5000;          // of each law
  std::uint32_t exact_pairs = 20'000;  // of similarity 0.8, for the law of the count
  std::uint32_t sampler_pairs = 1000;
  std::uint32_t sampler_k = 1024;
  std::uint32_t pictures = 1000;      // at most; with versions of a hundred of them
  std::uint32_t sample_queries = 20;  // of the extrapolated comparisons
  double run_seconds = 0.02;          // a timed run lasts at least
};

// Sketches and pairs of them, under one law of similarities.
struct PairSet {
  std::string law;                        // "UNIFORM"
  std::vector<std::uint64_t> components;  // kComponents of each item
  SketchTable codes{
      std::vector{kOurLooks[0], kOurLooks[1], kOurLooks[2], kOurLooks[3], kComponents}};
  std::vector<Candidate> pairs;
  std::vector<double> similarity;  // of each pair, exactly

  [[nodiscard]] std::span<const std::uint64_t> paper_sketch(ItemId item) const {
    return std::span(components).subspan(std::size_t{item} * kComponents, kPaperComponents);
  }
  // How many of the first k components of each pair are equal.
  [[nodiscard]] std::vector<std::uint32_t> equal_counts(std::uint32_t k) const;
};

struct Data {
  std::array<PairSet, 3> laws;  // UNIFORM, GAUSSIAN, DOCUMENTS
  std::string description;
  [[nodiscard]] const PairSet& documents() const { return laws[2]; }
};
Result<Data> make_data(const EvalOptions& options, const Sizes& sizes);

// The paper's filter, ours with the same total error as one look of the paper's, and none.
EarlyStopTable paper_filter(std::uint32_t threshold_permille);
EarlyStopTable our_filter(std::uint32_t threshold_permille);
EarlyStopTable no_filter(std::uint32_t threshold_permille);

// kCancelled if the run is to stop; otherwise tells what comes now.
Status begin(const EvalOptions& options, std::string_view what);

Result<EvalSection> table1();
Result<EvalSection> fig5(const EvalOptions& options, const Sizes& sizes);
Result<EvalSection> fig6();
Result<EvalSection> fig7(const Data& data);
Result<EvalSection> fig8(const Data& data);
Result<EvalSection> fig9(const Data& data);
// With the filters of the options, which go over the paper's components as its own filter does.
Result<EvalSection> fig10(const EvalOptions& options, const Sizes& sizes, const Data& data);
Result<EvalSection> scale(const EvalOptions& options, const Sizes& sizes, const Data& data);
// With the sketches of the options.
Result<EvalSection> samplers(const EvalOptions& options, const Sizes& sizes);
Result<std::vector<std::unique_ptr<Sketcher>>> further_samplers(const EvalOptions& options,
                                                                const Sizes& sizes);

Result<EvalReport> evaluate(const EvalOptions& options, const Sizes& sizes);

}  // namespace twinsift::paper_002
