// SPDX-License-Identifier: Apache-2.0
#include "eval/paper_003.h"

#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "eval/papers.h"

namespace twinsift::paper_003 {
namespace {

EvalOptions with(std::vector<std::string> sketches) {
  EvalOptions options;
  options.sketches = std::move(sketches);
  return options;
}

// STATISTICAL: a root mean square error of n pairs is within four standard errors, 1 / sqrt(2 n)
// each, of the formula for MinHash, and no sketch is above it.
TEST(Paper003, AddedSketchesAreMeasuredAtEveryK) {
  constexpr std::uint32_t kPairs = 30;
  const auto section = estimator_error(with({"minhash1:k=999,seed=8", "dart1:seed=2"}), kPairs);
  ASSERT_TRUE(section) << section.error().message;
  std::map<std::string, int> rows;
  for (const auto& row : section->table.rows) {
    ++rows[row[0]];
    const double ratio = std::stod(row[6]);
    const double bound = 4 / std::sqrt(2.0 * kPairs);
    EXPECT_LT(ratio, 1 + bound) << row[0] << ' ' << row[1] << ' ' << row[2];
    if (row[0] == "minhash1:seed=8") {
      EXPECT_GT(ratio, 1 - bound) << row[1] << ' ' << row[2];
    }
  }
  EXPECT_EQ(rows, (std::map<std::string, int>{{"minhash1", 21},
                                              {"oph1", 21},
                                              {"fss1", 21},
                                              {"minhash1:seed=8", 21},
                                              {"dart1:seed=2", 21}}));
  ASSERT_EQ(section->plots.size(), 1U);
  EXPECT_EQ(section->plots[0].series.size(), 1U + 5);
  for (const PlotSeries& series : section->plots[0].series) EXPECT_EQ(series.points.size(), 7U);
}

TEST(Paper003, WhatMakesNoSenseIsRefusedAtOnce) {
  EXPECT_FALSE(eval_paper_003(with({"nonsense"})));
  EXPECT_FALSE(eval_paper_003(with({"fss1:seed=x"})));
  EvalOptions filtered;
  filtered.filters = {"gs1"};
  const auto refused = eval_paper_003(filtered);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("leave out --filter"), std::string::npos);
}

}  // namespace
}  // namespace twinsift::paper_003
