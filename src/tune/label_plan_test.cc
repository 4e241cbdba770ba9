// SPDX-License-Identifier: Apache-2.0
#include "tune/label_plan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

const PondLoad kPaper{1e5, 802'253 / 1e5, 1e6, 1};

// GOLDEN: the paper's labels in the paper's network, lookups of (log2 N) / 2 hops, and similarities
// of a steep law: labels, hashes, messages for a resource and for a search, and all of them.
TEST(LabelPlan, OneBitLabelsInThePapersNetwork) {
  struct Row {
    double s, p;
    std::uint32_t labels, hashes;
    double publish, search, messages;
  };
  for (const Row& row : {Row{.9, .5, 2, 23, 18.610, 23.530, 3.846012e7},
                         Row{.9, .8, 4, 21, 37.219, 46.575, 7.643385e7},
                         Row{.9, .9, 5, 19, 46.524, 64.743, 1.020674e8},
                         Row{.9, .95, 6, 18, 55.829, 87.982, 1.327710e8},
                         Row{.8, .9, 16, 19, 148.877, 199.065, 3.185026e8},
                         Row{.95, .8, 2, 23, 18.610, 23.832, 3.876140e7}}) {
    const auto plan =
        choose_label_plan(kPaper, {row.s, row.p}, zipf_similarities(3.5, 100), kPaperLabels);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->shape, (LabelShape{1, row.hashes, row.labels})) << row.s << " " << row.p;
    EXPECT_NEAR(plan->publish, row.publish, 6e-4);
    EXPECT_NEAR(plan->search, row.search, 6e-4);
    EXPECT_NEAR(plan->messages / row.messages, 1, 1e-6);
  }
}

// GOLDEN: a small network of films.
TEST(LabelPlan, ASmallNetwork) {
  const auto plan = choose_label_plan({1000, 22.455, 1e5, 1}, {.9, .8}, zipf_similarities(3.5, 100),
                                      kPaperLabels);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->shape, (LabelShape{1, 17, 3}));
  EXPECT_NEAR(plan->publish, 17.949, 6e-4);
  EXPECT_NEAR(plan->search, 23.592, 6e-4);
}

// ORACLE: with bounds of log2 N hops these are the plans of tune/pond.h.
TEST(LabelPlan, OneBitPlansAreThoseOfPond) {
  Rng rng(2);
  for (int trial = 0; trial < 100; ++trial) {
    const PondLoad load{std::round(std::pow(10, 1 + 4 * rng.uniform())), 1 + 20 * rng.uniform(),
                        std::pow(10, 6 * rng.uniform()), std::floor(10 * rng.uniform())};
    const PondGoal goal{.5 + .45 * rng.uniform(), .5 + .45 * rng.uniform()};
    const auto law = zipf_similarities(1 + 3 * rng.uniform(), 8);
    LabelChoice choice = kPaperLabels;
    choice.hops = std::log2(load.peers);
    const auto plan = choose_label_plan(load, goal, law, choice);
    const auto pond = choose_labels(load, goal, law);
    ASSERT_TRUE(plan && pond);
    EXPECT_EQ(plan->shape, (LabelShape{1, pond->bits, pond->labels}));
    EXPECT_NEAR(plan->messages / pond->messages, 1, 1e-9);
    EXPECT_NEAR(plan->found, pond->found, 1e-12);
  }
}

// ORACLE: every width and threshold, and up to 60 labels and hashes.
TEST(LabelPlan, EqualsBruteForce) {
  Rng rng(3);
  for (int trial = 0; trial < 3; ++trial) {
    const PondLoad load{std::round(std::pow(10, 2 + 3 * rng.uniform())), 1 + 20 * rng.uniform(),
                        std::pow(10, 6 * rng.uniform()), 1};
    const PondGoal goal{.7 + .2 * rng.uniform(), .5 + .45 * rng.uniform()};
    const auto law = zipf_similarities(1 + 3 * rng.uniform(), 6);
    LabelChoice choice{.widths = {1, 4, 64}, .sketch = true};
    if (trial > 0) choice = {.widths = {1, 4, 64}, .bucket = 256, .crowd = 192, .stranger = 2};
    const auto plan = choose_label_plan(load, goal, law, choice);
    ASSERT_TRUE(plan);
    EXPECT_GE(plan->found, goal.recall);
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t width : choice.widths) {
      for (std::uint32_t t = 3 * kSketchBits / 4; t <= kSketchBits; ++t) {
        const Strangers strangers(law, goal.similarity, t);
        for (std::uint32_t labels = 1; labels <= 60; ++labels) {
          for (std::uint32_t hashes = 1; hashes <= 60; ++hashes) {
            const LabelShape shape{width, hashes, labels};
            if (label_found(shape, t, goal.similarity) < goal.recall) break;
            const LabelPlan cost =
                cost_of_labels(load, choice, strangers, law, {.shape = shape, .least_agreeing = t});
            least = std::min(least, cost.messages);
          }
        }
      }
    }
    EXPECT_LE(plan->messages, least * (1 + 1e-6));
  }
}

// What wide labels and sketches save at the same promise, for a steep law: see docs.
TEST(LabelPlan, WideLabelsTakeLess) {
  const auto law = zipf_similarities(3.5, 100);
  for (const auto& [s, most] : {std::pair{.9, .6}, std::pair{.8, .4}}) {
    const auto paper = choose_label_plan(kPaper, {s, .8}, law, kPaperLabels);
    const auto wide = choose_label_plan(kPaper, {s, .8}, law, {.widths = {64}, .sketch = false});
    const auto ours = choose_label_plan(kPaper, {s, .8}, law, {.bucket = 256});
    ASSERT_TRUE(paper && wide && ours);
    EXPECT_LE(wide->messages, most * paper->messages);
    EXPECT_LT(ours->messages, wide->messages);
    EXPECT_GE(ours->found, .8);
  }
}

// A sketch keeps strangers out, but only after a reply has brought them: if replies were for free,
// half of all resources could stand under one label.
TEST(LabelPlan, RepliesKeepLabelsLong) {
  const auto law = zipf_similarities(3.5, 100);
  const auto replies_free = choose_label_plan(kPaper, {.9, .9}, law, {});
  const auto ours = choose_label_plan(kPaper, {.9, .9}, law, {.bucket = 256});
  ASSERT_TRUE(replies_free && ours);
  EXPECT_GT(entries_of_label(kPaper, replies_free->shape, law), 1e5);
  EXPECT_LT(entries_of_label(kPaper, ours->shape, law), 256);
  EXPECT_LT(replies_free->messages, ours->messages);
  // f(x)^k by hand, for one similarity: half of the hashes of 1 bit, squared.
  EXPECT_NEAR(entries_of_label({10, 8, 0, 0}, {1, 2, 3}, std::vector<WeightedSimilarity>{{0, 1}}),
              80 * .25, 1e-12);
}

// The sums are what trees of keys take, over labels of exponential size.
TEST(LabelPlan, CrowdedLabelsTakeWhatTheirTreesTake) {
  const std::function<double(double, double)> crowded = [&](double entries, double crowd) {
    if (entries < crowd) return 0.0;
    return 1 + 2 * crowded(std::max(entries - 256, 0.0) / 2, crowd);
  };
  const std::function<double(double)> depth = [&](double entries) {
    return entries <= 256 ? 0.0 : (entries - 256) / entries * (1 + depth((entries - 256) / 2));
  };
  Rng rng(4);
  constexpr int kLabels = 200'000;
  for (const double mean : {20.0, 100.0, 256.0, 2000.0}) {
    for (const double crowd : {192.0, 256.0}) {
      double keys = 0;
      double squares = 0;
      double depths = 0;
      for (int i = 0; i < kLabels; ++i) {
        const double entries = -mean * std::log1p(-rng.uniform());
        const double more = 2 * crowded(entries, crowd);
        keys += more;
        squares += more * more;
        depths += depth(entries);
      }
      const double error = std::sqrt(squares) / kLabels;
      const CrowdedLabel label = crowded_label(mean, 256, crowd);
      EXPECT_NEAR(keys / kLabels, label.keys, 4 * error + 1e-9) << mean << ' ' << crowd;
      EXPECT_LE(label.keys, 2 * mean / crowd) << "the most of any sizes";
      EXPECT_LE(depths / kLabels, label.depth * 1.02 + 1e-3) << mean;
    }
  }
  EXPECT_LT(crowded_label(20, 256, 192).keys, 1e-3) << "what fits one key is one key";
}

// For each label count the most hashes are best only if fewer entries never cost more.
TEST(LabelPlan, FewerEntriesNeverTakeMore) {
  CrowdedLabel before;
  for (double entries = 1; entries < 1e7; entries *= 1.3) {
    const CrowdedLabel label = crowded_label(entries, 256, 192);
    EXPECT_GE(label.keys, before.keys);
    EXPECT_GE(label.depth, before.depth);
    before = label;
  }
}

TEST(LabelPlan, StrangersCostWhatTheyAreSaidTo) {
  const auto law = zipf_similarities(3.5, 100);
  LabelChoice choice{.widths = {64}, .sketch = false};
  const LabelPlan plan{.shape = {64, 2, 3}};
  const LabelPlan one = cost_of_labels(kPaper, choice, .9, law, plan);
  choice.stranger = 0;
  const LabelPlan none = cost_of_labels(kPaper, choice, .9, law, plan);
  choice.stranger = 2;
  const LabelPlan two = cost_of_labels(kPaper, choice, .9, law, plan);
  EXPECT_GT(one.search, none.search);
  EXPECT_NEAR(two.search - one.search, one.search - none.search, 1e-9 * one.search);
  // Who pays more for strangers meets fewer of them.
  const auto cheap = choose_label_plan(kPaper, {.8, .9}, law, {.sketch = false, .stranger = 1});
  const auto dear = choose_label_plan(kPaper, {.8, .9}, law, {.sketch = false, .stranger = 50});
  ASSERT_TRUE(cheap && dear);
  EXPECT_LT(entries_of_label(kPaper, dear->shape, law),
            entries_of_label(kPaper, cheap->shape, law));
}

TEST(LabelPlan, OnlyEqualSetsNeedOneLabel) {
  const auto plan = choose_label_plan(kPaper, {1, .99}, zipf_similarities(2, 10), {});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->shape.labels, 1U);
  EXPECT_EQ(plan->least_agreeing, kSketchBits);
}

TEST(LabelPlan, RefusesNonsense) {
  const auto law = zipf_similarities(2, 10);
  EXPECT_FALSE(choose_label_plan(kPaper, {0, .9}, law, {}));
  EXPECT_FALSE(choose_label_plan(kPaper, {.9, 1}, law, {}));
  EXPECT_FALSE(choose_label_plan({0, 1, 1, 1}, {.9, .9}, law, {}));
  EXPECT_FALSE(choose_label_plan(kPaper, {.9, .9}, {}, {}));
}

}  // namespace
}  // namespace twinsift
