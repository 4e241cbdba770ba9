// SPDX-License-Identifier: Apache-2.0
// Section 4 of the CWS filter paper: how good and how fast the samplers of weighted sets are.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/random.h"
#include "eval/competitors.h"
#include "eval/cpu_time.h"
#include "eval/paper_002.h"
#include "sketch/weighted_sketch.h"
#include "twinsift/sketch.h"
#include "verify/similarity.h"

namespace twinsift::paper_002 {
namespace {

constexpr std::array<std::string_view, 3> kSamplers = {"cws1", "icws1", "dart1"};
constexpr std::array<std::uint32_t, 3> kElements = {10, 100, 1000};

struct WeightedPair {
  WeightedSet a;
  WeightedSet b;
};

// About a share s of the elements is in both, with weights that differ a little; the others are in
// one of them.
WeightedPair make_weighted_pair(std::uint32_t elements, double s, Rng& rng) {
  std::vector<std::uint64_t> ids(elements);
  for (std::uint64_t& id : ids) id = rng.next();
  std::ranges::sort(ids);
  WeightedPair pair;
  for (const std::uint64_t id : ids) {
    const double weight = -std::log(rng.uniform());
    const double place = rng.uniform();
    const double factor = 1 - 0.1 * rng.uniform();
    if (place < (1 + s) / 2) {
      pair.a.tokens.push_back(id);
      pair.a.weights.push_back(weight);
    }
    if (place < s || place >= (1 + s) / 2) {
      pair.b.tokens.push_back(id);
      pair.b.weights.push_back(weight * factor);
    }
  }
  return pair;
}

// Over many pairs: the error in standard errors of one estimate, sqrt(J_W (1 - J_W) / k).
struct Accuracy {
  double bias = 0;  // the mean
  double mse = 0;   // the mean square: MSE / ref
};

Result<Accuracy> measure_accuracy(const Sketcher& sketcher, double s, std::uint32_t pairs,
                                  const EvalOptions& options) {
  constexpr std::uint32_t kUnion = 60;
  Rng rng(options.seed + 7);
  Accuracy accuracy;
  for (std::uint32_t i = 0; i < pairs; ++i) {
    if (options.stop.stop_requested()) return cancelled_error();
    WeightedPair pair = make_weighted_pair(kUnion, s, rng);
    const double truth = weighted_jaccard(pair.a, pair.b);
    TWINSIFT_TRY(const Sketch a, sketcher.sketch(Feature{.value = std::move(pair.a)}));
    TWINSIFT_TRY(const Sketch b, sketcher.sketch(Feature{.value = std::move(pair.b)}));
    const double z =
        (sketcher.similarity(a, b).value - truth) / std::sqrt(truth * (1 - truth) / sketcher.k());
    accuracy.bias += z / pairs;
    accuracy.mse += z * z / pairs;
  }
  return accuracy;
}

double microseconds(const Sketcher& sketcher, std::uint32_t elements, double run_seconds) {
  Rng rng(elements);
  const Feature set{.value = make_weighted_pair(elements, 1, rng).a};
  return 1e6 * best_cpu_seconds(run_seconds, [&] {
           const Result<Sketch> sketch = sketcher.sketch(set);
           return sketch ? sketch->front() : 0;
         });
}

struct Worst {
  double bias = 0;  // in standard errors of the mean
  double mse = 0;   // largest excess over 1, in its standard errors
};

// The rows and the line of one sampler; returns the worst of its errors.
Result<Worst> add_sampler(const Sketcher& sketcher, const std::string& name,
                          const EvalOptions& options, const Sizes& sizes, EvalSection& section) {
  Worst worst;
  const double root = std::sqrt(sizes.sampler_pairs);
  for (const double s : {0.2, 0.5, 0.8}) {
    TWINSIFT_TRY([[maybe_unused]] auto told, begin(options, fmt::format("samplers, {}", name)));
    TWINSIFT_TRY(const Accuracy accuracy,
                 measure_accuracy(sketcher, s, sizes.sampler_pairs, options));
    // The mean of n squares of normal numbers has the standard error sqrt(2 / n).
    worst.bias = std::max(worst.bias, std::abs(accuracy.bias) * root);
    worst.mse = std::max(worst.mse, (accuracy.mse - 1) * root / std::sqrt(2));
    section.table.rows.push_back(
        {name, std::to_string(sketcher.k()), fmt::format("J_W about {:.1f}", s),
         fmt::format("{:+.2f}", accuracy.bias * root), fmt::format("{:.3f}", accuracy.mse), "-"});
  }
  PlotSeries series{.name = name};
  for (const std::uint32_t elements : kElements) {
    TWINSIFT_TRY([[maybe_unused]] auto told, begin(options, fmt::format("samplers, {}", name)));
    const double time = microseconds(sketcher, elements, sizes.run_seconds);
    series.points.push_back({1.0 * elements, time});
    section.table.rows.push_back({name, std::to_string(sketcher.k()),
                                  fmt::format("{} elements", elements), "-", "-",
                                  fmt::format("{:.1f}", time)});
  }
  section.plots[0].series.push_back(std::move(series));
  return worst;
}

}  // namespace

Result<std::vector<std::unique_ptr<Sketcher>>> further_samplers(const EvalOptions& options,
                                                                const Sizes& sizes) {
  std::vector<std::unique_ptr<Sketcher>> samplers;
  for (const std::string& spec : options.sketches) {
    TWINSIFT_TRY(auto sketcher, make_competitor(spec, sizes.sampler_k, options.seed));
    TWINSIFT_TRY([[maybe_unused]] auto weighted, require_weighted(*sketcher));
    samplers.push_back(std::move(sketcher));
  }
  return samplers;
}

Result<EvalSection> samplers(const EvalOptions& options, const Sizes& sizes) {
  EvalSection section;
  section.claim = {.id = "samplers",
                   .title = "Section 4: samplers of weighted sets",
                   .claim =
                       "The share of equal samples estimates J_W without bias (equations 1 "
                       "and 2), with the variance J_W (1 - J_W) / K of independent samples.",
                   .verdict = {}};
  section.table.columns = {"sampler",   "k",         "sets", "bias, standard errors",
                           "MSE / ref", "us per set"};
  section.plots.push_back({.title = fmt::format("Time to sketch a set, k = {}", sizes.sampler_k),
                           .x = {.label = "elements", .log = true},
                           .y = {.label = "us", .log = true},
                           .series = {}});
  Worst worst;
  for (const std::string_view name : kSamplers) {
    TWINSIFT_TRY(const auto sketcher, make_competitor(name, sizes.sampler_k, options.seed));
    TWINSIFT_TRY(const Worst own,
                 add_sampler(*sketcher, std::string(name), options, sizes, section));
    worst = {std::max(worst.bias, own.bias), std::max(worst.mse, own.mse)};
  }
  // The claim is about the samplers above.
  TWINSIFT_TRY(const auto further, further_samplers(options, sizes));
  for (const auto& sketcher : further) {
    TWINSIFT_TRY([[maybe_unused]] const Worst own,
                 add_sampler(*sketcher, sketcher->spec(), options, sizes, section));
  }
  const std::vector<PlotSeries>& times = section.plots[0].series;
  const auto slowest = [&](std::size_t sampler) { return times[sampler].points.back().y; };
  section.claim.holds = worst.bias < 4 && worst.mse < 4;
  section.claim.verdict = fmt::format(
      "Over three samplers and three similarities, {} pairs each, the largest bias is {:.1f} and "
      "the largest excess of the mean square error {:.1f} standard errors (4 are allowed). A set "
      "of {} elements takes {:.0f} us with cws1, the paper's, {:.0f} with icws1 and {:.0f} with "
      "dart1: {:.0f} times as fast.",
      sizes.sampler_pairs, worst.bias, std::max(worst.mse, 0.0), kElements.back(), slowest(0),
      slowest(1), slowest(2), slowest(0) / slowest(2));
  return section;
}

}  // namespace twinsift::paper_002
