// SPDX-License-Identifier: Apache-2.0
// The samplers of weighted sets under one roof: what holds for one must hold for all.
#include "sketch/weighted_sketch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "feature/weights.h"
#include "sketch/cws.h"
#include "sketch/dart.h"
#include "sketch/icws.h"
#include "sketch/redgreen.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

struct Case {
  std::string_view name;
  std::unique_ptr<Sketcher> (*make)(std::uint32_t k, std::uint64_t seed);
};

template <class S>
std::unique_ptr<Sketcher> make_plain(std::uint32_t k, std::uint64_t seed) {
  return std::make_unique<S>(k, seed);
}

// A closed vocabulary that holds all sets of the tests below.
std::unique_ptr<Sketcher> make_redgreen(std::uint32_t k, std::uint64_t seed) {
  WeightedSet bounds{.tokens = {900}, .weights = {1}};
  for (std::uint64_t id = 0; id < 200; ++id) {
    bounds.tokens.push_back(id);
    bounds.weights.push_back(id == 1 ? 64 : id < 10 ? 10 : 1);
  }
  return std::make_unique<RedGreenSketcher>(*RedGreenSketcher::make(k, seed, bounds));
}

constexpr Case kCases[] = {{"cws1", make_plain<CwsSketcher>},
                           {"icws1", make_plain<IcwsSketcher>},
                           {"dart1", make_plain<DartSketcher>},
                           {"redgreen1", make_redgreen}};

class WeightedSketch : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, WeightedSketch, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

// Those that need no vocabulary.
class OpenSketch : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, OpenSketch, ::testing::ValuesIn(kCases, kCases + 3),
                         [](const auto& test) { return std::string(test.param.name); });

Sketch sketch_of(const Sketcher& sketcher, const WeightedSet& set) {
  return *sketcher.sketch(Feature{.value = set});
}

WeightedSet scaled(WeightedSet set, double factor) {
  for (double& weight : set.weights) weight *= factor;
  return set;
}

WeightedSet random_set(std::uint64_t begin, std::uint64_t end, std::uint64_t seed) {
  Rng rng(seed);
  WeightedSet set;
  for (std::uint64_t id = begin; id < end; ++id) {
    set.tokens.push_back(id);
    set.weights.push_back(rng.uniform());
  }
  return set;
}

struct Pair {
  std::string_view name;
  WeightedSet a;
  WeightedSet b;
};

std::vector<Pair> pairs() {
  const WeightedSet small{.tokens = {1, 2, 3, 4, 5}, .weights = {1, 2, 3, 4, 5}};
  WeightedSet noisy = random_set(100, 150, 5);
  Rng rng(6);
  for (double& weight : noisy.weights) weight *= rng.uniform();
  return {
      {"doubled", small, scaled(small, 2)},
      {"swapped", {.tokens = {1, 2}, .weights = {3, 1}}, {.tokens = {1, 2}, .weights = {1, 3}}},
      {"one of weight 1 and 4", {.tokens = {7}, .weights = {1}}, {.tokens = {7}, .weights = {4}}},
      {"sets", unit_weights(random_set(20, 50, 1).tokens),
       unit_weights(random_set(30, 60, 1).tokens)},
      {"other weights", random_set(100, 150, 3), random_set(100, 150, 4)},
      {"smaller weights", random_set(100, 150, 5), noisy},
      {"half in common", random_set(100, 150, 3), random_set(125, 175, 3)},
      {"one dominates",
       {.tokens = {1, 2, 3}, .weights = {60, 0.5, 0.25}},
       {.tokens = {1, 2, 9}, .weights = {48, 1, 0.5}}}};
}

// STATISTICAL: the samples are independent, so that over 40 seeds of k = 256 the mean is within 4
// standard errors sqrt(J(1-J)/10240) of J_W, and the mean square error within 4 of its own, which
// is at most sqrt(2.1/40) for these J and k.
TEST_P(WeightedSketch, EstimatesWeightedJaccardWithoutBias) {
  const std::uint32_t k = 256;
  const int trials = 40;
  for (const Pair& pair : pairs()) {
    const double j = weighted_jaccard(pair.a, pair.b);
    double sum = 0;
    double squares = 0;
    for (std::uint64_t seed = 0; seed < trials; ++seed) {
      const auto sketcher = GetParam().make(k, seed);
      const double e =
          sketcher->similarity(sketch_of(*sketcher, pair.a), sketch_of(*sketcher, pair.b)).value;
      sum += e;
      squares += (e - j) * (e - j);
    }
    const double variance = j * (1 - j) / k;
    EXPECT_NEAR(sum / trials, j, 4 * std::sqrt(variance / trials)) << pair.name;
    EXPECT_LE(squares / trials, variance * (1 + 4 * std::sqrt(2.1 / trials))) << pair.name;
  }
}

// STATISTICAL: one element against itself with four times the weight: J_W = .25, 16384 samples.
TEST_P(WeightedSketch, SingleElementMatchesByItsWeight) {
  const auto sketcher = GetParam().make(16384, 3);
  const Sketch one = sketch_of(*sketcher, {.tokens = {7}, .weights = {1.3}});
  const Sketch four = sketch_of(*sketcher, {.tokens = {7}, .weights = {5.2}});
  EXPECT_NEAR(sketcher->similarity(one, four).value, 0.25, 4 * std::sqrt(0.1875 / 16384));
}

// STATISTICAL: as above, for every magnitude; k = 4096.
TEST_P(OpenSketch, WorksForWeightsOfAnyMagnitude) {
  const auto sketcher = GetParam().make(4096, 8);
  const WeightedSet a{.tokens = {1, 2, 3}, .weights = {1, 2, 3}};
  const WeightedSet b{.tokens = {1, 2, 4}, .weights = {1.5, 1, 0.5}};
  const double j = 2.0 / 7;
  for (const double scale : {0x1p-1070, 1e-300, 1e-30, 1.0, 1e30, 1e300, 0x1p1021}) {
    const WeightedSet as = scaled(a, scale);
    const WeightedSet bs = scaled(b, scale);
    const double e = sketcher->similarity(sketch_of(*sketcher, as), sketch_of(*sketcher, bs)).value;
    EXPECT_NEAR(e, j, 4 * std::sqrt(j * (1 - j) / 4096)) << scale;
  }
}

TEST_P(OpenSketch, SurvivesTheExtremesInOneSet) {
  const auto sketcher = GetParam().make(256, 8);
  const double largest = std::numeric_limits<double>::max();
  const WeightedSet wide{.tokens = {1, 2, 3, 4}, .weights = {5e-324, 1e-300, 1, largest}};
  const WeightedSet heavy{.tokens = {4, 5, 6}, .weights = {largest, largest, largest}};
  // Beside the largest double, the others have no chance.
  EXPECT_EQ(sketch_of(*sketcher, wide),
            sketch_of(*sketcher, {.tokens = {4}, .weights = {largest}}));
  const double e =
      sketcher->similarity(sketch_of(*sketcher, wide), sketch_of(*sketcher, heavy)).value;
  EXPECT_NEAR(e, 1.0 / 3, 4 * std::sqrt(2.0 / 9 / 256));
}

TEST_P(WeightedSketch, EdgeCases) {
  const auto sketcher = GetParam().make(64, 1);
  const Sketch empty = sketch_of(*sketcher, {});
  const WeightedSet seven{.tokens = {7}, .weights = {0.75}};
  const Sketch one = sketch_of(*sketcher, seven);
  EXPECT_TRUE(empty.empty());
  EXPECT_TRUE(sketch_of(*sketcher, {.tokens = {1, 2}, .weights = {0.0, -0.0}}).empty());
  EXPECT_EQ(one.size(), 64U);
  EXPECT_EQ(sketcher->similarity(empty, empty).value, 1);
  EXPECT_EQ(sketcher->similarity(empty, one).value, 0);
  EXPECT_EQ(sketcher->similarity(one, one).value, 1);
  EXPECT_EQ(
      sketcher->similarity(one, sketch_of(*sketcher, {.tokens = {8}, .weights = {0.75}})).std_error,
      0);
  EXPECT_EQ(sketch_of(*sketcher, {.tokens = {7, 3, 7}, .weights = {0.5, 0, 0.25}}), one);
  EXPECT_EQ(sketcher->merge(one, one).error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(sketcher->sketch(Feature{.value = DenseVector{1.0F}}));
}

TEST_P(WeightedSketch, RefusesBadWeightsByIndex) {
  const auto sketcher = GetParam().make(8, 1);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {-1.0, -5e-324, std::nan(""), infinity, -infinity}) {
    const auto result =
        sketcher->sketch(Feature{.value = WeightedSet{.tokens = {1, 2}, .weights = {1, bad}}});
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("element 1"), std::string::npos);
  }
}

TEST_P(WeightedSketch, TokensHaveWeightOneHoweverOftenTheyCome) {
  const auto sketcher = GetParam().make(32, 4);
  const Sketch expected = sketch_of(*sketcher, {.tokens = {3, 5, 900}, .weights = {1, 1, 1}});
  EXPECT_EQ(*sketcher->sketch(Feature{.value = TokenSet{5, 900, 3, 5, 5}}), expected);
  Sketch ids(32);
  sketcher->sketch_ids(TokenSet{5, 900, 3, 900}, ids);
  EXPECT_EQ(ids, expected);
}

// STATISTICAL: disjoint sets never match, but for a collision of 64-bit hashes.
TEST_P(OpenSketch, DisjointSetsNeverMatch) {
  const auto sketcher = GetParam().make(1024, 4);
  const Sketch a = sketch_of(*sketcher, random_set(0, 50, 1));
  const Sketch b = sketch_of(*sketcher, random_set(50, 100, 1));
  EXPECT_EQ(sketcher->similarity(a, b).value, 0);
}

// PROPERTY: every sample is a sample of one of the elements, alone as well as among others.
TEST_P(OpenSketch, SamplesAreThoseOfTheElements) {
  const auto sketcher = GetParam().make(256, 5);
  const WeightedSet set = random_set(0, 8, 3);
  std::vector<Sketch> alone;
  for (std::size_t j = 0; j < set.tokens.size(); ++j) {
    alone.push_back(sketch_of(*sketcher, {.tokens = {set.tokens[j]}, .weights = {set.weights[j]}}));
  }
  const Sketch all = sketch_of(*sketcher, set);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto has = [&](const Sketch& one) { return one[i] == all[i]; };
    EXPECT_EQ(std::ranges::count_if(alone, has), 1) << i;
  }
}

// PROPERTY: consistency.  `less` is below `set`, and `rest` below `less`; a sample that `set` and
// `rest` have in common is one that `less` has too.
TEST_P(OpenSketch, SamplesThatASmallerSetStillHasAreItsSamples) {
  const auto sketcher = GetParam().make(64, 9);
  EXPECT_TRUE(rc::check([&](std::uint64_t seed) {
    const WeightedSet set = random_set(0, 12, seed);
    WeightedSet less = set;
    for (std::size_t i = 6; i < 12; ++i) less.weights[i] /= 2;
    const WeightedSet rest{.tokens = {less.tokens.begin() + 6, less.tokens.end()},
                           .weights = {less.weights.begin() + 6, less.weights.end()}};
    const Sketch of_set = sketch_of(*sketcher, set);
    const Sketch of_less = sketch_of(*sketcher, less);
    const Sketch of_rest = sketch_of(*sketcher, rest);
    for (std::size_t i = 0; i < of_set.size(); ++i) {
      if (of_set[i] == of_rest[i]) RC_ASSERT(of_less[i] == of_set[i]);
    }
  }));
}

std::uint64_t digest(const Sketch& sketch) {
  std::uint64_t hash = 0;
  for (const std::uint64_t component : sketch) hash = permute64(component, hash);
  return hash;
}

// GOLDEN: the same on every machine, compiler and level of optimisation.
TEST(WeightedSketchGolden, SketchesAreFixedForEver) {
  const WeightedSet set = random_set(0, 1000, 77);
  EXPECT_EQ(digest(sketch_of(CwsSketcher(64, 7), set)), 2618369188922172077U);
  EXPECT_EQ(digest(sketch_of(IcwsSketcher(64, 7), set)), 2756235778056891814U);
  EXPECT_EQ(digest(sketch_of(DartSketcher(64, 7), set)), 4622081584688971883U);
  EXPECT_EQ(digest(sketch_of(*make_redgreen(64, 7), random_set(0, 200, 77))), 890931043670562284U);
}

}  // namespace
}  // namespace twinsift
