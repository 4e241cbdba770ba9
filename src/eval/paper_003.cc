// SPDX-License-Identifier: Apache-2.0
// The lecture notes on shingles, MinHash and banding: S-curves and the error of the estimate.
#include "eval/paper_003.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/cancel.h"
#include "eval/competitors.h"
#include "eval/data.h"
#include "eval/papers.h"
#include "sketch/spec.h"
#include "tune/tune.h"
#include "twinsift/index.h"
#include "twinsift/sketch.h"

namespace twinsift {
namespace paper_003 {
namespace {

struct Bands {
  std::uint32_t bands;
  std::uint32_t rows;
};

// How often pairs of one similarity share a bucket.
Result<double> measure_found(Bands bands, double s, std::uint32_t pairs, Rng& rng) {
  constexpr std::uint32_t kUnion = 400;
  TWINSIFT_TRY(const auto index,
               make_index(fmt::format("banding1:b={},r={}", bands.bands, bands.rows)));
  std::vector<std::uint32_t> keys_a(bands.bands);
  std::vector<std::uint32_t> keys_b(bands.bands);
  std::uint32_t found = 0;
  TWINSIFT_TRY(const auto sketcher,
               make_sketcher(fmt::format("minhash1:k={},seed=3", bands.bands * bands.rows)));
  Sketch a(sketcher->k());
  Sketch b(sketcher->k());
  for (std::uint32_t i = 0; i < pairs; ++i) {
    const auto common = static_cast<std::uint32_t>(std::lround(s * kUnion));
    const auto [set_a, set_b] = make_pair_of_sets(kUnion, common, rng);
    sketcher->sketch_ids(set_a, a);
    sketcher->sketch_ids(set_b, b);
    index->keys(a, keys_a);
    index->keys(b, keys_b);
    bool shared = false;
    for (std::size_t t = 0; t < keys_a.size(); ++t) shared |= keys_a[t] == keys_b[t];
    found += shared ? 1U : 0U;
  }
  return static_cast<double>(found) / pairs;
}

}  // namespace

Result<EvalSection> s_curves(const EvalOptions& options, std::uint32_t pairs) {
  constexpr std::array<Bands, 3> kBands = {{{20, 5}, {16, 8}, {50, 20}}};
  EvalSection section;
  section.claim = {.id = "s_curves",
                   .title = "Banding: how likely two documents share a bucket",
                   .claim =
                       "With b bands of r rows a pair of similarity s becomes a candidate with "
                       "probability 1 - (1 - s^r)^b.",
                   .verdict = {}};
  section.table.columns = {"bands", "rows", "similarity", "theory", "measured", "z"};
  Plot plot{.title = "Candidates among pairs of a similarity",
            .x = {.label = "Jaccard similarity", .low = 0, .high = 1},
            .y = {.label = "probability", .low = 0, .high = 1},
            .series = {}};
  Rng rng(options.seed);
  double worst = 0;
  for (const Bands bands : kBands) {
    const std::string name = fmt::format("{} x {}", bands.bands, bands.rows);
    PlotSeries theory{.name = name + ", theory", .markers = false};
    PlotSeries measured{.name = name + ", measured", .line = false};
    for (int i = 0; i <= 100; ++i) {
      const double s = i / 100.0;
      theory.points.push_back({s, banding_probability(s, bands.bands, bands.rows)});
    }
    for (int i = 2; i <= 19; ++i) {
      if (options.stop.stop_requested()) return cancelled_error();
      const double s = i / 20.0;
      const double p = banding_probability(s, bands.bands, bands.rows);
      TWINSIFT_TRY(const double share, measure_found(bands, s, pairs, rng));
      const double z = (share - p) / std::sqrt(std::max(p * (1 - p), 1.0 / pairs) / pairs);
      worst = std::max(worst, std::abs(z));
      measured.points.push_back({s, share});
      section.table.rows.push_back({std::to_string(bands.bands), std::to_string(bands.rows),
                                    fmt::format("{:.2f}", s), fmt::format("{:.6f}", p),
                                    fmt::format("{:.6f}", share), fmt::format("{:+.2f}", z)});
    }
    plot.series.push_back(std::move(theory));
    plot.series.push_back(std::move(measured));
  }
  section.plots.push_back(std::move(plot));
  section.claim.holds = worst < 4;
  section.claim.verdict = fmt::format(
      "Over {} points of {} pairs each, the largest deviation from the formula is {:.1f} standard "
      "errors.",
      section.table.rows.size(), pairs, worst);
  return section;
}

namespace {

struct Errors {
  double bias = 0;
  double mean_square = 0;
};

Result<Errors> measure_error(const Sketcher& sketcher, double s, std::uint32_t pairs, Rng& rng) {
  constexpr std::uint32_t kUnion = 600;
  const auto common = static_cast<std::uint32_t>(std::lround(s * kUnion));
  const double truth = static_cast<double>(common) / kUnion;
  Errors errors;
  for (std::uint32_t i = 0; i < pairs; ++i) {
    const auto [set_a, set_b] = make_pair_of_sets(kUnion, common, rng);
    TWINSIFT_TRY(const Sketch a, sketcher.sketch(Feature{.value = set_a}));
    TWINSIFT_TRY(const Sketch b, sketcher.sketch(Feature{.value = set_b}));
    const double error = sketcher.similarity(a, b).value - truth;
    errors.bias += error / pairs;
    errors.mean_square += error * error / pairs;
  }
  return errors;
}

constexpr std::uint32_t kLeast = 16;  // components
constexpr std::uint32_t kMost = 1024;

// The paper's, the others we compare it with, and those of the options, none with a k.
Result<std::vector<std::string>> sketches_of(const EvalOptions& options) {
  std::vector<std::string> specs = {"minhash1", "oph1", "fss1"};
  for (const std::string& given : options.sketches) {
    for (std::uint32_t k = kLeast; k <= kMost; k *= 2) {
      TWINSIFT_TRY([[maybe_unused]] auto good,
                   make_sketcher(with_key(given, "k", std::to_string(k))));
    }
    specs.push_back(without_key(given, "k"));
  }
  return specs;
}

}  // namespace

Result<EvalSection> estimator_error(const EvalOptions& options, std::uint32_t pairs) {
  TWINSIFT_TRY(const std::vector<std::string> sketches, sketches_of(options));
  EvalSection section;
  section.claim = {.id = "estimator_error",
                   .title = "MinHash: the error of the estimate",
                   .claim =
                       "The share of equal components of two signatures estimates the Jaccard "
                       "similarity; with k components its standard error is sqrt(J(1-J)/k).",
                   .verdict = {}};
  section.table.columns = {"sketch", "J", "k", "bias", "root mean square error", "theory", "ratio"};
  Plot plot{.title = "Error of the estimate at J = 0.5",
            .x = {.label = "components k", .log = true},
            .y = {.label = "root mean square error", .log = true},
            .series = {}};
  PlotSeries theory{.name = "sqrt(J(1-J)/k)", .markers = false};
  for (std::uint32_t k = kLeast; k <= kMost; k *= 2) {
    theory.points.push_back({1.0 * k, 0.5 / std::sqrt(k)});
  }
  plot.series.push_back(theory);
  Rng rng(options.seed + 1);
  double worst = 0;
  for (const std::string& name : sketches) {
    PlotSeries series{.name = name, .line = false};
    for (const double s : {0.2, 0.5, 0.8}) {
      for (std::uint32_t k = kLeast; k <= kMost; k *= 2) {
        if (options.stop.stop_requested()) return cancelled_error();
        TWINSIFT_TRY(const auto sketcher, make_competitor(name, k, 5));
        TWINSIFT_TRY(const Errors e, measure_error(*sketcher, s, pairs, rng));
        const double expected = std::sqrt(s * (1 - s) / k);
        const double root = std::sqrt(e.mean_square);
        if (name == sketches[0]) worst = std::max(worst, std::abs(root / expected - 1));
        if (s == 0.5) series.points.push_back({1.0 * k, root});
        section.table.rows.push_back({name, fmt::format("{:.1f}", s), std::to_string(k),
                                      fmt::format("{:+.5f}", e.bias), fmt::format("{:.5f}", root),
                                      fmt::format("{:.5f}", expected),
                                      fmt::format("{:.3f}", root / expected)});
      }
    }
    plot.series.push_back(std::move(series));
  }
  section.plots.push_back(std::move(plot));
  // The root mean square of n pairs has a relative standard error of 1 / sqrt(2 n).
  const double bound = 4 / std::sqrt(2.0 * pairs);
  section.claim.holds = worst < bound;
  section.claim.verdict = fmt::format(
      "MinHash is within {:.1f} % of the formula everywhere ({:.1f} % would be four standard "
      "errors "
      "of this measurement); sketches that sample without replacement err less, down to 0.7 of it.",
      100 * worst, 100 * bound);
  return section;
}

}  // namespace paper_003

Result<EvalReport> eval_paper_003(const EvalOptions& options) {
  if (!options.filters.empty()) {
    return Error{
        ErrorCode::kInvalidArgument,
        "paper 003 stops no comparison early: leave out --filter, or take paper 000 or 002"};
  }
  EvalReport report{
      .paper = "Lecture notes: shingles, MinHash and locality-sensitive hashing",
      .data = fmt::format("Pairs of sets of a known similarity, made with seed {}", options.seed),
      .sections = {}};
  TWINSIFT_TRY(EvalSection errors, paper_003::estimator_error(options, options.quick ? 300 : 5000));
  TWINSIFT_TRY(EvalSection curves, paper_003::s_curves(options, options.quick ? 400 : 10'000));
  report.sections = {std::move(curves), std::move(errors)};
  return report;
}

}  // namespace twinsift
