// SPDX-License-Identifier: Apache-2.0
// twinsift compare on pairs of files.
#include <cmath>
#include <utility>

#include <simdjson.h>
#include <sys/stat.h>

#include "command.h"
#include "documents.h"

namespace twinsift::cli {
namespace {

class Compare : public CommandTest {
 protected:
  simdjson::dom::element json(const std::string& a, const std::string& b) {
    const Outcome outcome = expect({"compare", a, b, "--explain", "--json"}, 0);
    return parser_.parse(simdjson::padded_string(outcome.out));
  }

  // The text that a passage claims to be in, cut where it says.
  static std::string cut(simdjson::dom::element text, simdjson::dom::element span) {
    return std::string(
        std::string_view(text).substr(std::uint64_t(span.at(0)), std::uint64_t(span.at(1))));
  }

  const std::string text = random_text(1, 200);
  simdjson::dom::parser parser_;
};

TEST_F(Compare, EqualBytesAreIdenticalWhateverTheyAre) {
  const std::vector<std::string> contents = {text, "tiny", "", std::string("\0\1\2", 3),
                                             "%PDF-1.4\nnonsense"};
  for (const std::string& content : contents) {
    write("a", content);
    write("b", content);
    EXPECT_TRUE(contains(expect({"compare", "a", "b"}, 0).out, "1.0000 (identical bytes)"));
    EXPECT_TRUE(contains(expect({"compare", "a", "b", "--explain"}, 0).out, "1.0000"));
    expect({"compare", "a", "b", "--exit-code"}, 1);
  }
}

TEST_F(Compare, TheScoreIsTheJaccardSimilarityOfTheRunsOfWords) {
  write("a", text);
  write("b", with_change(text, 100));  // 5 of 196 runs of five words are not the same
  const auto result = json("a", "b");
  EXPECT_NEAR(double(result["score"]), 191.0 / 201, 1e-6);
  EXPECT_FALSE(bool(result["identical"]));
  expect({"compare", "a", "b", "--exit-code"}, 1);
  expect({"compare", "a", "b", "--exit-code", "--threshold", "0.96"}, 0);
}

// The same words in another order share no run of five words, but they are about the same things.
TEST_F(Compare, TermsAreAlikeInAnyOrder) {
  write("a", "Foxes hunt geese beside rivers while millers grind barley, wheat and oats.");
  write("b", "While the millers grind oats, wheat and barley, foxes hunt geese beside a river.");
  EXPECT_TRUE(contains(expect({"compare", "a", "b"}, 0).out, "similarity   0.0000"));
  for (const char* features : {"terms", "tfidf", "tfidf:smooth"}) {
    const Outcome outcome = expect({"compare", "a", "b", "--features", features}, 0);
    EXPECT_TRUE(contains(outcome.out, "similarity   1.0000")) << features << outcome.out;
  }
  expect({"compare", "a", "b", "--features", "tfidf:bad"}, 2, {"tfidf:bad"});
}

// ln(2 / (df + 1)) is 0 or less: equal texts would have had nothing in common.
TEST_F(Compare, ThePapersIdfIsRefusedForTwoDocuments) {
  write("a", text);
  const Outcome outcome =
      expect({"compare", "a", "a", "--features", "tfidf:paper"}, 2,
             {"with two documents tfidf:paper leaves no term a weight: use tfidf"});
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Compare, DifferentTextsAndDifferentMediaHaveNothingInCommon) {
  write("a", text);
  write("b", random_text(2, 200));
  write("c", std::string("\0\1\2", 3) + text);
  for (const char* other : {"b", "c"}) {
    EXPECT_TRUE(contains(expect({"compare", "a", other, "--exit-code"}, 0).out, "0.0000"));
  }
}

TEST_F(Compare, PassagesAreCutAtTheRightBytes) {
  const std::string shared =
      "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x9A\x80 na\xC3\xAFve e\xCC\x81t\xC3\xA9 "
      "\xE6\xBC\xA2\xE5\xAD\x97\xE3\x81\xA8\xE4\xBB\xAE\xE5\x90\x8D one two three four five "
      "six seven eight nine ten";
  write("a",
        "\xF0\x9F\x98\x80\xF0\x9F\x98\x80 vor\xCC\x88"
        "an anders " +
            shared + " \xE2\x82\xAC Ende");
  write("b", "\xE4\xB8\xAD\xE6\x96\x87 different start \xF0\x9F\x8E\x89 " + shared);
  const auto result = json("a", "b");
  const auto passages = simdjson::dom::array(result["evidence"]["passages"]);
  ASSERT_GE(passages.size(), 1U);
  std::string all;
  for (const auto passage : passages) {
    const std::string in_a = cut(result["text_a"], passage["a"]);
    EXPECT_EQ(in_a, cut(result["text_b"], passage["b"]));
    all += in_a;
  }
  EXPECT_TRUE(contains(all, shared.substr(shared.find("na"), 60))) << all;
  EXPECT_FALSE(contains(all, "anders"));
}

TEST_F(Compare, FormatsAreComparedByTheirText) {
  write("plain.txt", text);
  write("page.html", "<html><body><script>not this</script><b>" + text + "</b></body></html>");
  write("letter.docx", docx_of(text));
  write("letter.rtf", rtf_of(text));
  write("letter.pdf", pdf_of(text));
  for (const char* other : {"page.html", "letter.docx", "letter.rtf", "letter.pdf"}) {
    EXPECT_EQ(double(json("plain.txt", other)["score"]), 1.0) << other;
  }
  const std::string html = expect({"compare", "plain.txt", "page.html", "--format", "html"}, 0).out;
  EXPECT_TRUE(contains(html, "<mark class=\"c0\""));
}

TEST_F(Compare, WhatIsNoFileIsAnErrorAndNeverAHang) {
  write("a", text);
  write("broken.pdf", "%PDF-1.4\nnonsense");
  std::filesystem::create_directory(folder.path() / "folder");
  ASSERT_EQ(mkfifo((folder.path() / "fifo").c_str(), 0600), 0);
  expect({"compare", "a", "missing"}, 2, {"missing"});
  expect({"compare", "a", "folder"}, 2, {"folder: not a regular file"});
  expect({"compare", "fifo", "a"}, 2, {"fifo"});
  expect({"compare", "a", "/dev/null"}, 2, {"/dev/null"});
  expect({"compare", "a", "broken.pdf"}, 2, {"broken.pdf: damaged PDF"});
  expect({"compare", "a"}, 2);
  expect({"compare", "a", "a", "-o", "a"}, 4, {"refused"});
}

TEST_F(Compare, NamesCannotSteerTheTerminal) {
  write("\x1b[31mred", text);
  const Outcome same = expect({"compare", "\x1b[31mred", "\x1b[31mred"}, 0);
  const Outcome missing = expect({"compare", "\x1b[31mred", "\x1b]0;title\x07"}, 2, {"\\x1b]0;"});
  EXPECT_FALSE(contains(same.out + missing.err, "\x1b"));
}

// What sketches say of two texts beside what is true of them.
class CompareSketch : public Compare {
 protected:
  void SetUp() override {
    write("a", text);
    write("b", with_change(text, 100));  // J = 191 / 201
    write("c", random_text(2, 200));
  }

  // The object "sketch", and beside it the exact score.
  simdjson::dom::element sketch(const std::string& other, const Words& options) {
    Words words = {"compare", "a", other, "--json"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = expect(words, 0);
    const auto result = parser_.parse(simdjson::padded_string(outcome.out));
    score_ = double(result["score"]);
    return result["sketch"];
  }

  double score_ = -1;
};

TEST_F(CompareSketch, IsShownOnlyIfAskedFor) {
  EXPECT_FALSE(contains(expect({"compare", "a", "b"}, 0).out, "sketch"));
  EXPECT_FALSE(contains(expect({"compare", "a", "b", "--json"}, 0).out, "sketch"));
  const Words lines = lines_of(expect({"compare", "a", "b", "--sketch", "minhash1:k=512"}, 0).out);
  ASSERT_EQ(lines.size(), 9U);
  EXPECT_EQ(lines[0], "similarity   0.9502");
  EXPECT_EQ(lines[5], "sketch       minhash1:k=512,seed=0");
  EXPECT_TRUE(lines[6].starts_with("estimate     0.9")) << lines[6];
  EXPECT_TRUE(contains(lines[6], " +- 0.0")) << lines[6];
  EXPECT_TRUE(contains(lines[6], " standard errors ")) << lines[6];
  EXPECT_EQ(lines[7], "filter       gs1:error=0.0001");
  EXPECT_EQ(lines[8], "verdict      accept after 128 of 512 components");
}

// STATISTICAL: every sketch is within four of the standard errors it states, for any seed.
TEST_F(CompareSketch, EstimatesAreAsFarFromTheTruthAsTheySay) {
  for (const char* spec : {"fss1:k=256", "minhash1:k=256", "oph1:k=64", "doph1:k=64", "hoph1:k=80",
                           "superminhash1:k=256", "lecture1:k=256", "dart1:k=256"}) {
    for (const char* seed : {"1", "2"}) {
      const auto said = sketch("b", {"--sketch", std::string(spec) + ",seed=" + seed});
      EXPECT_NEAR(score_, 191.0 / 201, 1e-6);
      const double error = said["standard_error"];
      EXPECT_GT(error, 0) << spec;
      EXPECT_LE(std::abs(double(said["estimate"]) - score_), 4 * error) << spec;
      EXPECT_TRUE(std::string_view(said["spec"]).starts_with(std::string(spec).substr(0, 4)));
    }
  }
}

TEST_F(CompareSketch, FiltersStopEarlyAndLeaveOpenWhatTheyCannotTell) {
  const auto decided = [&](const std::string& other, const Words& options, std::string_view verdict,
                           std::uint64_t read) {
    const auto said = sketch(other, options);
    EXPECT_EQ(std::string_view(said["verdict"]), verdict);
    EXPECT_EQ(std::uint64_t(said["components_read"]), read);
    return std::uint64_t(said["components"]);
  };
  EXPECT_EQ(decided("c", {"--sketch", "fss1:k=256"}, "reject", 64), 256U);
  EXPECT_EQ(decided("c", {"--filter", "hoph1", "--sketch", "fss1:k=256"}, "reject", 32), 256U);
  EXPECT_EQ(decided("a", {"--sketch", "fss1:k=256"}, "accept", 64), 256U);
  EXPECT_EQ(decided("a", {"--filter", "none"}, "verify", 128), 128U);
  EXPECT_EQ(decided("b", {"--sketch", "fss1:k=256", "--threshold", "0.95"}, "verify", 256), 256U);
}

TEST_F(CompareSketch, WhatIsNotGivenIsAsInARun) {
  EXPECT_EQ(std::string_view(sketch("b", {"--filter", "bayes1"})["spec"]), "fss1:k=128,seed=0");
  EXPECT_EQ(std::string_view(sketch("b", {"--filter", "bayes1"})["filter"]), "bayes1:error=0.0001");
  EXPECT_EQ(std::string_view(sketch("b", {"--sketch", "doph1:seed=4"})["spec"]),
            "doph1:k=128,seed=4");
  // Groups of equal size.
  EXPECT_EQ(std::uint64_t(sketch("b", {"--filter", "goph1"})["components"]), 130U);
  const auto low = sketch("b", {"--filter", "gs1", "--threshold", "0.3"});
  EXPECT_GT(std::uint64_t(low["components"]), 128U);
  EXPECT_EQ(std::string_view(sketch("b", {"--filter", "gs1", "--features", "tfidf"})["spec"]),
            "dart1:k=128,seed=0");
}

TEST_F(CompareSketch, WeightedSetsTakeWeightedSketches) {
  for (const char* spec : {"cws1:k=512", "icws1:k=512", "dart1:k=512"}) {
    const auto said = sketch("b", {"--features", "tfidf", "--sketch", spec});
    EXPECT_LT(score_, 1);
    EXPECT_LE(std::abs(double(said["estimate"]) - score_), 4 * double(said["standard_error"]));
  }
}

// What a run refuses is refused here in the same words, even if there is nothing to sketch.
TEST_F(CompareSketch, RefusesWhatARunRefuses) {
  write("tiny", "x");
  const std::vector<std::pair<Words, std::string>> bad = {
      {{"--features", "tfidf", "--sketch", "fss1:k=256"}, "sketches sets without weights"},
      {{"--sketch", "nonsense"}, "is not a sketch"},
      {{"--sketch", "fss1:k=0"}, "k is from 1"},
      {{"--filter", "nonsense"}, "is not a filter"},
      {{"--sketch", "fss1:k=128", "--filter", "goph1:groups=7"},
       "cannot be cut into 7 equal groups"},
      {{"--filter", "gs1", "--threshold", "0.0001"}, "it takes"}};
  for (const auto& [options, part] : bad) {
    Words compare = {"compare", "a", "tiny"};
    Words find = {"find", "."};
    compare.insert(compare.end(), options.begin(), options.end());
    find.insert(find.end(), options.begin(), options.end());
    const Outcome here = expect(compare, 2, {part});
    EXPECT_EQ(here.out, "");
    EXPECT_EQ(here.err, expect(find, 2, {part}).err);
  }
  expect({"compare", "a", "b", "--sketch", "fss1", "--format", "html"}, 2,
         {"--format text or json"});
}

// There is no index here, whose needs a run has.
TEST_F(CompareSketch, TakesSketchesOfAnySize) {
  for (const char* k : {"1", "10", "16384"}) {
    EXPECT_EQ(std::uint64_t(sketch("b", {"--sketch", std::string("fss1:k=") + k})["components"]),
              std::stoull(k));
  }
}

TEST_F(CompareSketch, TooLittleTextHasNoSketch) {
  write("tiny", "x");
  EXPECT_TRUE(sketch("tiny", {"--sketch", "fss1"}).is_null());
  EXPECT_TRUE(contains(expect({"compare", "a", "tiny", "--sketch", "fss1"}, 0).out,
                       "sketch       none: there is too little in one of the files\n"));
  const std::string same = expect({"compare", "a", "a", "--sketch", "fss1"}, 0).out;
  EXPECT_TRUE(contains(same, "estimate     1.0000 +- 0.0000, the exact value\n")) << same;
}

}  // namespace
}  // namespace twinsift::cli
