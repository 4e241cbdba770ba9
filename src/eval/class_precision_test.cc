// SPDX-License-Identifier: Apache-2.0
#include "eval/class_precision.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"
#include "eval/code_baselines.h"

namespace twinsift {
namespace {

TEST(ClassPrecision, TiesCountAsOftenAsChanceWouldHaveThem) {
  // 60 right ones at distance 1, 40 wrong ones at 2, then 30 right and 70 wrong ones at 3.
  std::vector<std::uint64_t> stored;
  std::vector<std::uint32_t> labels;
  const auto add = [&](int count, std::uint64_t code, std::uint32_t label) {
    stored.insert(stored.end(), static_cast<std::size_t>(count), code);
    labels.insert(labels.end(), static_cast<std::size_t>(count), label);
  };
  add(70, 0b111, 1);
  add(40, 0b11, 1);
  add(60, 0b1, 0);
  add(30, 0b1110, 0);
  const std::vector<std::uint64_t> asked = {0};
  const std::vector<std::uint32_t> asked_labels = {0};
  const PrecisionCurve curve = precision_of_codes({labels, asked_labels, 1}, stored, asked, 1);
  EXPECT_DOUBLE_EQ(curve[0], 1);           // 50 of the 60
  EXPECT_DOUBLE_EQ(curve[1], 0.6);         // all 100 before the tie
  EXPECT_DOUBLE_EQ(curve[2], 90.0 / 200);  // everything
  EXPECT_DOUBLE_EQ(curve[3], 90.0 / 500);  // what is not there is not right
}

VectorRows rows_of(const std::vector<float>& values) { return {values, 8}; }

// Classes around centres of their own.
std::vector<float> clustered(const std::vector<std::uint32_t>& labels, double noise, Rng& rng) {
  std::vector<float> values;
  for (const std::uint32_t label : labels) {
    Rng centre(label + 1);
    for (int i = 0; i < 8; ++i) {
      values.push_back(static_cast<float>(4 * centre.uniform() + noise * (rng.uniform() - 0.5)));
    }
  }
  return values;
}

std::vector<std::uint32_t> random_labels(std::size_t count, Rng& rng) {
  std::vector<std::uint32_t> labels(count);
  for (auto& label : labels) label = rng.below(4);
  return labels;
}

// ORACLE: every question against every vector, sorted.
TEST(ClassPrecision, VectorsAreRankedByTheirDistance) {
  Rng rng(3);
  const auto labels = random_labels(700, rng);
  const auto asked_labels = random_labels(45, rng);
  const std::vector<float> stored = clustered(labels, 6, rng);
  const std::vector<float> asked = clustered(asked_labels, 6, rng);
  const auto index = make_vector_index("hamming1:v=4,l=2", rows_of(stored), rows_of(stored));
  ASSERT_TRUE(index);
  const VectorIndex* const indexes[] = {index->get()};
  const auto measured =
      precision_of_vectors({labels, asked_labels, 2}, rows_of(stored), rows_of(asked), indexes);
  ASSERT_TRUE(measured);
  double all = 0;
  double among = 0;
  double candidates = 0;
  for (std::size_t q = 0; q < 45; ++q) {
    std::vector<ItemId> ids;
    ASSERT_TRUE((*index)->candidates(rows_of(asked)[q], ids));
    candidates += double(ids.size()) / 45;
    const auto right = [&](std::vector<ItemId> order) {
      std::ranges::sort(order, {}, [&](ItemId id) {
        double sum = 0;
        for (std::size_t i = 0; i < 8; ++i) {
          const double difference = rows_of(stored)[id][i] - rows_of(asked)[q][i];
          sum += difference * difference;
        }
        return sum;
      });
      order.resize(std::min<std::size_t>(order.size(), kReturned[1]));
      return double(std::ranges::count_if(
                 order, [&](ItemId id) { return labels[id] == asked_labels[q]; })) /
             double(kReturned[1]) / 45;
    };
    among += right(ids);
    std::vector<ItemId> everything(700);
    std::iota(everything.begin(), everything.end(), ItemId{0});
    all += right(everything);
  }
  EXPECT_NEAR((*measured)[0].curve[1], all, 1e-9);
  EXPECT_NEAR((*measured)[1].curve[1], among, 1e-9);
  EXPECT_NEAR((*measured)[1].candidates, candidates, 1e-9);
  EXPECT_LT(among, all);
}

TEST(CodeBaselines, CodesOfAClassAreAlike) {
  Rng rng(5);
  const auto labels = random_labels(900, rng);
  const auto asked_labels = random_labels(60, rng);
  const std::vector<float> stored = clustered(labels, 0.3, rng);
  const std::vector<float> asked = clustered(asked_labels, 0.3, rng);
  const ClassQuestions classes{labels, asked_labels, 1};
  const auto at_100 = [&](const BaselineCodes& codes) {
    return precision_of_codes(classes, codes.stored, codes.asked, 1)[1];
  };
  EXPECT_GT(at_100(itq_codes(rows_of(stored), rows_of(asked), 6, 1)), 0.95);
  EXPECT_GT(at_100(ksh_codes(rows_of(stored), labels, rows_of(asked), 12, 1)), 0.95);
}

TEST(CodeBaselines, LabelsMatterToKshAlone) {
  Rng rng(6);
  const auto labels = random_labels(600, rng);
  std::vector<std::uint32_t> shuffled = labels;
  std::ranges::rotate(shuffled, shuffled.begin() + 1);
  const std::vector<float> stored = clustered(labels, 8, rng);
  const auto right = ksh_codes(rows_of(stored), labels, rows_of(stored), 8, 1);
  const auto wrong = ksh_codes(rows_of(stored), shuffled, rows_of(stored), 8, 1);
  const ClassQuestions classes{labels, labels, 1};
  EXPECT_GT(precision_of_codes(classes, right.stored, right.asked, 1)[0],
            precision_of_codes(classes, wrong.stored, wrong.asked, 1)[0] + 0.1);
}

}  // namespace
}  // namespace twinsift
