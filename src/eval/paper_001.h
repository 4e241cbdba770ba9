// SPDX-License-Identifier: Apache-2.0
// The paper on load-balanced LSH in parts: every index on every set of vectors, with several seeds,
// and the sections that are made of these points.
//
// A curve, as the paper draws them, has one point for each V: few functions make large buckets,
// which are slow and find all; many make small ones.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/report.h"
#include "eval/vector_search.h"
#include "feature/hash_model.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"

namespace twinsift::paper_001 {

struct Sizes {
  std::size_t vectors = 10'200;  // of scenes, as in UKbench
  std::size_t copies = 3297;     // 157 pictures and 20 copies of each, as in INRIA Copydays
  std::size_t dimension = 320;   // of what is made up
  std::size_t questions = 400;
  std::uint32_t seeds = 5;
  std::vector<std::uint32_t> v = {8, 10, 12, 16, 20, 24, 32, 48};
  std::size_t truth_vectors = 10'200;  // of two_truths, which is cheap
  std::size_t table_step = 1;          // every so many rows of Tables II and III
};

inline constexpr std::array<std::uint64_t, 6> kFig7Caps = {50,  60,  84,
                                                           100, 120, BalancedTable::kNoCap};
inline constexpr std::array<std::uint32_t, 6> kProbes = {0, 1, 2, 4, 8, 16};
inline constexpr std::array<const char*, 2> kFamilies = {"pstable", "hamming"};

inline constexpr std::array kQualities = {0.8, 0.9, 0.95, 0.98,
                                          0.99};  // relative mRP to compare at

enum class Method : std::uint8_t { kBasic, kNext, kBalanced, kRecorded, kMultiProbe };
inline constexpr std::array kMethods = {Method::kBasic, Method::kNext, Method::kBalanced,
                                        Method::kRecorded, Method::kMultiProbe};
std::string name_of(Method method);

// One index with one seed.
struct Point {
  std::string family;
  std::uint32_t v = 0;
  std::uint32_t l = 0;
  Method method = Method::kBasic;
  std::uint64_t cap = BalancedTable::kNoCap;
  std::uint32_t probes = 0;
  std::uint64_t seed = 0;
  SearchFigures figures;
};

// A set, its questions, and the figure of the paper that has the like.
struct Trial {
  std::string id;        // "fig9"
  std::string features;  // what the paper had
  std::unique_ptr<VectorSet> set;
  std::unique_ptr<VectorQuestions> questions;
  std::vector<std::uint32_t> tables;  // L
  std::vector<Point> points{};
  [[nodiscard]] std::size_t items() const { return set->size(); }
  [[nodiscard]] double width() const;  // r of p-stable functions; the paper does not tell its own
};

// Fills the points; with the caps of Fig. 7, too, if asked for.
Status measure(const EvalOptions& options, const Sizes& sizes, bool caps, Trial& trial);

// What a curve takes to reach a relative mRP, and what it reaches with so many candidates: on the
// points that no other beats in both, with straight lines between.  Nothing beyond its ends, except
// that more candidates than those of the last point reach what it reaches.
struct CurvePoint {
  double candidates = 0;
  double quality = 0;
};
std::optional<double> candidates_for(std::vector<CurvePoint> curve, double quality);
std::optional<double> quality_at(std::vector<CurvePoint> curve, double candidates);

// The points of one method, family, L and seed; of load balancing those with that cap.
struct Line {
  std::string family;
  std::uint32_t l = 0;
  Method method = Method::kBasic;
  std::optional<std::uint64_t> cap{};
};
std::vector<CurvePoint> curve_of(const Trial& trial, const Line& line, std::uint64_t seed,
                                 double SearchFigures::*quality = &SearchFigures::relative_mrp);

struct Spread {
  double mean = 0;
  double low = 0;
  double high = 0;
  std::size_t count = 0;
};
Spread spread_of(std::span<const double> values);

// n / candidates at equal relative mRP, over the seeds whose curves cover it.
Spread acceleration_at(const Trial& trial, const Line& line, double quality);

enum class NsTable : std::uint8_t { kTable2, kTable3 };  // Euclidean, Hamming

// Sections.  Exact:
EvalSection delta_values();
// From points:
EvalSection figure7(const Trial& trial, const Sizes& sizes);
EvalSection comparison(const Trial& trial, const Sizes& sizes);
EvalSection recorded_guarantee(std::span<const Trial> trials);
EvalSection equal_candidates(std::span<const Trial> trials);
EvalSection equal_quality(std::span<const Trial> trials);
// Measured for themselves:
Result<EvalSection> bucket_loads(const Trial& trial);
Result<EvalSection> ns_table(const Trial& trial, const Sizes& sizes, NsTable which);
Result<EvalSection> two_truths(const EvalOptions& options, const Sizes& sizes);
Result<EvalSection> question_times(const Trial& trial);

// Two kinds of features of the same pictures in the same indexes.
struct FeatureClaim {
  std::string id, title, claim;
};
EvalSection feature_comparison(const FeatureClaim& claim, const Trial& ours, const Trial& theirs);

// What there is of trained networks.
struct Networks {
  std::vector<HashModel> models;  // one for each length of codes
  std::optional<HashModel> backbone{};
};
Result<Networks> load_networks(const EvalOptions& options);

// Table I and Fig. 4, and the features of some of the stored pictures, by the last model and the
// backbone, for the figures that compare indexes.
struct ClassFigures {
  std::vector<EvalSection> sections;
  VectorSet learned, backbone;
};
Result<ClassFigures> class_figures(const EvalOptions& options, const Sizes& sizes,
                                   const Networks& networks);

Result<EvalReport> evaluate(const EvalOptions& options, const Sizes& sizes);

// kCancelled if the run is to stop; otherwise tells what comes now.
Status begin(const EvalOptions& options, std::string_view what);

}  // namespace twinsift::paper_001
