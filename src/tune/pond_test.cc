// SPDX-License-Identifier: Apache-2.0
#include "tune/pond.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/hash.h"
#include "base/random.h"

namespace twinsift {
namespace {

// GOLDEN: k0 to six digits, and the whole number of bits; 0 is infeasible.
TEST(Pond, BitsOfALabel) {
  struct Row {
    double s, p;
    std::uint32_t labels;
    double bound;
    std::uint32_t bits;
  };
  for (const Row& row :
       {Row{.8, .9, 1, 1.000000, 1}, Row{.8, .9, 2, 3.607902, 3}, Row{.8, .9, 5, 9.461258, 9},
        Row{.8, .9, 10, 15.010118, 15}, Row{.8, .9, 20, 21.058289, 21}, Row{.8, .95, 1, .486836, 0},
        Row{.9, .9, 1, 2.054080, 2}, Row{.9, .9, 5, 19.434179, 19}, Row{.9, .9, 10, 30.831979, 30},
        Row{.9, .9, 20, 43.255405, 43}, Row{.9, .95, 10, 26.347430, 26},
        Row{.9, .8, 10, 37.160665, 37}, Row{.9, .5, 10, 52.707771, 52}}) {
    EXPECT_NEAR(label_bits_bound(row.s, row.p, row.labels), row.bound, 5e-7);
    EXPECT_EQ(most_label_bits(row.s, row.p, row.labels), row.bits) << row.s << row.labels;
  }
  EXPECT_EQ(most_label_bits(.9, .5, 50), 83U);
  EXPECT_NEAR(label_probability(.9, 30, 10), .910732, 5e-7);
  EXPECT_NEAR(label_probability(.9, 31, 10), .897756, 5e-7);
}

TEST(Pond, SimilarityOneTakesTheMostBits) {
  EXPECT_TRUE(std::isinf(label_bits_bound(1, .9, 1)));
  EXPECT_EQ(most_label_bits(1, .999, 1), kMaxLabelBits);
  EXPECT_EQ(label_probability(1, 256, 1), 1);
  const auto plan = choose_labels({1000, 10, 100, 1}, {1, .99}, zipf_similarities(2, 100));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->labels, 1U);
  EXPECT_EQ(plan->bits, 256U);
}

// ORACLE: Lemma 4, summed over the bits that differ.
TEST(Pond, LabelsAreEqualAsOftenAsTheirBits) {
  for (const double s : {0., .3, .9, 1.}) {
    for (const std::uint32_t bits : {1U, 5U, 20U}) {
      double sum = 0;
      double binomial = 1;
      for (std::uint32_t i = 0; i <= bits; ++i) {
        sum += binomial * std::pow((1 - s) / 2, i) * std::pow(s, bits - i);
        binomial *= static_cast<double>(bits - i) / (i + 1);
      }
      EXPECT_NEAR(label_probability(s, bits, 1), sum, 1e-14);
      EXPECT_NEAR(label_probability(s, bits, 7), 1 - std::pow(1 - sum, 7), 1e-13);
    }
  }
}

// GOLDEN: the sawtooth, messages in millions to two digits.
TEST(Pond, MessagesAreASawtooth) {
  const PondLoad load{1e5, 8, 1e6, 3};
  const auto zipf = zipf_similarities(2, 100);
  const double expected[] = {1027.87, 942.16, 924.48, 953.60, 937.36, 925.06, 949.71};
  for (std::uint32_t labels = 7; labels <= 13; ++labels) {
    const std::uint32_t bits = most_label_bits(.9, .9, labels);
    EXPECT_NEAR(pond_messages(load, .9, zipf, bits, labels) / 1e6, expected[labels - 7], .005);
  }
  const auto plan = choose_labels(load, {.9, .9}, zipf);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->labels, 9U);
  EXPECT_EQ(plan->bits, 29U);
  EXPECT_NEAR(plan->messages / 1e6, 924.48, .005);
  EXPECT_GE(plan->found, .9);
}

// GOLDEN: stopping at the first rise costs 13.8 times too much.
TEST(Pond, TheFirstRiseIsNotTheEnd) {
  const PondLoad load{1e5, 8, 1e10, 3};
  const auto zipf = zipf_similarities(3, 100);
  const auto messages = [&](std::uint32_t labels) {
    const std::uint32_t bits = most_label_bits(.8, .99, labels);
    return bits == 0 ? std::numeric_limits<double>::infinity()
                     : pond_messages(load, .8, zipf, bits, labels);
  };
  std::uint32_t first = 1;
  while (std::isinf(messages(first)) || messages(first + 1) <= messages(first)) ++first;
  EXPECT_EQ(first, 11U);
  EXPECT_EQ(most_label_bits(.8, .99, first), 10U);
  const auto plan = choose_labels(load, {.8, .99}, zipf);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->labels, 29U);
  EXPECT_EQ(plan->bits, 18U);
  EXPECT_NEAR(messages(first) / plan->messages, 13.8, .05);
}

// ORACLE: 1,000 random configurations against all of up to 2,000 labels.
TEST(Pond, EqualsBruteForce) {
  Rng rng(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const PondLoad load{std::round(std::pow(10, 1 + 4 * rng.uniform())), 1 + 20 * rng.uniform(),
                        std::pow(10, 8 * rng.uniform()), std::floor(10 * rng.uniform())};
    const PondGoal goal{.5 + .49 * rng.uniform(), .5 + .49 * rng.uniform()};
    std::vector<WeightedSimilarity> law = zipf_similarities(1 + 3 * rng.uniform(), 8);
    if (trial % 2 == 1) {  // measured, and not normalised
      for (WeightedSimilarity& bin : law) bin.weight = 100 * rng.uniform();
    }
    double sum = 0;
    for (const WeightedSimilarity& bin : law) sum += bin.weight;
    const auto plan = choose_labels(load, goal, law);
    ASSERT_TRUE(plan);
    for (WeightedSimilarity& bin : law) bin.weight /= sum;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t labels = 1; labels <= 2000; ++labels) {
      const std::uint32_t bits = most_label_bits(goal.similarity, goal.recall, labels);
      if (bits == 0) continue;
      least = std::min(least, pond_messages(load, goal.similarity, law, bits, labels));
    }
    EXPECT_LE(plan->messages, least);
    if (plan->labels <= 2000) {
      EXPECT_EQ(plan->messages, least);
    }
    EXPECT_GE(plan->found, goal.recall);
  }
}

RC_GTEST_PROP(Pond, ProbabilityRisesWithLabelsAndSimilarityAndFallsWithBits, ()) {
  const double s = *rc::gen::inRange(0, 1000) / 1000.;
  const auto bits = *rc::gen::inRange<std::uint32_t>(1, 256);
  const auto labels = *rc::gen::inRange<std::uint32_t>(1, 1000);
  const double p = label_probability(s, bits, labels);
  RC_ASSERT(p >= 0 && p <= 1);
  RC_ASSERT(label_probability(s + .001, bits, labels) >= p);
  RC_ASSERT(label_probability(s, bits, labels + 1) >= p);
  RC_ASSERT(label_probability(s, bits + 1, labels) <= p);
}

// STATISTICAL: pairs of sets with J = .8 share a label at least as often as promised, less three
// standard errors.  A bit is a hash of the smallest permuted element.
TEST(Pond, LabelsOfSetsKeepThePromise) {
  constexpr std::uint32_t kTrials = 400;
  const double s = .8;
  const double p = .9;
  const std::uint32_t labels = 5;
  const std::uint32_t bits = most_label_bits(s, p, labels);
  double found = 0;
  for (std::uint64_t seed = 0; seed < kTrials; ++seed) {
    bool shared = false;
    for (std::uint64_t label = 0; label < labels && !shared; ++label) {
      bool equal = true;
      for (std::uint64_t bit = 0; bit < bits && equal; ++bit) {
        const std::uint64_t key = seed_key(mix64(seed), label * 256 + bit);
        std::uint64_t least[2] = {~std::uint64_t{0}, ~std::uint64_t{0}};
        for (std::uint64_t id = 0; id < 50; ++id) {  // 40 in both, 5 in one of them each
          const std::uint64_t value = permute64(id, key);
          if (id < 45) least[0] = std::min(least[0], value);
          if (id < 40 || id >= 45) least[1] = std::min(least[1], value);
        }
        equal = ((mix64(least[0]) ^ mix64(least[1])) & 1U) == 0;
      }
      shared = equal;
    }
    found += shared ? 1 : 0;
  }
  EXPECT_GE(found / kTrials, p - 3 * std::sqrt(p * (1 - p) / kTrials));
}

TEST(Pond, RefusesNonsense) {
  const auto zipf = zipf_similarities(2, 100);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const PondLoad load{1e5, 8, 1e6, 3};
  for (const double bad : {0., -1., 1.5, nan}) EXPECT_FALSE(choose_labels(load, {bad, .9}, zipf));
  for (const double bad : {0., 1., -1., nan}) EXPECT_FALSE(choose_labels(load, {.8, bad}, zipf));
  for (const double bad : {-1., nan, 1e300}) {
    EXPECT_FALSE(choose_labels({bad, 8, 1, 0}, {}, zipf));
    EXPECT_FALSE(choose_labels({10, bad, 1, 0}, {}, zipf));
    EXPECT_FALSE(choose_labels({10, 8, bad, 0}, {}, zipf));
    EXPECT_FALSE(choose_labels({10, 8, 1, bad}, {}, zipf));
    EXPECT_FALSE(choose_labels(load, {}, std::vector<WeightedSimilarity>{{.5, bad}}));
  }
  EXPECT_FALSE(choose_labels({0, 8, 1, 0}, {}, zipf));
  EXPECT_FALSE(choose_labels(load, {}, {}));
  EXPECT_FALSE(choose_labels(load, {}, std::vector<WeightedSimilarity>{{.5, 0}}));
  EXPECT_FALSE(choose_labels(load, {}, std::vector<WeightedSimilarity>{{1.5, 1}}));
  EXPECT_FALSE(choose_labels(load, {}, std::vector<WeightedSimilarity>(1001, {.5, 1})));
  EXPECT_NE(choose_labels(load, {.8, 1}, zipf).error().message.find("recall"), std::string::npos);
}

// ORACLE: the best of all plans is the choice, whatever the scale of the weights.
TEST(Pond, ThePlanOfEachNumberOfLabelsIsThatOfTheChoice) {
  const PondLoad load{1000, 5, 1e5, 2};
  const PondGoal goal{.8, .95};
  std::vector<WeightedSimilarity> law = zipf_similarities(2, 50);
  for (WeightedSimilarity& bin : law) bin.weight *= 1e4;
  const auto best = choose_labels(load, goal, law);
  ASSERT_TRUE(best);
  EXPECT_EQ(plan_labels(load, goal, law, 1).bits, 0U);
  for (std::uint32_t labels = 1; labels <= 200; ++labels) {
    const PondPlan plan = plan_labels(load, goal, law, labels);
    EXPECT_EQ(plan.labels, labels);
    EXPECT_EQ(plan.bits, most_label_bits(goal.similarity, goal.recall, labels));
    if (plan.bits == 0) continue;
    EXPECT_GE(plan.messages, best->messages);
    EXPECT_GE(plan.found, goal.recall);
    EXPECT_GT(plan.messages, publishing_messages(load, labels));
    if (labels == best->labels) {
      EXPECT_EQ(plan.messages, best->messages);
    }
  }
}

// PROPERTY: what was measured comes back; other bytes are refused or are numbers in range.
RC_GTEST_PROP(Pond, SimilaritiesAreReadAsTheyWereWritten, ()) {
  std::vector<std::pair<int, int>> values;
  std::string tsv = "# similarity\tweight\n";
  for (int i = *rc::gen::inRange(0, 20); i > 0; --i) {
    values.emplace_back(*rc::gen::inRange(0, 1001), *rc::gen::inRange(0, 100000));
    tsv +=
        std::to_string(values.back().first) + "e-3\t" + std::to_string(values.back().second) + "\n";
  }
  const auto parsed = parse_similarities(tsv);
  RC_ASSERT(parsed);
  RC_ASSERT(parsed->size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    RC_ASSERT(std::abs((*parsed)[i].s - values[i].first / 1000.) < 1e-12);
    RC_ASSERT((*parsed)[i].weight == values[i].second);
  }
}

RC_GTEST_PROP(Pond, AnyBytesAreRefusedOrMakeSense, (const std::string& bytes)) {
  const auto parsed = parse_similarities(bytes);
  if (!parsed) return;
  for (const auto& [s, weight] : *parsed) RC_ASSERT(s >= 0 && s <= 1 && weight >= 0);
}

TEST(Pond, ZipfIsNormalised) {
  double sum = 0;
  for (const auto& [s, weight] : zipf_similarities(2, 100)) {
    EXPECT_TRUE(s > 0 && s < 1);
    sum += weight;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

}  // namespace
}  // namespace twinsift
