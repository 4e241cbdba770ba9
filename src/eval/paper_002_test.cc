// SPDX-License-Identifier: Apache-2.0
#include "eval/paper_002.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "eval/papers.h"
#include "eval/weighted_documents.h"
#include "feature/weights.h"

namespace twinsift::paper_002 {
namespace {

constexpr Sizes kTiny = {.documents = 60,
                         .pairs = 60,
                         .exact_pairs = 200,
                         .sampler_pairs = 20,
                         .sampler_k = 32,
                         .pictures = 20,
                         .sample_queries = 2,
                         .run_seconds = 1e-4};

EvalOptions seeded(std::uint64_t seed) {
  EvalOptions options;
  options.seed = seed;
  return options;
}

const EvalReport& tiny_report() {
  static const Result<EvalReport> report = evaluate({}, kTiny);
  return *report;
}

const EvalSection& section_of(const std::string& id) {
  const std::vector<EvalSection>& sections = tiny_report().sections;
  return *std::ranges::find(sections, id,
                            [](const EvalSection& section) { return section.claim.id; });
}

TEST(Paper002, HasAllItsTablesAndFigures) {
  std::vector<std::string> ids;
  for (const EvalSection& section : tiny_report().sections) ids.push_back(section.claim.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"table1", "fig5", "fig6", "fig7", "fig8", "fig9",
                                           "fig10", "scale", "samplers", "picture_weights"}));
}

TEST(Paper002, EverySectionIsCompleteAndFinite) {
  for (const EvalSection& section : tiny_report().sections) {
    EXPECT_FALSE(section.claim.claim.empty());
    EXPECT_FALSE(section.table.rows.empty());
    EXPECT_EQ(section.claim.verdict.find("nan"), std::string::npos) << section.claim.verdict;
    EXPECT_EQ(section.claim.verdict.find("inf"), std::string::npos) << section.claim.verdict;
    for (const auto& row : section.table.rows) {
      ASSERT_EQ(row.size(), section.table.columns.size()) << section.claim.id;
      for (const std::string& cell : row) {
        EXPECT_FALSE(cell.empty());
        EXPECT_EQ(cell.find("nan"), std::string::npos) << section.claim.id;
        EXPECT_EQ(cell.find("inf"), std::string::npos) << section.claim.id;
      }
    }
    for (const Plot& plot : section.plots) EXPECT_FALSE(plot.series.empty());
  }
}

// GOLDEN: Table 1 as P(X < m) and P(X >= m), and the bounds that e = 1e-5 leads to.
TEST(Paper002, Table1IsRightButItsUpperBoundIsNot) {
  const EvalSection& table = section_of("table1");
  ASSERT_EQ(table.table.rows.size(), 20U);
  const auto& row60 = table.table.rows[11];
  EXPECT_EQ(row60[0], "60");
  EXPECT_EQ(row60[1], "1.29218424e-06");
  EXPECT_EQ(table.table.rows[15][1], "0.440538415");
  EXPECT_EQ(table.table.rows[15][3], "0.559461585");
  EXPECT_EQ(table.table.rows[18][3], "1.86800663e-05");
  EXPECT_EQ(table.table.rows[19][3], "2.03703598e-10");
  EXPECT_FALSE(table.claim.holds);
  EXPECT_TRUE(table.claim.verdict.starts_with("40 of the 40 printed values are right"));
  EXPECT_NE(table.claim.verdict.find("it must be 96"), std::string::npos);
  EXPECT_NE(table.claim.verdict.find("61 is the tightest"), std::string::npos);
}

// GOLDEN: e = 1e-5, T = .8.
TEST(Paper002, Figure6HasTheBoundsOfTheFilter) {
  const std::vector<std::vector<std::string>> expected = {
      {"100", "61", "96"},   {"200", "133", "183"}, {"300", "208", "269"},
      {"400", "283", "353"}, {"500", "359", "437"}, {"600", "436", "521"},
      {"700", "512", "604"}, {"800", "589", "687"}, {"900", "666", "770"}};
  const auto& rows = section_of("fig6").table.rows;
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(std::vector(rows[i].begin(), rows[i].begin() + 3), expected[i]);
  }
  EXPECT_TRUE(section_of("fig6").claim.holds);
}

// PROPERTY: shares of one law sum to 1, up to the four decimals printed.
TEST(Paper002, Figure7SharesSumToOne) {
  const EvalTable& table = section_of("fig7").table;
  for (std::size_t law = 2; law < 5; ++law) {
    double sum = 0;
    for (const auto& row : table.rows) sum += std::stod(row[law]);
    EXPECT_NEAR(sum, 1, 20 * 0.00005);
  }
}

// The filter may err with 1e-5 a look: among 540 verdicts it does not.
TEST(Paper002, TheFilterAgreesWithTheFullComparison) {
  std::size_t seen = 0;
  for (const auto& row : section_of("fig10").table.rows) {
    if (row[2] != "CWS filter") continue;
    EXPECT_EQ(row.back(), "0");
    ++seen;
  }
  EXPECT_EQ(seen, 9U);
}

// ORACLE: what the paper has, entered once more by its spec, does the same.
TEST(Paper002, CompetitorsDoWhatTheirSpecsSay) {
  EvalOptions options;
  options.sketches = {"dart1", "icws1:k=64,seed=9"};
  options.filters = {"cws1:error=1e-5", "gs1"};
  const Result<EvalReport> report = evaluate(options, kTiny);
  ASSERT_TRUE(report) << report.error().message;
  std::size_t seen = 0;
  std::size_t open = 0;
  for (const EvalSection& section : report->sections) {
    std::vector<std::string> own;
    for (const auto& row : section.table.rows) {
      ASSERT_EQ(row.size(), section.table.columns.size());
      if (section.claim.id == "fig10" && row[2] == "CWS filter") own = row;
      if (section.claim.id == "fig10" && row[2] == "cws1:error=1e-05") {
        EXPECT_EQ(row[4], own[4]);  // components read
        EXPECT_EQ(row[8], own[8]);  // other verdicts
        EXPECT_EQ(row[7], "0");     // left open
        ++seen;
      }
      if (section.claim.id == "fig10" && row[2] == "gs1:error=0.0001") open += std::stoul(row[7]);
      if (section.claim.id == "samplers" && row[0] == "dart1:k=32,seed=1" && row[5] == "-") ++seen;
      if (section.claim.id == "samplers" && row[0] == "icws1:k=64,seed=9") {
        EXPECT_EQ(row[1], "64");
      }
    }
  }
  EXPECT_EQ(seen, 9U + 3);
  EXPECT_GT(open, 0U);
  const EvalSection& samplers = *(report->sections.end() - 2);
  ASSERT_EQ(samplers.plots.at(0).series.size(), 3U + 2);
  for (std::size_t i = 0; i < 3; ++i) {  // the same estimates of the same pairs
    EXPECT_EQ(samplers.table.rows[12 + i][3], samplers.table.rows[18 + i][3]);
    EXPECT_EQ(samplers.table.rows[12 + i][4], samplers.table.rows[18 + i][4]);
  }
}

TEST(Paper002, BadCompetitorsAreRefusedBeforeAnythingIsMeasured) {
  const auto why = [](std::vector<std::string> sketches, std::vector<std::string> filters) {
    EvalOptions options;
    options.sketches = std::move(sketches);
    options.filters = std::move(filters);
    options.progress = [](std::string_view what) { ADD_FAILURE() << what; };
    const auto report = evaluate(options, kTiny);
    return report ? std::string() : report.error().message;
  };
  EXPECT_NE(why({"fss1"}, {}).find("sets without weights: use dart1"), std::string::npos);
  EXPECT_NE(why({"nonsense"}, {}).find("is not a sketch"), std::string::npos);
  EXPECT_NE(why({}, {"nonsense"}).find("is not a filter"), std::string::npos);
  EXPECT_NE(why({}, {"goph1:groups=7"}).find("7 equal groups"), std::string::npos);
}

// STATISTICAL: a pair of similarity J has X ~ B(1000, J) equal components; five standard errors.
TEST(Paper002, SketchesHaveTheSimilaritiesOfTheirPairs) {
  const auto data = make_data(seeded(3), kTiny);
  ASSERT_TRUE(data);
  for (const PairSet& set : data->laws) {
    ASSERT_EQ(set.pairs.size(), kTiny.pairs);
    const std::vector<std::uint32_t> equal = set.equal_counts(kPaperComponents);
    for (std::size_t i = 0; i < equal.size(); ++i) {
      const double j = set.similarity[i];
      EXPECT_NEAR(equal[i], 1000 * j, 5 * std::sqrt(1000 * j * (1 - j)) + 1e-9) << set.law;
    }
  }
}

TEST(Paper002, EqualSeedsGiveEqualPairs) {
  const auto first = make_data(seeded(4), kTiny);
  const auto second = make_data(seeded(4), kTiny);
  const auto other = make_data(seeded(5), kTiny);
  ASSERT_TRUE(first && second && other);
  for (std::size_t law = 0; law < 3; ++law) {
    EXPECT_EQ(first->laws[law].components, second->laws[law].components);
    EXPECT_EQ(first->laws[law].similarity, second->laws[law].similarity);
    EXPECT_NE(first->laws[law].components, other->laws[law].components);
  }
}

TEST(Paper002, StopsWhenAskedToAndSaysWhatItDoes) {
  std::stop_source source;
  std::vector<std::string> told;
  EvalOptions options;
  options.stop = source.get_token();
  options.progress = [&](std::string_view what) {
    told.emplace_back(what);
    if (what.starts_with("figure 10")) source.request_stop();
  };
  const auto report = evaluate(options, kTiny);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kCancelled);
  ASSERT_GT(told.size(), 5U);
  EXPECT_EQ(told.front(), "table 1");
  EXPECT_EQ(told.back(), "figure 10");
}

TEST(Paper002, AStopAtAnyStepIsAnError) {
  for (const std::string_view step : {"figure 5", "documents and pairs", "samplers"}) {
    std::stop_source source;
    EvalOptions options;
    options.stop = source.get_token();
    options.progress = [&](std::string_view what) {
      if (what == step) source.request_stop();
    };
    const auto report = evaluate(options, kTiny);
    ASSERT_FALSE(report) << step;
    EXPECT_EQ(report.error().code, ErrorCode::kCancelled) << step;
  }
}

// A corpus of `count` documents of its own words, the last a copy of the one before.
std::string corpus_lines(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    const int words = i == count - 1 ? i - 1 : i;
    lines += R"({"text":")";
    for (int word = 0; word < 20; ++word) {
      lines += "word" + std::to_string(words) + "x" + std::to_string(word) + " ";
    }
    lines += "\"}\n";
  }
  return lines;
}

EvalOptions from(const std::string& corpus) {
  EvalOptions options;
  options.corpus = corpus;
  return options;
}

TEST(WeightedDocuments, AreReadFromACorpusWithTheirTerms) {
  const TestDir dir;
  const std::string path = dir.path() / "c.jsonl";
  std::ofstream(path) << corpus_lines(5) << "{\"text\":\"too short\"}\nnot JSON\n";
  const auto documents = load_weighted_documents(from(path), 100);
  ASSERT_TRUE(documents) << documents.error().message;
  ASSERT_EQ(documents->weights.size(), 5U);
  for (const WeightedSet& set : documents->weights) {
    EXPECT_TRUE(is_canonical(set));
    EXPECT_EQ(set.tokens.size(), 20U);
  }
  EXPECT_EQ(documents->shingles[3], documents->shingles[4]);
  EXPECT_EQ(documents->description, "5 documents of c.jsonl");
}

TEST(WeightedDocuments, TakeNoMoreThanTheyAreAskedFor) {
  const auto documents = load_weighted_documents({}, 7);
  ASSERT_TRUE(documents);
  EXPECT_EQ(documents->weights.size(), 7U);
  EXPECT_EQ(documents->shingles.size(), 7U);
}

TEST(WeightedDocuments, OneDocumentOrAMissingCorpusIsAnError) {
  const TestDir dir;
  const std::string path = dir.path() / "c.jsonl";
  std::ofstream(path) << corpus_lines(1);
  const auto one = load_weighted_documents(from(path), 100);
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(load_weighted_documents(from(path + ".missing"), 100));
}

}  // namespace
}  // namespace twinsift::paper_002
