// SPDX-License-Identifier: Apache-2.0
// How large the errors of the set sketches are, against the numbers in docs/algorithms.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "sketch/doph.h"
#include "sketch/oph.h"
#include "twinsift/sketch.h"

namespace twinsift {
namespace {

constexpr double kComponents = 1000;
constexpr double kTableTrials = 1000;

struct Accuracy {
  double relative = 0;    // mean square error in units of MinHash's J(1-J)/k
  double std_error = 0;   // of that
  double worst_bias = 0;  // in its standard errors
};

// Mean and standard error of numbers.
struct Mean {
  double value = 0;
  double std_error = 0;
};
Mean mean_of(const std::vector<double>& numbers) {
  const auto n = static_cast<double>(numbers.size());
  const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / n;
  double squares = 0;
  for (const double x : numbers) squares += (x - mean) * (x - mean);
  return {.value = mean, .std_error = std::sqrt(squares / (n - 1) / n)};
}

// Sets with f elements in their union, the average over J = .2, .5, .8, .95.
Accuracy measure(const std::string& spec, std::uint64_t f, std::uint64_t trials) {
  Accuracy accuracy;
  std::uint64_t seed = 0;
  double variance = 0;
  for (const double goal : {0.2, 0.5, 0.8, 0.95}) {
    const auto common = static_cast<std::uint64_t>(goal * static_cast<double>(f) + 0.5);
    const double j = static_cast<double>(common) / static_cast<double>(f);
    TokenSet all(f);
    std::iota(all.begin(), all.end(), 0U);
    const std::size_t left = (f - common) / 2;
    const std::span<const std::uint64_t> a = std::span(all).first(left + common);
    const std::span<const std::uint64_t> b = std::span(all).subspan(left);
    std::vector<double> errors;
    std::vector<double> squares;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
      const auto sketcher = *make_sketcher(spec + ",seed=" + std::to_string(seed++));
      Sketch x(sketcher->k());
      Sketch y(sketcher->k());
      sketcher->sketch_ids(a, x);
      sketcher->sketch_ids(b, y);
      errors.push_back(sketcher->similarity(x, y).value - j);
      squares.push_back(errors.back() * errors.back() / (j * (1 - j) / kComponents));
    }
    const Mean error = mean_of(errors);
    const Mean square = mean_of(squares);
    accuracy.relative += square.value / 4;
    variance += square.std_error * square.std_error / 16;
    accuracy.worst_bias = std::max(accuracy.worst_bias, std::abs(error.value) / error.std_error);
  }
  accuracy.std_error = std::sqrt(variance);
  return accuracy;
}

struct Row {
  std::string spec;
  std::uint64_t trials;
  double table[4];  // f = 30, 300, 1000, 3000
};

class Table : public ::testing::TestWithParam<Row> {};
INSTANTIATE_TEST_SUITE_P(
    All, Table,
    ::testing::Values(
        Row{"minhash1:k=1000", 40, {1.03, .97, .98, 1.00}},
        Row{"oph1:k=1000", 400, {.52, .52, .63, .71}},
        Row{"doph1:k=1000", 200, {1.52, 1.28, 1.02, .77}},
        Row{"fss1:k=1000", 200, {.50, .50, .54, .67}},
        Row{"superminhash1:k=1000", 60, {.49, .51, .54, .70}},
        Row{"hoph1:ratio=1:1,groups=10,estimate=paper,k=1000", 300, {7.0, 2.1, 2.7, 3.0}},
        Row{"hoph1:ratio=1:2,groups=10,estimate=paper,k=1000", 300, {8.2, 1.28, 1.41, 1.66}},
        Row{"hoph1:ratio=2:1,groups=10,estimate=paper,k=1000", 300, {5.8, 3.3, 4.1, 4.5}},
        Row{"hoph1:ratio=1:1,groups=10,estimate=pooled,k=1000", 300, {1.86, 1.75, 1.78, 1.55}}),
    [](const auto& row) { return "Row" + std::to_string(row.index); });

// STATISTICAL: no estimate is off by more than 4 standard errors, and the mean square error is that
// of the table within 10 % and 4 standard errors, its own and that of the table (1000 trials).
TEST_P(Table, ErrorsAreThoseOfTheTable) {
  constexpr std::uint64_t kUnions[] = {30, 300, 1000, 3000};
  for (int i = 0; i < 4; ++i) {
    const Row& row = GetParam();
    const Accuracy found = measure(row.spec, kUnions[i], row.trials);
    const double both =
        found.std_error * std::sqrt(1 + static_cast<double>(row.trials) / kTableTrials);
    EXPECT_NEAR(found.relative, row.table[i], 0.1 * row.table[i] + 4 * both)
        << row.spec << ", f = " << kUnions[i];
    EXPECT_LE(found.worst_bias, 4) << row.spec << ", f = " << kUnions[i];
  }
}

// The formulas give the table as well: raw OPH exactly, within the table's own 4 standard errors of
// 2.2 % each; densified OPH with the number of full bins at its mean, for which 3 % are allowed.
TEST(Formulas, PredictTheTable) {
  constexpr std::uint64_t kUnions[] = {300, 1000, 3000};
  constexpr double kOph[] = {.52, .63, .71};
  constexpr double kDoph[] = {1.28, 1.02, .77};
  for (int i = 0; i < 3; ++i) {
    const auto f = static_cast<double>(kUnions[i]);
    const double unit = 0.25 / kComponents;
    EXPECT_NEAR(match_variance(0.5, mean_inverse_bins(kUnions[i], 1000), f) / unit, kOph[i],
                kOph[i] * 4 * 0.022);
    EXPECT_NEAR(doph_variance(0.5, f, 1000) / unit, kDoph[i], kDoph[i] * (0.03 + 4 * 0.022));
  }
}

}  // namespace
}  // namespace twinsift
