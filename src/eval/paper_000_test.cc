// SPDX-License-Identifier: Apache-2.0
#include "eval/paper_000.h"

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/tails.h"
#include "eval/data.h"
#include "eval/papers.h"
#include "verify/filter_parts.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kDocuments = 200;

// The whole report, measured once for all tests.
const EvalReport& small_report() {
  static const EvalReport report = [] {
    auto made = measure_hoph_paper({}, kDocuments);
    return made ? *made : EvalReport{};
  }();
  return report;
}

const EvalSection& section(std::string_view id) {
  static const EvalSection none;
  for (const EvalSection& s : small_report().sections) {
    if (s.claim.id == id) return s;
  }
  ADD_FAILURE() << id;
  return none;
}

double number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  EXPECT_EQ(*end, '\0') << text;
  return value;
}

double cell(const EvalSection& s, std::size_t row, std::string_view column) {
  for (std::size_t c = 0; c < s.table.columns.size(); ++c) {
    if (s.table.columns[c] == column) return number(s.table.rows.at(row).at(c));
  }
  ADD_FAILURE() << column;
  return 0;
}

TEST(HophPaper, EveryTableAndFigureIsThere) {
  std::vector<std::string> ids;
  for (const EvalSection& s : small_report().sections) {
    ids.push_back(s.claim.id);
    EXPECT_FALSE(s.claim.claim.empty());
    EXPECT_FALSE(s.claim.verdict.empty());
    EXPECT_FALSE(s.table.rows.empty());
    for (const auto& row : s.table.rows) EXPECT_EQ(row.size(), s.table.columns.size());
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"table2", "examples", "fig4", "fig5_speed",
                                           "fig5_accuracy", "fig6", "fig7", "sketching", "fig8",
                                           "fig9_speed", "fig9_accuracy", "fig10", "fig11",
                                           "picture_sizes", "picture_weights"}));
  EXPECT_EQ(section("fig4").table.rows.size(), kHophGroups.size());
  EXPECT_EQ(section("fig5_speed").table.rows.size(), 5 * kHophMethods);
  EXPECT_EQ(section("fig6").table.rows.size(), 5 * kHophSelected.size());
  EXPECT_EQ(section("fig7").table.rows.size(), 3 * kHophSelected.size());
}

TEST(HophPaper, PicturesAreSetsOfFrequentAndRareWords) {
  const Workload pictures = Workload::make_pictures({}, 300);
  EXPECT_EQ(pictures.queries().size(), 100U);
  std::map<std::uint64_t, std::size_t> uses;
  for (std::uint32_t i = 0; i < pictures.documents(); ++i) {
    const TokenSet words = pictures.document(i);
    EXPECT_EQ(words, pictures.document(i));
    EXPECT_GE(words.size(), 200U);
    EXPECT_LE(words.size(), 1500U);
    for (const std::uint64_t word : words) ++uses[word];
  }
  EXPECT_LE(uses.size(), 65'536U);
  std::size_t most = 0;
  for (const auto& [word, count] : uses) most = std::max(most, count);
  EXPECT_GT(most, 150U) << "in more than half of the pictures";
}

// GOLDEN: all rows that the paper prints.
TEST(HophPaper, Table2IsExact) {
  const EvalSection made = hoph_table2();
  EXPECT_TRUE(made.claim.holds) << made.claim.verdict;
  ASSERT_EQ(made.table.rows.size(), 20U);
  struct Golden {
    std::size_t row;
    const char* below;
    const char* at_least;
  };
  for (const auto& [row, below, at_least] :
       {Golden{0, "3.27947573e-33", "1"}, Golden{7, "1.80414624e-05", "0.999981959"},
        Golden{9, "0.0167616865", "0.983238313"}, Golden{14, "0.998810999", "0.00118900062"},
        Golden{16, "0.999999949", "5.0731971e-08"}, Golden{19, "1", "6.53318624e-23"}}) {
    EXPECT_EQ(made.table.rows[row][2], below);
    EXPECT_EQ(made.table.rows[row][4], at_least);
  }
}

// GOLDEN: what the figures print for D1 and D3, and that everything else is right.
TEST(HophPaper, ExamplesShowTheErrorsOfThePaper) {
  const EvalSection made = hoph_examples();
  EXPECT_FALSE(made.claim.holds);
  std::set<std::string> wrong;
  for (const auto& row : made.table.rows) {
    if (row[3] == "no") wrong.insert(row[0] + ": " + row[1] + " must be " + row[2]);
  }
  EXPECT_EQ(wrong,
            (std::set<std::string>{"Fig. 1: estimate of (D1, D3): 0.333 must be 0.25",
                                   "Fig. 2: estimate of (D1, D3): 0.375 must be 0.25",
                                   "Fig. 2: representations that D1 and D3 share: 1 must be 2"}));
}

TEST(HophPaper, AllNumbersAreFiniteAndAddUp) {
  for (const char* id : {"fig4", "fig5_speed", "fig5_accuracy", "fig6", "fig7"}) {
    const EvalSection& s = section(id);
    for (std::size_t r = 0; r < s.table.rows.size(); ++r) {
      for (std::size_t c = 1; c < s.table.columns.size(); ++c) {
        const std::string& text = s.table.rows[r][c];
        EXPECT_TRUE(text.empty() || std::isfinite(number(text))) << id << ' ' << text;
      }
      EXPECT_GT(cell(s, r, "seconds"), -1e-9);
      EXPECT_LE(cell(s, r, "missed"), cell(s, r, "similar"));
      EXPECT_LE(cell(s, r, "bins per pair"), 1024);
      EXPECT_GE(cell(s, r, "bins per pair"), 20);
    }
    for (const Plot& plot : s.plots) {
      for (const PlotSeries& series : plot.series) {
        EXPECT_GE(series.points.size(), 3U);
        for (const PlotPoint& p : series.points) EXPECT_TRUE(std::isfinite(p.x + p.y));
      }
    }
  }
  // Documents add up from point to point.
  const EvalSection& speed = section("fig5_speed");
  EXPECT_EQ(cell(speed, 0, "documents"), kDocuments / 5);
  EXPECT_EQ(cell(speed, speed.table.rows.size() - 1, "documents"), kDocuments);
}

TEST(HophPaper, FullComparisonsReadAllBinsAndHophHardlyMoreThanOneGroup) {
  const EvalSection& s = section("fig5_speed");
  EXPECT_EQ(cell(s, 0, "bins per pair"), kScanBins);  // MinWise
  EXPECT_EQ(cell(s, 1, "bins per pair"), kScanBins);  // OPH
  EXPECT_LT(cell(s, 2, "bins per pair"), 400);        // GOPH
  EXPECT_GE(cell(s, 2, "bins per pair"), 200);        // it cannot stop before
  EXPECT_LT(cell(s, 3, "bins per pair"), 120);        // 1:1 HOPH
  EXPECT_LT(cell(s, 6, "bins per pair"), 80);         // ours
}

// STATISTICAL: a full comparison says "similar" with P(Bin(1000, J) >= 700), so that the number of
// pairs it accepts is within four standard deviations of the sum of these.
TEST(HophPaper, MinWiseAcceptsWhatTheorySays) {
  const EvalOptions options;
  const auto workload = Workload::make(options, 1000);
  ASSERT_TRUE(workload);
  const QueryIndex index(workload->queries());
  double mean = 0;
  double variance = 0;
  std::uint64_t similar = 0;
  for (std::uint32_t d = 0; d < workload->documents(); ++d) {
    for (const QueryOverlap& overlap : index.similar(workload->document(d), 500)) {
      const double j = static_cast<double>(overlap.common) / overlap.all;
      const double p = binomial_at_least(kScanBins, j, 700);
      mean += p;
      variance += p * (1 - p);
      similar += overlap.reaches(700) ? 1U : 0U;
    }
  }
  const ScanPlan plan{
      .points = {workload->documents()},
      .sketches = {{"MinWise", "minhash1:k=1000,seed=1"}},
      .runs = {{.sketch = 0,
                .table = full_table({.k = kScanBins, .threshold_permille = 700, .looks = {}}),
                .threshold_permille = 700,
                .points = 1}}};
  const auto result = scan(*workload, plan, options);
  ASSERT_TRUE(result);
  const ScanPoint& point = result->runs[0].at(0);
  EXPECT_GT(similar, 25U);
  EXPECT_EQ(point.similar, similar);
  EXPECT_EQ(point.pairs, 100U * 1000U);
  EXPECT_NEAR(static_cast<double>(point.accepted), mean, 4 * std::sqrt(variance));
  EXPECT_GT(point.recall(), 0.9);
  EXPECT_GT(result->sketch_seconds[0], 0);
}

// STATISTICAL: MinWise has k independent components, 300 samples of whose square error are within
// four standard errors of it.  What draws from a small set without putting back is worth
// more, but not if empty bins are filled from others, which puts back.
TEST(HophPaper, BinsOfSmallSetsAreWorthMoreUnlessFilledFromOthers) {
  Rng rng(11);
  std::vector<TokenSet> queries;
  std::vector<TokenSet> documents;
  for (std::uint32_t i = 0; i < 60; ++i) {
    auto [a, b] = make_pair_of_sets(150, 70 + i, rng);
    queries.push_back(std::move(a));
    documents.push_back(std::move(b));
  }
  const Workload workload = Workload::of_sets(std::move(queries), std::move(documents), "pairs");
  EXPECT_EQ(workload.documents(), 60U);
  const auto worth = [&](const char* kind, std::uint32_t k) {
    const auto made = sketch_worth(kind, k, workload);
    EXPECT_TRUE(made) << kind;
    return made ? made->bins : 0;
  };
  EXPECT_NEAR(worth("minhash1", 256), 256, 4 * 256 * std::sqrt(2 / 300.0));
  EXPECT_NEAR(worth("minhash1", 1000), 1000, 4 * 1000 * std::sqrt(2 / 300.0));
  EXPECT_GT(worth("oph1", 1000), 1.5 * worth("doph1", 1000));
  EXPECT_GT(worth("fss1", 1000), 1.5 * worth("doph1", 1000));
  EXPECT_FALSE(sketch_worth("nonsense", 256, workload));
}

EvalOptions with(std::vector<std::string> sketches, std::vector<std::string> filters) {
  EvalOptions options;
  options.sketches = std::move(sketches);
  options.filters = std::move(filters);
  return options;
}

// The rows of an algorithm in a section, without what is a matter of time, of its name and of the
// error that the row is headed with.
std::vector<std::vector<std::string>> counts_of(const EvalReport& report, std::string_view id,
                                                std::string_view algorithm) {
  std::vector<std::vector<std::string>> rows;
  for (const EvalSection& s : report.sections) {
    if (s.claim.id != id) continue;
    for (const auto& row : s.table.rows) {
      if (row[0] != algorithm) continue;
      rows.push_back({row[1], row[2]});
      rows.back().insert(rows.back().end(), row.begin() + 8, row.end());
    }
  }
  return rows;
}

// ORACLE: the paper's own algorithms, entered once more by their specs, do what they do.
TEST(HophPaper, CompetitorsDoWhatTheirSpecsSay) {
  const auto report = measure_hoph_paper(with({"doph1"}, {"none", "goph1", "gs1"}), kDocuments);
  ASSERT_TRUE(report) << report.error().message;
  const std::string oph = "doph1:k=1000,seed=1";
  const std::string goph = oph + ", goph1:groups=10,error=0.0001";
  for (const char* id : {"fig5_speed", "fig5_accuracy"}) {
    const auto own = counts_of(*report, id, "OPH");
    ASSERT_EQ(own.size(), 5U);
    EXPECT_EQ(counts_of(*report, id, oph), own);
    EXPECT_EQ(counts_of(*report, id, goph), counts_of(*report, id, "GOPH"));
  }
  ASSERT_EQ(counts_of(*report, "fig6", goph).size(), 5U);
  EXPECT_EQ(counts_of(*report, "fig6", goph), counts_of(*report, "fig6", "GOPH"));
  EXPECT_EQ(counts_of(*report, "fig7", goph).size(), 3U);
  // What gs1 leaves open is decided exactly, and the rest nearly always rightly.
  std::uint64_t open = 0;
  for (const auto& row : counts_of(*report, "fig5_speed", oph + ", gs1:error=0.0001")) {
    open += static_cast<std::uint64_t>(number(row.back()));
    EXPECT_EQ(row[5], "0");  // missed
    EXPECT_EQ(row[6], "0");  // wrongly found
  }
  EXPECT_GT(open, 0U);
  for (const EvalSection& s : report->sections) {
    for (const auto& row : s.table.rows) EXPECT_EQ(row.size(), s.table.columns.size());
    if (s.claim.id == "fig5_speed") {
      EXPECT_EQ(s.plots.at(0).series.size(), kHophMethods + 3);
    }
    if (s.claim.id == "sketching") {
      EXPECT_EQ(s.table.rows.size(), 6U + 1);  // each sketch once
    }
  }
}

TEST(HophPaper, BadCompetitorsAreRefusedBeforeAnythingIsMeasured) {
  const auto why = [](EvalOptions options) {
    options.corpus = "/no/such/corpus";  // would be the next complaint
    const auto report = measure_hoph_paper(options, kDocuments);
    return report ? std::string() : report.error().message;
  };
  EXPECT_NE(why(with({"nonsense"}, {})).find("is not a sketch"), std::string::npos);
  EXPECT_NE(why(with({}, {"nonsense"})).find("is not a filter"), std::string::npos);
  EXPECT_NE(why(with({"fss1:k=3000"}, {})).find("k is at most 2048 here"), std::string::npos);
  EXPECT_NE(why(with({}, {"gs1", "goph1:groups=7"})).find("7 equal groups"), std::string::npos);
}

TEST(HophPaper, PicturesMustBeThereAndVectorsHaveNoPlace) {
  EvalOptions options;
  options.images = "/no/such/folder";
  EXPECT_FALSE(measure_hoph_paper(options, kDocuments));
  options.images.clear();
  options.vectors = "v.csv";
  const auto report = measure_hoph_paper(options, kDocuments);
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("--vectors"), std::string::npos);
}

// ORACLE: the exact similarity of two sets.
TEST(Workload, TheIndexOfQueriesGivesExactSimilarities) {
  Rng rng(3);
  std::vector<TokenSet> queries;
  std::vector<TokenSet> documents;
  for (std::uint32_t common : {0U, 10U, 50U, 70U, 100U}) {
    auto [a, b] = make_pair_of_sets(100, common, rng);
    queries.push_back(std::move(a));
    documents.push_back(std::move(b));
  }
  const QueryIndex index(queries);
  for (const TokenSet& document : documents) {
    const auto all = index.similar(document, 0);
    ASSERT_EQ(all.size(), queries.size());
    for (const QueryOverlap& overlap : all) {
      EXPECT_EQ(static_cast<double>(overlap.common) / overlap.all,
                jaccard(queries[overlap.query], document));
    }
  }
  EXPECT_EQ(index.similar(documents[3], 700).size(), 1U);  // exactly at the threshold
  EXPECT_EQ(index.similar(documents[3], 701).size(), 0U);
}

TEST(Workload, DocumentsAreFunctionsOfSeedAndNumber) {
  const auto a = Workload::make({}, 10);
  const auto b = Workload::make({}, 1000);
  EvalOptions other;
  other.seed = 2;
  const auto c = Workload::make(other, 10);
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->queries(), b->queries());
  for (std::uint32_t d = 0; d < 10; ++d) {
    EXPECT_EQ(a->document(d), b->document(d));
    EXPECT_NE(a->document(d), c->document(d));
  }
}

TEST(HophPaper, StopsWhenAsked) {
  std::stop_source source;
  EvalOptions options;
  options.stop = source.get_token();
  int told = 0;
  options.progress = [&](std::string_view) {
    if (++told == 2) source.request_stop();  // in the midst of it
  };
  const auto stopped = measure_hoph_paper(options, kDocuments);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(told, 2);
  const auto at_once = eval_paper_000(options);  // full size: it must not even begin
  ASSERT_FALSE(at_once);
  EXPECT_EQ(at_once.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace twinsift
