// SPDX-License-Identifier: Apache-2.0
// twinsift tune.
#include <cmath>
#include <map>

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
  expect({"tune", "extra"}, 2, {"'extra' cannot be tuned; only pond can be named"});
  expect({"tune", "pond", "extra"}, 2, {"'extra' is one argument too many"});
}

class TunePond : public Tune {
 protected:
  // The load of the golden sawtooth, with `more` behind it.
  static Words golden(const Words& more) {
    Words words = {"pond",       "--peers",  "100000",       "--resources", "8",
                   "--searches", "1e6",      "--duplicates", "3",           "--threshold",
                   "0.9",        "--recall", "0.9"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static Words command(Words words) {
    words.insert(words.begin(), "tune");
    return words;
  }
};

// GOLDEN: the sawtooth, messages in millions to two digits, and the bits at its best and around.
TEST_F(TunePond, FindsTheBestOfTheGoldenSawtooth) {
  const auto tuned = json(golden({}));
  EXPECT_EQ(std::uint64_t(tuned["labels"]), 9U);
  EXPECT_EQ(std::uint64_t(tuned["bits"]), 29U);
  EXPECT_NEAR(double(tuned["messages"]) / 1e6, 924.48, .005);
  EXPECT_NEAR(double(tuned["publishing"]) + double(tuned["searching"]), double(tuned["messages"]),
              1);
  // N avg l (log2 N + 1)
  EXPECT_NEAR(double(tuned["publishing"]), 1e5 * 8 * 9 * (std::log2(1e5) + 1), 1);
  EXPECT_GE(double(tuned["found"]), .9);
  const std::map<std::uint64_t, double> expected = {{7, 1027.87}, {8, 942.16},  {9, 924.48},
                                                    {10, 953.60}, {11, 937.36}, {12, 925.06},
                                                    {13, 949.71}};
  std::map<std::uint64_t, std::uint64_t> bits;
  for (const auto plan : simdjson::dom::array(tuned["curve"])) {
    const std::uint64_t labels = plan["labels"];
    bits[labels] = std::uint64_t(plan["bits"]);
    const auto golden = expected.find(labels);
    if (golden == expected.end()) continue;
    EXPECT_NEAR(double(plan["messages"]) / 1e6, golden->second, .005) << labels;
  }
  EXPECT_EQ(bits, (std::map<std::uint64_t, std::uint64_t>{{1, 2},
                                                          {2, 7},
                                                          {4, 16},
                                                          {5, 19},
                                                          {6, 22},
                                                          {7, 24},
                                                          {8, 27},
                                                          {9, 29},
                                                          {10, 30},
                                                          {11, 32},
                                                          {12, 34},
                                                          {13, 35},
                                                          {16, 39},
                                                          {32, 52}}));
}

TEST_F(TunePond, TheTableShowsTheChoiceItsPriceAndItsNeighbours) {
  const Outcome outcome = expect(command(golden({})), 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* line :
       {"peers          100,000\n", "searches       1,000,000 per period, 3 near-duplicates each\n",
        "similarities   Zipf's law", "labels x bits  9 x 29\n",
        "guarantee      P(found at 0.90) >= 0.900\n",
        "messages       924,482,874 per period: 126,789,411 to publish, 797,693,463 to search\n",
        "       9    29  0.900231          924,482,874  the fewest\n",
        "      10    30  0.910732          953,600,068\n"}) {
    EXPECT_TRUE(contains(outcome.out, line)) << line << outcome.out;
  }
  EXPECT_EQ(count(outcome.out, "the fewest"), 1U);
  // One label cannot keep 0.99 at 0.8 with any bit.
  EXPECT_TRUE(contains(
      expect({"tune", "pond", "--peers", "1000", "--resources", "8.5", "--searches", "1e4"}, 0).out,
      "       1     -  one bit is too many for the recall\n"));
}

TEST_F(TunePond, MeasuredSimilaritiesReplaceZipf) {
  std::string zipf = "# the same law, not normalised\r\n\n";
  for (int i = 1; i <= 100; ++i) {
    zipf += std::to_string((i - 0.5) / 100) + "\t" + std::to_string(1e6 / (i * i)) + "\n";
  }
  write("zipf.tsv", zipf);
  EXPECT_NEAR(double(json(golden({"--similarities", "zipf.tsv"}))["messages"]) / 1e6, 924.48, .01);
  // Where no pair is similar, one label of few bits finds nothing false.
  write("none.tsv", "0\t1\n");
  const auto none = json(golden({"--similarities", "none.tsv"}));
  EXPECT_LT(double(none["messages"]), 924e6);
  EXPECT_TRUE(contains(expect(command(golden({"--similarities", "none.tsv"})), 0).out,
                       "similarities   1 value of none.tsv\n"));
}

TEST_F(TunePond, BadSimilaritiesAreNamedWithTheirLine) {
  const Words bad = {"0.5",      "0.5 3", "1.5\t1",    "-0.1\t1", "0.5\t-1",
                     "0.5\tnan", "x\t1",  "0.5\t1\t2", "0.5\tinf"};
  for (const std::string& line : bad) {
    write("bad.tsv", "0.1\t5\n" + line + "\n");
    expect(command(golden({"--similarities", "bad.tsv"})), 2,
           {"bad.tsv: line 2 is not a similarity"});
  }
  write("empty.tsv", "# nothing\n");
  expect(command(golden({"--similarities", "empty.tsv"})), 2, {"needs 1 to 1000 bins"});
  write("zero.tsv", "0.5\t0\n");
  expect(command(golden({"--similarities", "zero.tsv"})), 2, {"a weight above 0"});
  std::string long_list;
  for (int i = 0; i < 1001; ++i) long_list += "0.1\t1\n";
  write("long.tsv", long_list);
  expect(command(golden({"--similarities", "long.tsv"})), 2, {"needs 1 to 1000 bins"});
  expect(command(golden({"--similarities", "missing.tsv"})), 2, {"missing.tsv: no such file"});
}

TEST_F(TunePond, ThePlotMarksTheBest) {
  expect(command(golden({"--plot", "messages.svg"})), 0);
  const std::string svg = folder.read("messages.svg");
  EXPECT_TRUE(svg.starts_with("<?xml"));
  for (const char* part : {"Messages for each number of labels", "9 labels of 29 bits",
                           "the fewest: 924,482,874", "labels l", "messages per period"}) {
    EXPECT_TRUE(contains(svg, part)) << part;
  }
  write("law.tsv", "0.1\t1\n");
  expect(command(golden({"--similarities", "law.tsv", "--plot", "law.tsv"})), 4, {"refused"});
  EXPECT_EQ(folder.read("law.tsv"), "0.1\t1\n");
  expect(command(golden({"--plot", "-"})), 2, {"--plot needs the name of a file"});
}

TEST_F(TunePond, TheImpossibleIsRefusedWithAReason) {
  expect({"tune", "pond"}, 2, {"pond needs --peers"});
  expect({"tune", "pond", "--peers", "10", "--resources", "1"}, 2, {"pond needs --searches"});
  expect(command(golden({"--recall", "1"})), 2,
         {"the recall is 1, but it must be above 0 and below 1"});
  expect(command(golden({"--threshold", "0.001", "--recall", "0.999999999999"})), 0);
  expect(command(golden({"--peers", "0.5"})), 2, {"at least one peer"});
  expect(command(golden({"--peers", "1e16"})), 2,
         {"--peers '1e16': allowed are numbers from 0 to 1e15"});
  for (const char* number : {"-1", "nan", "inf", "12x", "1,000"}) {
    expect(command(golden({std::string("--searches=") + number})), 2,
           {"allowed are numbers from 0"});
  }
  expect(command(golden({"--bands", "20"})), 2, {"--bands is for bands, which pond has none of"});
  expect({"tune", "--peers", "10"}, 2,
         {"--peers is for a network of peers: say 'twinsift tune pond'"});
}

TEST_F(TunePond, ExtremeLoadsHaveAnAnswerInTime) {
  for (const char* amount : {"0", "1", "1e15"}) {
    const Outcome outcome =
        expect({"tune", "pond", "--peers", "1e15", "--resources", amount, "--searches", amount,
                "--duplicates", amount, "--threshold", "0.5", "--plot", "x.svg"},
               0);
    EXPECT_TRUE(contains(outcome.out, "the fewest")) << outcome.out;
  }
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
