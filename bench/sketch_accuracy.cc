// SPDX-License-Identifier: Apache-2.0
// Errors are measured over many seeds.  The unit of the mean square error is that of k independent
// components, J(1-J)/k, so that MinHash has 1.
#include "bench/sketch_accuracy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "twinsift/sketch.h"
#include "verify/similarity.h"

namespace twinsift::bench {
namespace {

constexpr double kGoals[] = {.2, .5, .8, .95};  // of J

// The mean of numbers that come one by one, and its standard error.
class Mean {
 public:
  void add(double x) {
    ++n_;
    const double step = x - mean_;
    mean_ += step / n_;
    squares_ += step * (x - mean_);
  }
  [[nodiscard]] double value() const { return mean_; }
  [[nodiscard]] double std_error() const { return std::sqrt(squares_ / (n_ - 1) / n_); }

 private:
  double n_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

// What many estimates of one J say.
struct Errors {
  Mean error;
  Mean square;  // relative to J(1-J)/k
  void add(double estimate, double j, double k) {
    error.add(estimate - j);
    square.add((estimate - j) * (estimate - j) * k / (j * (1 - j)));
  }
  [[nodiscard]] double bias() const { return std::abs(error.value()) / error.std_error(); }
};

// The averages over kGoals.
struct Accuracy {
  double relative = 0;    // mean square error in its unit
  double std_error = 0;   // of that
  double worst_bias = 0;  // in its standard errors
};
Accuracy average(std::span<const Errors> cells) {
  Accuracy all;
  const auto n = static_cast<double>(cells.size());
  for (const Errors& cell : cells) {
    all.relative += cell.square.value() / n;
    all.std_error += std::pow(cell.square.std_error() / n, 2);
    all.worst_bias = std::max(all.worst_bias, cell.bias());
  }
  all.std_error = std::sqrt(all.std_error);
  return all;
}

constexpr std::uint32_t kSetComponents = 1000;
constexpr std::array<std::uint32_t, 5> kUnions = {30, 300, 1000, 3000, 10000};  // f = |A or B|
constexpr std::uint32_t kTrials = 1000;

struct SetRow {
  std::string spec;
  std::uint32_t elements;  // of all trials for one J together at most: the slow ones have fewer
  // What an independent implementation found, with 1000 trials (MinHash at 10,000: 250).
  std::array<double, kUnions.size()> table;
};

Result<Accuracy> measure_sets(const std::string& spec, std::uint32_t f, std::uint32_t trials) {
  std::vector<Errors> cells;
  std::uint64_t seed = 0;
  TokenSet all(f);
  std::iota(all.begin(), all.end(), 0U);
  for (const double goal : kGoals) {
    const auto common = static_cast<std::size_t>(goal * f + 0.5);
    const std::size_t left = (f - common) / 2;
    const double j = static_cast<double>(common) / f;
    Errors& cell = cells.emplace_back();
    for (std::uint32_t trial = 0; trial < trials; ++trial) {
      TWINSIFT_TRY(const auto sketcher, make_sketcher(fmt::format("{},seed={}", spec, seed++)));
      Sketch a(sketcher->k());
      Sketch b(sketcher->k());
      sketcher->sketch_ids(std::span(all).first(left + common), a);
      sketcher->sketch_ids(std::span(all).subspan(left), b);
      cell.add(sketcher->similarity(a, b).value, j, kSetComponents);
    }
  }
  return average(cells);
}

struct WeightedPair {
  WeightedSet a;
  WeightedSet b;
};
// Two sets of n elements.  One in 80 is in one of them only; the others weigh e^-spread to
// e^spread times as much in b.
WeightedPair make_weighted_pair(std::uint32_t n, double spread) {
  Rng rng(n);
  WeightedPair pair;
  const std::uint32_t shift = n / 80;
  std::vector<double> weights;
  for (std::uint32_t x = 0; x < n + shift; ++x) weights.push_back(-std::log(rng.uniform()));
  for (std::uint32_t x = 0; x < n; ++x) {
    pair.a.tokens.push_back(x);
    pair.a.weights.push_back(weights[x]);
    pair.b.tokens.push_back(x + shift);
    pair.b.weights.push_back(weights[x + shift] * std::exp(spread * (2 * rng.uniform() - 1)));
  }
  return pair;
}

WeightedPair pair_near(double goal, std::uint32_t n) {
  double low = 0;
  double high = 20;
  for (int i = 0; i < 30; ++i) {
    const double middle = (low + high) / 2;
    const WeightedPair pair = make_weighted_pair(n, middle);
    (weighted_jaccard(pair.a, pair.b) > goal ? low : high) = middle;
  }
  return make_weighted_pair(n, low);
}

constexpr std::uint32_t kWeightedComponents = 256;
constexpr std::uint32_t kWeightedTrials = 3907;  // 10^6 samples
constexpr double kMostBias = 3;
constexpr double kMostSquare = 1.05;

}  // namespace

Result<bool> print_set_accuracy() {
  const std::vector<SetRow> rows = {
      {"minhash1:k=1000", 500'000, {1.03, .97, .98, 1.00, 1.0}},
      {"oph1:k=1000", UINT32_MAX, {.52, .52, .63, .71, .92}},
      {"doph1:k=1000", UINT32_MAX, {1.52, 1.28, 1.02, .77, .92}},
      {"superminhash1:k=1000", 2'000'000, {.49, .51, .54, .70, .91}},
      {"fss1:k=1000", UINT32_MAX, {.50, .50, .54, .67, .86}},
      {"hoph1:ratio=1:1,groups=10,estimate=paper,k=1000", UINT32_MAX, {7.0, 2.1, 2.7, 3.0, 3.3}},
      {"hoph1:ratio=1:2,groups=10,estimate=paper,k=1000",
       UINT32_MAX,
       {8.2, 1.28, 1.41, 1.66, 1.87}},
      {"hoph1:ratio=2:1,groups=10,estimate=paper,k=1000", UINT32_MAX, {5.8, 3.3, 4.1, 4.5, 5.1}},
      {"hoph1:ratio=1:1,groups=10,estimate=pooled,k=1000",
       UINT32_MAX,
       {1.86, 1.75, 1.78, 1.55, 1.34}},
  };
  fmt::print(
      "\n### Errors of set sketches, k = {}, average of J = .2, .5, .8, .95\n\n"
      "Mean square error in units of J(1-J)/k, with its standard error; the bias is the largest of"
      " the\nfour in its standard errors (of 180 such numbers one is above 2.8 by chance).\n"
      "Allowed: 10 % and 3 standard errors, both numbers' own, from the table; a bias of 4.\n\n"
      "| Sketch | elements of the union | trials | mean square error | table | bias | |\n"
      "|---|---|---|---|---|---|---|\n",
      kSetComponents);
  bool kept = true;
  for (const SetRow& row : rows) {
    for (std::size_t i = 0; i < kUnions.size(); ++i) {
      const std::uint32_t trials = std::min(kTrials, row.elements / kUnions[i]);
      TWINSIFT_TRY(const Accuracy found, measure_sets(row.spec, kUnions[i], trials));
      const double both = found.std_error * std::sqrt(1 + static_cast<double>(trials) / kTrials);
      const bool met = std::abs(found.relative - row.table[i]) <= 0.1 * row.table[i] + 3 * both &&
                       found.worst_bias <= 4;
      kept &= met;
      fmt::print("| {} | {} | {} | {:.3f} +- {:.3f} | {:.2f} | {:.1f} | {} |\n", row.spec,
                 kUnions[i], trials, found.relative, found.std_error, row.table[i],
                 found.worst_bias, met ? "met" : "missed");
    }
  }
  return kept;
}

Result<bool> print_weighted_accuracy() {
  struct Row {
    std::string spec;
    std::uint32_t n;
  };
  const std::vector<Row> rows = {{"cws1:k=256", 10},
                                 {"icws1:k=256", 10},
                                 {"dart1:k=256", 10},
                                 {"dart1:k=256", 100},
                                 {"dart1:k=256", 1000}};
  fmt::print(
      "\n### Errors of weighted sketches, 10^6 samples for each J_W\n\n"
      "Allowed: a bias of {} standard errors; a mean square error of {} J_W (1-J_W) / k.\n\n"
      "| Sketch | elements | J_W: bias in standard errors | mean square error, all J_W | |\n"
      "|---|---|---|---|---|\n",
      kMostBias, kMostSquare);
  bool kept = true;
  for (const auto& [spec, n] : rows) {
    std::vector<Errors> cells;
    std::string biases;
    std::uint64_t seed = 0;
    for (const double goal : kGoals) {
      WeightedPair pair = pair_near(goal, n);
      const double j = weighted_jaccard(pair.a, pair.b);
      const Feature first{.value = std::move(pair.a)};
      const Feature second{.value = std::move(pair.b)};
      Errors& cell = cells.emplace_back();
      for (std::uint32_t trial = 0; trial < kWeightedTrials; ++trial) {
        TWINSIFT_TRY(const auto sketcher, make_sketcher(fmt::format("{},seed={}", spec, seed++)));
        TWINSIFT_TRY(const Sketch a, sketcher->sketch(first));
        TWINSIFT_TRY(const Sketch b, sketcher->sketch(second));
        cell.add(sketcher->similarity(a, b).value, j, kWeightedComponents);
      }
      biases += fmt::format("{}{:.3f}: {:.1f}", biases.empty() ? "" : ", ", j, cell.bias());
    }
    const Accuracy found = average(cells);
    const bool met = found.worst_bias <= kMostBias && found.relative <= kMostSquare;
    kept &= met;
    fmt::print("| {} | {} | {} | {:.3f} +- {:.3f} | {} |\n", spec, n, biases, found.relative,
               found.std_error, met ? "met" : "missed");
  }
  return kept;
}

}  // namespace twinsift::bench
