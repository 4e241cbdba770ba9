// SPDX-License-Identifier: Apache-2.0
#include "eval/picture_weights.h"

#include <limits>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

TEST(PictureWeights, TheThresholdIsTheLowestThatIsCleanEnough) {
  std::vector<ScoredPair> pairs;
  for (int i = 0; i < 200; ++i) pairs.push_back({0.9 - 0.001 * i, true});
  pairs.push_back({0.85, false});
  pairs.push_back({0.72, false});
  pairs.push_back({0.3, false});
  // 2 of 182 + 2 are too many at 0.72, and 2 of 202 are few enough at the lowest right one.
  EXPECT_DOUBLE_EQ(cleanest_threshold(pairs), 0.9 - 0.001 * 199);
}

TEST(PictureWeights, PairsOfEqualScoresStandOrFallTogether) {
  EXPECT_EQ(cleanest_threshold({{0.5, true}, {0.5, false}, {0.5, true}}),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(cleanest_threshold({{0.7, true}, {0.5, false}, {0.5, true}}), 0.7);
  EXPECT_EQ(cleanest_threshold({}), std::numeric_limits<double>::infinity());
}

// Exact similarities are beside the sketches, and these err as much as 256 samples may.
TEST(PictureWeights, EverySketchStandsBesideWhatItEstimates) {
  const auto section = measure_picture_weights(make_picture_bags({}, 60), {});
  ASSERT_TRUE(section) << section.error().message;
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& row : section->table.rows) {
    ASSERT_EQ(row.size(), section->table.columns.size());
    rows.emplace_back(row[0], row[1]);
    if (row[1] == "none: exact") continue;
    const double error = std::stod(row[2]);
    EXPECT_GT(error, 0) << row[1];
    // sqrt(J (1 - J) / 256) is at most 1 / 32; the mean square over hundreds of pairs, of which
    // those of one version depend on each other, stays below twice that.
    EXPECT_LT(error, 2.0 / 32) << row[1];
    EXPECT_GT(std::stod(row[3]), 0.5) << row[1];
    EXPECT_GT(std::stod(row[4]), 0.5) << row[1];
  }
  using Rows = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(rows, (Rows{{"set", "none: exact"},
                        {"set", "minhash1"},
                        {"set", "fss1"},
                        {"tf", "none: exact"},
                        {"tf-idf", "none: exact"},
                        {"tf-idf", "cws1"},
                        {"tf-idf", "icws1"},
                        {"tf-idf", "dart1"},
                        {"tf-idf", "redgreen1"},
                        {"tf-idf, idf of paper 002", "none: exact"}}));
}

TEST(PictureWeights, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  EvalOptions options;
  options.stop = source.get_token();
  const auto section = measure_picture_weights(make_picture_bags({}, 20), options);
  ASSERT_FALSE(section);
  EXPECT_EQ(section.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace twinsift
