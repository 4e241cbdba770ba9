// SPDX-License-Identifier: Apache-2.0
// The numbers of CWS and ICWS; weighted_sketch_test.cc has what they share.
#include "sketch/cws.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sketch/icws.h"

namespace twinsift {
namespace {

double value(const CwsPoint& point) { return std::ldexp(point.fraction, point.interval); }

Sketch sketch_of(const Sketcher& sketcher, const WeightedSet& set) {
  return *sketcher.sketch(Feature{.value = set});
}

std::uint64_t component(std::uint64_t id, const CwsPoint& y) {
  return sample_component(id, (static_cast<std::uint64_t>(y.interval + 4096) << 32U) | y.ordinal);
}

// GOLDEN: {1:1, 2:2, 3:5}, seed 42, sample 0.
TEST(Cws, GoldenSample) {
  struct Row {
    std::uint64_t id;
    double weight, y, z, c_over_z;
  };
  constexpr std::array kRows = {Row{1, 1, .062445990510, 1.063819375571, 2.515868169},
                                Row{2, 2, .409760013388, 3.172231244580, .078746645},
                                Row{3, 5, 2.787199860468, 12.176394740253, .366957725}};
  for (const Row& row : kRows) {
    const std::uint64_t xs = permute64(row.id, seed_key(42, 0));
    const ActiveIndices active = active_indices(xs, row.weight);
    Rng rng(mix64(xs));
    EXPECT_NEAR(value(active.y), row.y, 1e-12);
    EXPECT_NEAR(value(active.z), row.z, 1e-12);
    EXPECT_NEAR(gamma2(rng) / value(active.z), row.c_over_z, 1e-9);
  }
  const Sketch sketch = sketch_of(CwsSketcher(1, 42), {.tokens = {1, 2, 3}, .weights = {1, 2, 5}});
  EXPECT_EQ(sketch[0], component(2, {.interval = -1, .ordinal = 0, .fraction = 0}));
}

// GOLDEN: the paper inverts cdf_z(a) = a^z (1 + z ln(1/a)) at beta.  The G of c ~ Gamma(2) that
// stands for it solves e^-G (1 + G) = beta, and h = exp(-G / z).
TEST(Cws, GammaStandsForThePapersInverse) {
  const auto cdf = [](double a, double z) { return std::pow(a, z) * (1 - z * std::log(a)); };
  constexpr std::array<std::array<double, 2>, 5> kInverse = {{{.01, 6.638352067994},
                                                              {.1, 3.889720169867},
                                                              {.5, 1.678346990017},
                                                              {.9, .531811608390},
                                                              {.99, .148554740253}}};
  for (const auto& [beta, g] : kInverse) {
    EXPECT_NEAR(std::exp(-g) * (1 + g), beta, 1e-12);
    for (const double z : {.5, 1.0, 2.0, 10.0}) EXPECT_NEAR(cdf(std::exp(-g / z), z), beta, 1e-12);
  }
  constexpr std::array<std::array<double, 2>, 4> kHalf = {
      {{.5, .034850284438}, {1, .186682308851}, {2, .432067481825}, {10, .845493584068}}};
  for (const auto& [z, h] : kHalf) EXPECT_NEAR(std::exp(-kInverse[2][1] / z), h, 1e-12);
}

// STATISTICAL: 20000 draws; P(c > G) = e^-G (1+G) must be the beta of the table.
TEST(Cws, GammaHasItsDistribution) {
  Rng rng(1);
  int above = 0;
  for (int i = 0; i < 20000; ++i) above += gamma2(rng) > 1.678346990017 ? 1 : 0;
  EXPECT_NEAR(above / 20000.0, 0.5, 4 * std::sqrt(0.25 / 20000));
}

// PROPERTY: y <= w < z whatever w is, and the points do not depend on w between them.
RC_GTEST_PROP(Cws, PointsEncloseTheWeight, (std::uint64_t xs)) {
  const double weight = std::ldexp(*rc::gen::inRange(1, 1 << 20), *rc::gen::inRange(-1000, 980));
  const ActiveIndices active = active_indices(xs, weight);
  RC_ASSERT(value(active.y) <= weight);
  RC_ASSERT(value(active.z) > weight);
  if (value(active.y) == 0) return;
  const ActiveIndices at_y = active_indices(xs, value(active.y));
  RC_ASSERT(value(at_y.y) == value(active.y));
  RC_ASSERT(value(at_y.z) == value(active.z));
}

// PROPERTY: if S' <= S and S' still has the sample (x, y) of S, it is the sample of S' too.
RC_GTEST_PROP(Cws, SamplesAreConsistent, (std::uint64_t seed)) {
  Rng rng(seed);
  WeightedSet set;
  WeightedSet less;
  for (std::uint64_t id = 0; id < 6; ++id) {
    set.tokens.push_back(id);
    set.weights.push_back(rng.uniform() * 8);
    less.tokens.push_back(id);
    less.weights.push_back(set.weights.back() * rng.uniform());
  }
  const CwsSketcher sketcher(64, seed);
  const Sketch of_set = sketch_of(sketcher, set);
  const Sketch of_less = sketch_of(sketcher, less);
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const std::uint64_t xs = permute64(set.tokens[j], seed_key(seed, i));
      const CwsPoint y = active_indices(xs, set.weights[j]).y;
      if (component(set.tokens[j], y) != of_set[i] || value(y) > less.weights[j]) continue;
      RC_ASSERT(of_less[i] == of_set[i]);
    }
  }
}

// What c is seeded by: the element alone, or, the trap, its point below or above the weight too.
enum class SeededBy : std::uint8_t { kElement, kPointBelow, kPointAbove };

// The sample of a set, with the definition followed step by step; components are told apart by the
// bits of y.
std::pair<std::uint64_t, double> sample_by(SeededBy what, const WeightedSet& set,
                                           std::uint64_t key) {
  double best = std::numeric_limits<double>::infinity();
  std::pair<std::uint64_t, double> sample;
  for (std::size_t j = 0; j < set.tokens.size(); ++j) {
    const std::uint64_t xs = permute64(set.tokens[j], key);
    const ActiveIndices active = active_indices(xs, set.weights[j]);
    const double point = what == SeededBy::kElement      ? 0
                         : what == SeededBy::kPointBelow ? value(active.y)
                                                         : value(active.z);
    Rng rng(mix64(xs ^ std::bit_cast<std::uint64_t>(point)));
    const double c_over_z = gamma2(rng) / value(active.z);
    if (c_over_z >= best) continue;
    best = c_over_z;
    sample = {set.tokens[j], value(active.y)};
  }
  return sample;
}

// STATISTICAL: the trap, 100,000 samples each.  The right seeding is within 4 standard errors of
// J_W; seeding by a point, too, is far below: by 9 standard errors for a set and its double, by 6
// for weights that are exchanged.
TEST(Cws, SeedingByAPointIsBiased) {
  constexpr int kSamples = 100'000;
  struct Pair {
    WeightedSet a, b;
    double j;
  };
  const Pair pairs[] = {
      {{.tokens = {1, 2, 3}, .weights = {1, 2, 5}},
       {.tokens = {1, 2, 3}, .weights = {2, 4, 10}},
       1. / 2},
      {{.tokens = {1, 2}, .weights = {3, 1}}, {.tokens = {1, 2}, .weights = {1, 3}}, 1. / 3}};
  for (const Pair& pair : pairs) {
    const auto deviation = [&](SeededBy what) {
      int equal = 0;
      for (std::uint64_t i = 0; i < kSamples; ++i) {
        const std::uint64_t key = seed_key(42, i);
        equal += sample_by(what, pair.a, key) == sample_by(what, pair.b, key) ? 1 : 0;
      }
      return (equal / double{kSamples} - pair.j) /
             std::sqrt(pair.j * (1 - pair.j) / double{kSamples});
    };
    EXPECT_LE(std::abs(deviation(SeededBy::kElement)), 4) << pair.j;
    EXPECT_LE(deviation(SeededBy::kPointBelow), -5) << pair.j;
    EXPECT_LE(deviation(SeededBy::kPointAbove), -5) << pair.j;
  }
  // The step-by-step sampler is the real one.
  const Sketch real = sketch_of(CwsSketcher(64, 42), pairs[0].a);
  for (std::uint64_t i = 0; i < 64; ++i) {
    const std::uint64_t key = seed_key(42, i);
    const std::uint64_t id = sample_by(SeededBy::kElement, pairs[0].a, key).first;
    const double weight = pairs[0].a.weights[id - 1];
    EXPECT_EQ(real[i], component(id, active_indices(permute64(id, key), weight).y));
  }
}

// STATISTICAL: the points of an interval are Poisson with mean and variance ln 2: counted from the
// top down.  20,000 intervals; the variance of a Poisson variance is about (l + 2 l^2) / n.
TEST(Cws, PointsOfAnIntervalArePoisson) {
  constexpr int kIntervals = 20'000;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t i = 0; i < kIntervals; ++i) {
    const int interval = static_cast<int>(i % 40) - 20;
    const std::uint64_t xs = seed_key(8, i);
    double count = 0;
    double weight = std::ldexp(1.0, interval);
    for (;; ++count) {
      const CwsPoint y = active_indices(xs, weight).y;
      if (y.interval != interval) break;
      EXPECT_EQ(y.ordinal, count);
      weight = std::nextafter(value(y), 0);
    }
    sum += count;
    squares += count * count;
  }
  const double ln2 = std::log(2.0);
  const double mean = sum / kIntervals;
  EXPECT_NEAR(mean, ln2, 4 * std::sqrt(ln2 / kIntervals));
  EXPECT_NEAR(squares / kIntervals - mean * mean, ln2,
              4 * std::sqrt((ln2 + 2 * ln2 * ln2) / kIntervals));
}

// STATISTICAL: elements are sampled in proportion to their weights, 1 : 2 : 5, and y / S is
// uniform (mean 1/2, variance 1/12); 16384 samples.
TEST(Cws, ElementsAreSampledInProportionToTheirWeights) {
  const WeightedSet set{.tokens = {1, 2, 3}, .weights = {1, 2, 5}};
  const std::uint32_t k = 16384;
  const Sketch sketch = sketch_of(CwsSketcher(k, 5), set);
  std::array<int, 3> count{};
  double heights = 0;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const std::uint64_t xs = permute64(set.tokens[j], seed_key(5, i));
      const CwsPoint y = active_indices(xs, set.weights[j]).y;
      if (component(set.tokens[j], y) != sketch[i]) continue;
      ++count[j];
      heights += value(y) / set.weights[j];
    }
  }
  EXPECT_EQ(std::accumulate(count.begin(), count.end(), 0), static_cast<int>(k));
  for (std::size_t j = 0; j < 3; ++j) {
    const double p = set.weights[j] / 8;
    EXPECT_NEAR(count[j] / double{k}, p, 4 * std::sqrt(p * (1 - p) / k)) << j;
  }
  EXPECT_NEAR(heights / k, 0.5, 4 * std::sqrt(1.0 / 12 / k));
}

// GOLDEN: (S, r, c, beta) -> (t, y, a)
TEST(Icws, GoldenPoints) {
  struct Row {
    double weight;
    IcwsDraw draw;
    double t, y, a;
  };
  constexpr std::array kRows = {Row{3, {1.5, 2, .25}, 0, .687289278791, .649304934717},
                                Row{.1, {.7, 1.1, .9}, -3, .065219289668, 8.375494994658},
                                Row{1, {2, 1, 0}, 0, 1, .135335283237}};
  for (const Row& row : kRows) {
    const IcwsPoint point = icws_point(portable_log(row.weight), row.draw);
    EXPECT_EQ(point.t, row.t);
    EXPECT_NEAR(std::exp(point.log_y), row.y, 1e-12);
    EXPECT_NEAR(std::exp(point.log_a), row.a, 1e-11);
  }
}

// GOLDEN: {1:1, 2:2, 3:5}, seed 42, sample 0.
TEST(Icws, GoldenSample) {
  const WeightedSet set{.tokens = {1, 2, 3}, .weights = {1, 2, 5}};
  constexpr std::array kLogA = {-1.716920069, -2.215513722, -1.422777413};
  for (std::size_t j = 0; j < 3; ++j) {
    const IcwsDraw draw = icws_draw(set.tokens[j], seed_key(42, 0));
    EXPECT_NEAR(icws_point(portable_log(set.weights[j]), draw).log_a, kLogA[j], 1e-9);
  }
  EXPECT_EQ(sketch_of(IcwsSketcher(1, 42), set)[0],
            sample_component(2, std::bit_cast<std::uint64_t>(1.0)));
}

}  // namespace
}  // namespace twinsift
