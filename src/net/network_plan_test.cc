// SPDX-License-Identifier: Apache-2.0
#include "net/network_plan.h"

#include <vector>

#include <gtest/gtest.h>

#include "net/test_sets.h"
#include "tune/label_plan.h"

namespace twinsift::net {
namespace {

constexpr PondGoal kGoal{.similarity = 0.8, .recall = 0.9};

std::vector<PeerReport> sample_with(double resources, double searches) {
  Rng rng(8);
  std::vector<PeerReport> sample(8);
  for (PeerReport& report : sample) {
    report.resources = resources;
    report.searches = searches;
    for (int i = 0; i < 4; ++i) report.shown.push_back(show_set(test_set(rng, 60), 5));
  }
  return sample;
}

TEST(NetworkPlan, KeepsThePromiseForAnyLoad) {
  const Configuration first = *first_configuration(kGoal, false);
  for (const double peers : {1.0, 30.0, 1e4, 1e6}) {
    for (const double searches : {0.0, 1.0, 1e4}) {
      const Configuration plan =
          plan_configuration(kGoal, false, first, peers, sample_with(50, searches));
      EXPECT_GE(label_found(plan.shape, plan.least_agreeing, kGoal.similarity), kGoal.recall);
      EXPECT_LE(plan.shape.labels, kMostLabels);
      EXPECT_GE(plan.load.searches, peers);  // somebody will ask
    }
  }
}

TEST(NetworkPlan, StaysWithLabelsThatAreGoodEnough) {
  const Configuration first = *first_configuration(kGoal, false);
  const auto sample = sample_with(50, 10);
  const Configuration best = plan_configuration(kGoal, false, first, 500, sample);
  const Configuration again = plan_configuration(kGoal, false, best, 520, sample);
  EXPECT_EQ(again.shape, best.shape);
  EXPECT_EQ(again.least_agreeing, best.least_agreeing);
}

TEST(NetworkPlan, OneBitStaysOneBit) {
  const Configuration first = *first_configuration(kGoal, true);
  const Configuration plan = plan_configuration(kGoal, true, first, 1e5, sample_with(8, 10));
  EXPECT_EQ(plan.shape.width, 1U);
  EXPECT_EQ(plan.least_agreeing, 0U);
}

}  // namespace
}  // namespace twinsift::net
