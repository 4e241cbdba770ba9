// SPDX-License-Identifier: Apache-2.0
// twinsift tune.
#include <cmath>

#include <simdjson.h>

#include "command.h"

namespace twinsift::cli {
namespace {

class Tune : public CommandTest {
 protected:
  simdjson::dom::element json(Words words) {
    words.insert(words.begin(), "tune");
    words.emplace_back("--json");
    const Outcome outcome = expect(words, 0);
    return parser_.parse(simdjson::padded_string(outcome.out));
  }

  simdjson::dom::parser parser_;
};

TEST_F(Tune, TheTableHasTheChoiceThePromiseAndTheCurve) {
  const Outcome outcome = expect({"tune", "--threshold", "0.8", "--recall", "0.99"}, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* line :
       {"sketch         128 components\n", "bands x rows   16 x 6\n",
        "guarantee      P(found at 0.80) >= 0.992\n",
        "candidates     10,509 of a million pairs, though below the threshold\n",
        "memory         192 bytes for each document: 128 of sketch, 64 of keys\n",
        "similarity   P(found)\n", "       0.1   0.000015\n", "       1.0   1.000000   ####"}) {
    EXPECT_TRUE(contains(outcome.out, line)) << line << outcome.out;
  }
  EXPECT_EQ(outcome.out, expect({"tune"}, 0).out);  // these are the defaults
  EXPECT_EQ(lines_of(outcome.out).size(), 7U + 1 + 1 + 10);
}

// GOLDEN: a cell of the table in docs/algorithms/banding.md.
TEST_F(Tune, TheDocumentedChoiceIsMade) {
  const auto tuned = json({"--threshold", "0.7", "--recall", "0.95"});
  EXPECT_EQ(std::uint64_t(tuned["k"]), 128U);
  EXPECT_EQ(std::uint64_t(tuned["bands"]), 17U);
  EXPECT_EQ(std::uint64_t(tuned["rows"]), 5U);
}

// GOLDEN: equal weights at T = 0.8, k = 128 lead to 9 bands of 13 rows, which promise little.
TEST_F(Tune, WeightsOfErrorsChooseInsteadOfTheRecall) {
  const auto even = json({"--false-positives", "0.5"});
  EXPECT_EQ(std::uint64_t(even["bands"]), 9U);
  EXPECT_EQ(std::uint64_t(even["rows"]), 13U);
  const Outcome outcome = expect({"tune", "--false-negatives", "0.5"}, 0);
  EXPECT_TRUE(contains(outcome.out, "less than the recall"));
  const double careful = json({"--false-positives", "0.05", "--false-negatives", "0.95"})["found"];
  EXPECT_GT(careful, double(json({"--false-positives", "0.95"})["found"]));
}

TEST_F(Tune, JsonKeepsThePromiseAndHoldsTheCurve) {
  const auto tuned = json({"--threshold", "0.6", "--recall", "0.9"});
  EXPECT_EQ(double(tuned["threshold"]), .6);
  EXPECT_EQ(double(tuned["recall"]), .9);
  EXPECT_GE(double(tuned["found"]), .9);
  EXPECT_GT(double(tuned["expected_candidates"]), 0);
  const double bands = double(std::uint64_t(tuned["bands"]));
  const double rows = double(std::uint64_t(tuned["rows"]));
  EXPECT_EQ(double(std::uint64_t(tuned["bytes_per_document"])),
            double(std::uint64_t(tuned["k"])) + 4 * bands);
  const auto curve = simdjson::dom::array(tuned["curve"]);
  ASSERT_EQ(curve.size(), 10U);
  for (const auto point : curve) {
    const double s = point["similarity"];
    EXPECT_NEAR(double(point["found"]), 1 - std::pow(1 - std::pow(s, rows), bands), 2e-6);
  }
}

TEST_F(Tune, TheSizeOfTheSketchCanBeGiven) {
  const auto tuned = json({"--k", "256"});
  EXPECT_EQ(std::uint64_t(tuned["k"]), 256U);
  EXPECT_GE(double(tuned["found"]), .99);
  EXPECT_LE(std::uint64_t(tuned["bands"]) * std::uint64_t(tuned["rows"]), 256U);
}

TEST_F(Tune, APlanOfOnesOwnIsJudged) {
  const auto tuned = json({"--bands", "20", "--rows", "5", "--threshold", "0.8"});
  EXPECT_EQ(std::uint64_t(tuned["k"]), 100U);
  EXPECT_EQ(double(tuned["curve"].at(7)["found"]), .999643);  // .9996439, never rounded up
  EXPECT_TRUE(
      contains(expect({"tune", "--bands", "20", "--rows", "5", "--threshold", "0.5"}, 0).out,
               "P(found at 0.50) >= 0.459, less than the recall\n"));
}

TEST_F(Tune, ThePlotMarksThresholdAndPromise) {
  expect({"tune", "--plot", "curve.svg"}, 0);
  const std::string svg = folder.read("curve.svg");
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  for (const char* part : {"Pairs found by 16 bands of 6 rows", "P(s) = 1 - (1 - s^6)^16",
                           "threshold 0.8", "P(found at 0.80) &gt;= 0.992", "similarity"}) {
    EXPECT_TRUE(contains(svg, part)) << part;
  }
  expect({"tune", "--plot", "no/such/folder.svg"}, 2, {"no/such/folder.svg: no such file"});
  expect({"tune", "--plot", "-"}, 2, {"--plot needs the name of a file"});
}

TEST_F(Tune, TheImpossibleIsRefusedWithAReason) {
  expect({"tune", "--recall", "1"}, 2, {"cannot be promised by sketches"});
  expect({"tune", "--k", "1"}, 2, {"a sketch of 1 components cannot find pairs", "it takes 3"});
  expect({"tune", "--k", "0"}, 2, {"it must have 1 to 4096"});
  expect({"tune", "--bands", "20"}, 2, {"--bands and --rows are both needed"});
  expect({"tune", "--rows", "5"}, 2, {"--bands and --rows are both needed"});
  expect({"tune", "--bands", "0", "--rows", "5"}, 2, {"each at least 1"});
  expect({"tune", "--bands", "20", "--rows", "5", "--k", "64"}, 2,
         {"20 bands of 5 rows take 100 components, but --k is 64"});
  expect({"tune", "--bands", "4096", "--rows", "4096"}, 2,
         {"take 16777216 components, but a sketch has 4096 at most"});
  expect({"tune", "--threshold", "2"}, 2, {"--threshold '2': allowed are numbers"});
  expect({"tune", "extra"}, 2, {"'extra' is one argument too many"});
}

TEST_F(Tune, EveryThresholdHasAnAnswerInTime) {
  for (const char* threshold : {"0.001", "0.05", "0.3", "0.999", "1"}) {
    const Outcome outcome = run({"tune", "--threshold", threshold, "--recall", "0.999"});
    EXPECT_TRUE(outcome.status == 0 || contains(outcome.err, "it takes")) << outcome.err;
  }
  expect({"tune", "--bands", "1", "--rows", "4096", "--threshold", "1"}, 0);
}

}  // namespace
}  // namespace twinsift::cli
