// SPDX-License-Identifier: Apache-2.0
#include "eval/paper_001.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "eval/papers.h"

namespace twinsift::paper_001 {
namespace {

using Kind = SearchMethod::Kind;

constexpr std::uint64_t kSeeds = 8;

const VectorSet& small_set() {
  static const VectorSet set =
      make_clustered({.count = 700, .dimension = 24, .latent = 24, .hot_spots = 2}, 3);
  return set;
}

const VectorQuestions& small_questions() {
  static const VectorQuestions questions(small_set(), 60);
  return questions;
}

SearchFamily family(std::string name, std::uint32_t v, std::uint64_t seed,
                    BucketOrder order = BucketOrder::kCells) {
  return {.name = std::move(name),
          .v = v,
          .l = 4,
          .r = 2 * small_questions().usual_distance(),
          .seed = seed,
          .order = order};
}

// GOLDEN: rows of Tables II and III.
TEST(LoadBalancedPaper, AccelerationIsThatOfTheTables) {
  EXPECT_NEAR(acceleration_factor(10'200, 939), 10.86, 0.005);
  EXPECT_NEAR(acceleration_factor(10'200, 620.8), 16.43, 0.005);
  EXPECT_NEAR(acceleration_factor(10'200, 421), 24.23, 0.005);
  EXPECT_NEAR(acceleration_factor(10'200, 636.2), 16.03, 0.005);
}

// GOLDEN: what eq. 25 gives beside what the paper prints.
TEST(LoadBalancedPaper, DeltaIsThatOfTheFormula) {
  const EvalSection section = delta_values();
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"84", "85"}, {"54", "57"}, {"134", "140"}, {"100", "105"},
      {"27", "28"}, {"34", "23"}, {"550", "512"}};
  ASSERT_EQ(section.table.rows.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(section.table.rows[i][4], expected[i].first);
    EXPECT_EQ(section.table.rows[i][5], expected[i].second);
  }
  EXPECT_FALSE(section.claim.holds);
}

TEST(LoadBalancedPaper, RelativeMrpSkipsNothingByNothing) {
  using Counts = std::vector<std::uint32_t>;
  EXPECT_EQ(relative_mrp(Counts{2, 1}, Counts{4, 2}), 0.5);
  EXPECT_EQ(relative_mrp(Counts{4, 0}, Counts{4, 0}), 1);
  EXPECT_EQ(relative_mrp(Counts{0, 0}, Counts{0, 0}), std::nullopt);
  EXPECT_EQ(relative_mrp({}, {}), std::nullopt);
}

// Five points on a line in two groups, by hand.
TEST(LoadBalancedPaper, FiguresOfAHandMadeCase) {
  const VectorSet set{
      .name = "line", .values = {0, 1, 2, 10, 11}, .dimension = 1, .groups = {0, 0, 1, 1, 1}};
  const VectorQuestions questions(set, 5);
  ASSERT_EQ(questions.size(), 5U);
  std::vector<std::uint8_t> found(25, 1);
  const SearchFigures all = questions.judge(found);
  EXPECT_EQ(all.relative_mrp, 1);
  EXPECT_EQ(all.recall, 1);
  EXPECT_EQ(all.candidates, 5);
  // The four nearest of 0 are 0, 1, 2 and 10: two right.  Of 1 the same; of 2: 2, 1, 0, 10 has two;
  // of 10: 10, 11, 2, 1 has three, and so of 11.
  EXPECT_DOUBLE_EQ(all.ns_score, (2 + 2 + 2 + 3 + 3) / 5.0);
  // Only oneself.
  std::ranges::fill(found, 0);
  for (std::size_t q = 0; q < 5; ++q) found[q * 5 + q] = 1;
  const SearchFigures self = questions.judge(found);
  EXPECT_EQ(self.candidates, 1);
  EXPECT_EQ(self.ns_score, 1);
  EXPECT_DOUBLE_EQ(self.relative_mrp, 5.0 / 12);
  EXPECT_DOUBLE_EQ(self.recall, (2 * (1 / 2.0) + 3 * (1 / 3.0)) / 5);
}

TEST(LoadBalancedPaper, WithoutGroupsTheNearestAreRight) {
  VectorSet set = small_set();
  set.groups.clear();
  const VectorQuestions questions(set, 20);
  for (std::size_t q = 0; q < questions.size(); ++q) {
    std::size_t right = 0;
    for (std::size_t i = 0; i < set.size(); ++i) {
      right += questions.right(q, static_cast<ItemId>(i)) ? 1U : 0U;
    }
    EXPECT_EQ(right, kTop);
  }
}

// ORACLE: the indexes themselves.  What is hashed once for all methods must find what they find.
TEST(LoadBalancedPaper, MeasuresWhatTheIndexesFind) {
  const VectorRows rows = small_set().rows();
  for (const std::string name : {"hamming", "pstable"}) {
    const SearchFamily wanted = family(name, 5, 7, BucketOrder::kKeys);
    const auto hashed = HashedVectors::make(small_questions(), wanted);
    ASSERT_TRUE(hashed) << hashed.error().message;
    const std::string keys = "family=" + name + "," + wanted.parameters();
    const std::pair<std::string, SearchMethod> methods[] = {
        {name + "1:" + wanted.parameters(), {}},
        {"balanced1:cap=none," + keys, {.kind = Kind::kPaper}},
        {"balanced1:cap=40," + keys, {.kind = Kind::kPaper, .cap = 40}},
        {"balanced1:cap=40,probe=recorded," + keys, {.kind = Kind::kRecorded, .cap = 40}},
        {"multiprobe2:probes=3," + keys, {.kind = Kind::kMultiProbe, .probes = 3}}};
    for (const auto& [spec, method] : methods) {
      const auto index = make_vector_index(spec, rows, rows);
      ASSERT_TRUE(index) << spec;
      std::vector<std::uint8_t> found(small_questions().size() * rows.size());
      std::vector<ItemId> ids;
      for (std::size_t q = 0; q < small_questions().size(); ++q) {
        ASSERT_TRUE((*index)->candidates(small_questions().question(q), ids));
        for (const ItemId id : ids) found[q * rows.size() + id] = 1;
      }
      const SearchFigures expected = small_questions().judge(found);
      const SearchFigures measured = hashed->measure(method);
      EXPECT_EQ(measured.candidates, expected.candidates) << spec;
      EXPECT_EQ(measured.recall, expected.recall) << spec;
      EXPECT_EQ(measured.relative_mrp, expected.relative_mrp) << spec;
    }
  }
}

TEST(LoadBalancedPaper, FewerTablesAreTheFirstOnes) {
  const auto hashed = HashedVectors::make(small_questions(), family("hamming", 6, 1));
  ASSERT_TRUE(hashed);
  const std::vector<std::uint32_t> tables = {1, 3, 4};
  const auto figures = hashed->measure({}, tables);
  ASSERT_EQ(figures.size(), 3U);
  EXPECT_LE(figures[0].recall, figures[1].recall);
  EXPECT_LE(figures[1].recall, figures[2].recall);
  EXPECT_EQ(figures[2].recall, hashed->measure(SearchMethod{}).recall);
}

// The promise of recorded displacement, on every seed; and that the paper's probe does not keep it.
TEST(LoadBalancedPaper, RecordedDisplacementFindsWhatBasicLshFinds) {
  std::size_t lost = 0;
  for (const std::string name : {"hamming", "pstable"}) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      for (const BucketOrder order : {BucketOrder::kKeys, BucketOrder::kCells}) {
        const auto hashed = HashedVectors::make(small_questions(), family(name, 7, seed, order));
        ASSERT_TRUE(hashed);
        const SearchFigures basic = hashed->measure(SearchMethod{});
        for (const std::uint64_t cap : {20U, 40U}) {
          const auto recorded = hashed->measure({.kind = Kind::kRecorded, .cap = cap});
          EXPECT_GE(recorded.recall, basic.recall) << name << ' ' << seed << ' ' << cap;
          const auto paper = hashed->measure({.kind = Kind::kPaper, .cap = cap});
          lost += paper.recall < basic.recall ? 1U : 0U;
        }
      }
    }
  }
  EXPECT_GT(lost, 0U);
}

// On the curve over V and probes, with as many candidates as load balancing has: ahead on average
// with every seed, and never far behind (observed: by 0.035 at most, between two points of the
// curve).
TEST(LoadBalancedPaper, MultiProbeIsAheadWithEquallyManyCandidates) {
  constexpr double kLeastLead = 0.05;
  constexpr double kMostBehind = 0.1;
  for (const std::string name : {"hamming", "pstable"}) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      std::vector<CurvePoint> ours;
      std::vector<CurvePoint> balanced;
      for (const std::uint32_t v : {7U, 9U, 12U, 15U, 18U}) {
        const auto hashed = HashedVectors::make(small_questions(), family(name, v, seed));
        ASSERT_TRUE(hashed);
        for (const std::uint32_t probes : kProbes) {
          const auto f = hashed->measure({.kind = Kind::kMultiProbe, .probes = probes});
          ours.push_back({f.candidates, f.recall});
        }
        if (v > 12) continue;
        for (const std::uint64_t cap : {20U, 40U}) {
          const auto f = hashed->measure({.kind = Kind::kPaper, .cap = cap});
          balanced.push_back({f.candidates, f.recall});
        }
      }
      std::vector<double> leads;
      for (const CurvePoint& point : balanced) {
        const auto reached = quality_at(ours, point.candidates);
        if (reached) leads.push_back(*reached - point.quality);
      }
      EXPECT_GE(leads.size(), balanced.size() / 2) << name << ' ' << seed;
      EXPECT_GT(spread_of(leads).mean, kLeastLead) << name << ' ' << seed;
      EXPECT_GT(spread_of(leads).low, name == "hamming" ? 0 : -kMostBehind) << name << ' ' << seed;
    }
  }
}

TEST(LoadBalancedPaper, CurvesAreReadOffTheirFrontier) {
  const std::vector<CurvePoint> curve = {{100, 0.9}, {10, 0.5}, {50, 0.4}, {200, 1}, {100, 0.7}};
  EXPECT_DOUBLE_EQ(*candidates_for(curve, 0.95), 150);
  EXPECT_DOUBLE_EQ(*candidates_for(curve, 0.7), 55);  // the point (50, 0.4) is beaten
  EXPECT_DOUBLE_EQ(*candidates_for(curve, 0.5), 10);
  EXPECT_EQ(candidates_for(curve, 0.1), std::nullopt) << "below its first point";
  EXPECT_EQ(candidates_for({{10, 0.5}}, 0.6), std::nullopt);
  EXPECT_EQ(candidates_for({}, 0.5), std::nullopt);
  EXPECT_DOUBLE_EQ(*quality_at(curve, 150), 0.95);
  EXPECT_DOUBLE_EQ(*quality_at(curve, 1000), 1);
  EXPECT_EQ(quality_at(curve, 9), std::nullopt);
}

// Small, but all of it: measured once for all tests.
const Sizes kSmall{.vectors = 300,
                   .copies = 105,
                   .dimension = 16,
                   .questions = 20,
                   .seeds = 2,
                   .v = {6, 10},
                   .truth_vectors = 600,
                   .table_step = 4};

const EvalReport& small_report() {
  static const EvalReport report = [] {
    auto made = evaluate({}, kSmall);
    EXPECT_TRUE(made);
    return made ? *made : EvalReport{};
  }();
  return report;
}

TEST(LoadBalancedPaper, EveryTableAndFigureIsThere) {
  std::vector<std::string> ids;
  for (const EvalSection& section : small_report().sections) {
    ids.push_back(section.claim.id);
    EXPECT_FALSE(section.claim.title.empty());
    EXPECT_FALSE(section.claim.verdict.empty()) << ids.back();
    EXPECT_FALSE(section.table.rows.empty()) << ids.back();
    for (const auto& row : section.table.rows) {
      EXPECT_EQ(row.size(), section.table.columns.size()) << ids.back();
    }
  }
  EXPECT_EQ(ids,
            (std::vector<std::string>{"delta", "loads", "fig7", "fig9", "fig10", "fig12", "fig13",
                                      "table2", "table3", "table3_bags", "recorded",
                                      "equal_candidates", "equal_quality", "two_truths", "time"}));
}

TEST(LoadBalancedPaper, IsTheSameAgainButForTimes) {
  const auto again = evaluate({}, kSmall);
  ASSERT_TRUE(again);
  ASSERT_EQ(again->sections.size(), small_report().sections.size());
  for (std::size_t i = 0; i + 1 < again->sections.size(); ++i) {
    EXPECT_EQ(again->sections[i].table.rows, small_report().sections[i].table.rows);
    EXPECT_EQ(again->sections[i].claim.verdict, small_report().sections[i].claim.verdict);
  }
}

TEST(LoadBalancedPaper, RefusesWhatMakesNoSense) {
  EvalOptions options;
  options.vectors = "/nonexistent";
  EXPECT_FALSE(evaluate(options, kSmall));
  options.images = "/nonexistent";
  EXPECT_FALSE(evaluate(options, kSmall)) << "both";
  options.vectors = "";
  EXPECT_FALSE(evaluate(options, kSmall)) << "no pictures";
  EvalOptions sketches;
  sketches.sketches = {"oph1"};
  EXPECT_FALSE(evaluate(sketches, kSmall));
}

}  // namespace
}  // namespace twinsift::paper_001
