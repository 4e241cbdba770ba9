// SPDX-License-Identifier: Apache-2.0
#include "verify/sketch_comparison.h"

#include <gtest/gtest.h>

#include "sketch/spec.h"

namespace twinsift {
namespace {

TEST(SketchSpecs, KeysAreFoundAndSaid) {
  EXPECT_TRUE(spec_has("fss1:k=256,seed=7", "k"));
  EXPECT_TRUE(spec_has("fss1:k=256,seed=7", "seed"));
  for (const char* spec : {"fss1", "fss1:", "fss1:bulk=3", "hoph1:ratio=1:2", "k=3", ""}) {
    EXPECT_FALSE(spec_has(spec, "k")) << spec;
  }
  EXPECT_EQ(with_key("fss1", "k", "64"), "fss1:k=64");
  EXPECT_EQ(with_key("fss1:", "k", "64"), "fss1:k=64");
  EXPECT_EQ(with_key("fss1:seed=7", "k", "64"), "fss1:seed=7,k=64");
  EXPECT_EQ(with_key("fss1:k=1,seed=7", "k", "64"), "fss1:k=64,seed=7");
  EXPECT_EQ(with_key("hoph1:ratio=1:2,k=1", "k", "64"), "hoph1:ratio=1:2,k=64");
  EXPECT_EQ(without_key("fss1:k=1,seed=7", "k"), "fss1:seed=7");
  EXPECT_EQ(without_key("fss1:k=1", "k"), "fss1");
  EXPECT_EQ(without_key("hoph1:ratio=1:2,k=3", "seed"), "hoph1:ratio=1:2,k=3");
  EXPECT_FALSE(make_sketcher(with_key("fss1:k=1,k=2", "k", "64")));  // a fault stays one
}

TEST(SketchComparison, KIsThatOfTheTunerUnlessGiven) {
  const auto chosen = SketchComparison::make({});
  ASSERT_TRUE(chosen);
  const auto plan = choose_sketch_size(0.8, banding_recall(0.99), kLargestChosenSketch);
  EXPECT_EQ(chosen->sketcher().k(), plan->k);
  ASSERT_TRUE(chosen->banding());
  EXPECT_EQ(chosen->banding()->bands, plan->banding.bands);
  const auto given = SketchComparison::make({.sketch = "fss1:k=200"});
  ASSERT_TRUE(given);
  EXPECT_EQ(given->sketcher().k(), 200U);
  EXPECT_FALSE(given->banding());
}

TEST(SketchComparison, TheEarlyStopEndsWithTheSketch) {
  for (const char* filter : {"gs1", "gs1:full", "goph1", "hoph1", "cws1", "bayes1", "none"}) {
    for (const double threshold : {0.3, 0.8, 1.0}) {
      const auto made = SketchComparison::make({.threshold = threshold, .filter = filter});
      ASSERT_TRUE(made) << filter << made.error().message;
      EXPECT_EQ(made->early_stop().looks.back().bins, made->sketcher().k()) << filter;
    }
  }
}

TEST(SketchComparison, SketchesHaveAValueInEveryComponent) {
  const auto made = SketchComparison::make({.sketch = "oph1:k=64"});
  ASSERT_TRUE(made);
  Sketch sketch;
  made->sketch(TokenSet{1, 2, 3}, sketch);
  ASSERT_EQ(sketch.size(), 64U);
  for (const std::uint64_t component : sketch) EXPECT_NE(component, UINT64_MAX);
  Sketch raw = *made->sketcher().sketch(Feature{.value = TokenSet{1, 2, 3}});
  EXPECT_NE(raw, sketch);
  made->fill(raw);
  EXPECT_EQ(raw, sketch);
}

TEST(SketchComparison, WhatDoesNotFitIsRefused) {
  EXPECT_FALSE(SketchComparison::make({.sketch = "nonsense"}));
  EXPECT_FALSE(SketchComparison::make({.filter = "nonsense"}));
  EXPECT_FALSE(SketchComparison::make({.sketch = "fss1:k=128", .filter = "goph1:groups=7"}));
  EXPECT_FALSE(SketchComparison::make({.sketch = "minhash1", .weighted = true}));
  EXPECT_TRUE(SketchComparison::make({.sketch = "cws1", .weighted = true}));
}

}  // namespace
}  // namespace twinsift
