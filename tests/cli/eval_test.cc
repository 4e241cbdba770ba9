// SPDX-License-Identifier: Apache-2.0
// twinsift eval.
#include <filesystem>

#include "command.h"

namespace twinsift::cli {
namespace {

class Eval : public CommandTest {
 protected:
  // Texts and edited copies of them, few enough for every paper to be done in seconds.
  void write_corpus(const std::string& name, std::size_t documents) const {
    std::string lines;
    for (std::size_t i = 0; i < documents; ++i) {
      const std::string text = random_text(i / 2, 80);
      lines += "{\"text\": \"" + (i % 2 == 0 ? text : with_change(text, i % 60)) + "\"}\n";
    }
    write(name, lines);
  }

  // Squares of random greys: full of corners.
  void write_picture(const std::string& name, std::uint64_t seed) const {
    constexpr std::size_t kSide = 96;
    constexpr std::size_t kSquare = 8;
    Rng rng(seed);
    std::string greys;
    for (std::size_t i = 0; i < kSide / kSquare * (kSide / kSquare); ++i) {
      greys += static_cast<char>(rng.below(256));
    }
    std::string bytes = "P5\n96 96\n255\n";
    for (std::size_t y = 0; y < kSide; ++y) {
      for (std::size_t x = 0; x < kSide; ++x) {
        bytes += greys[y / kSquare * (kSide / kSquare) + x / kSquare];
      }
    }
    write(name, bytes);
  }
};

TEST_F(Eval, UnknownPapersAreRefusedWithTheListOfTheKnown) {
  const Outcome outcome = expect({"eval", "paper", "999"}, 2, {"\"999\"", "000", "003"});
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(things(), 0);
  expect({"eval", "book", "000"}, 2, {"paper"});
  expect({"eval", "paper"}, 2);
}

TEST_F(Eval, Paper000WritesItsTablesAndOnePage) {
  write_corpus("docs.jsonl", 60);
  const Outcome outcome =
      expect({"eval", "paper", "000", "--quick", "--corpus", "docs.jsonl", "-o", "a/b"}, 0);
  EXPECT_TRUE(contains(outcome.out, "holds          Table 2")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "does not hold  Figures 1 and 2")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "a/b/index.html"));
  for (const char* id : {"table2", "examples", "fig4", "fig5_speed", "fig5_accuracy", "fig6",
                         "fig7", "sketching", "fig8", "fig9_speed", "fig9_accuracy", "fig10",
                         "fig11", "picture_sizes", "picture_weights"}) {
    const std::string table = read_file(folder.path() / "a/b" / (std::string(id) + ".tsv"));
    EXPECT_GE(lines_of(table).size(), 4U) << id;
    EXPECT_TRUE(contains(table, "\t")) << id;
  }
  const std::string page = read_file(folder.path() / "a/b/index.html");
  EXPECT_TRUE(contains(page, "60 documents of docs.jsonl"));
  EXPECT_EQ(count(page, "<svg"), 1U + 2 * (2 + 1 + 2 + 3 + 3));
  EXPECT_EQ(count(page, "<h2"), 15U);
}

TEST_F(Eval, Paper001RefusesBadVectorsInOneLine) {
  write("short.txt", "1 2\n3\n");
  write("nan.csv", "1,2\n3,nan\n");
  write("few.tsv", "1\t2\n");
  write("cut.fvecs", std::string("\2\0\0\0\0", 5));
  for (const auto& [name, message] : {std::pair{"short.txt", "line 2 has 1 numbers"},
                                      {"nan.csv", "line 2: \"nan\" is not a finite number"},
                                      {"few.tsv", "at least 20"},
                                      {"cut.fvecs", "cut off"},
                                      {"none.fvecs", "cannot read"}}) {
    const Outcome outcome =
        expect({"eval", "paper", "001", "--quick", "--vectors", name}, 2, {name, message});
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(lines_of(outcome.err).size(), 1U);
  }
  expect({"eval", "paper", "001", "--images", ".", "--vectors", "nan.csv"}, 2, {"give one"});
  expect({"eval", "paper", "001", "--images", "."}, 2, {"pictures"});
  expect({"eval", "paper", "001", "--sketch", "fss1"}, 2, {"001"});
  expect({"eval", "paper", "000", "--images", "."}, 2, {"0 pictures"});
  expect({"eval", "paper", "000", "--vectors", "nan.csv"}, 2, {"000", "--vectors"});
}

TEST_F(Eval, Paper000MeasuresOnPicturesOfAFolder) {
  write_corpus("docs.jsonl", 40);
  std::filesystem::create_directory(folder.path() / "pictures");
  for (std::uint64_t i = 0; i < 21; ++i) write_picture("pictures/" + std::to_string(i) + ".pgm", i);
  write("pictures/note.txt", "no picture");
  expect({"eval", "paper", "000", "--quick", "--corpus", "docs.jsonl", "--images", "pictures", "-o",
          "out"},
         0);
  const std::string page = read_file(folder.path() / "out/index.html");
  EXPECT_TRUE(contains(page, "visual words of 21 pictures")) << page.substr(0, 2000);
  EXPECT_TRUE(contains(page, "10 pictures, from all over, are the queries"));
  for (const char* id : {"fig8", "fig9_speed", "fig9_accuracy", "fig10", "fig11"}) {
    const std::string table = read_file(folder.path() / "out" / (std::string(id) + ".tsv"));
    EXPECT_GE(lines_of(table).size(), 9U) << id;
  }
  EXPECT_EQ(lines_of(read_file(folder.path() / "out/picture_sizes.tsv")).size(), 1U + 1 + 4 * 4);
}

TEST_F(Eval, SketchesAndFiltersCompeteWithThePapers) {
  write_corpus("docs.jsonl", 40);
  expect({"eval", "paper", "000", "--quick", "--corpus", "docs.jsonl", "-o", "out", "--sketch",
          "fss1:k=256", "--sketch", "oph1", "--filter", "gs1", "--filter", "none"},
         0);
  const std::string table = read_file(folder.path() / "out/fig5_speed.tsv");
  for (const char* name : {"fss1:k=256,seed=1, gs1:error=0.0001", "fss1:k=256,seed=1",
                           "oph1:k=1000,seed=1, gs1:error=0.0001", "oph1:k=1000,seed=1"}) {
    EXPECT_EQ(count(table, std::string("\n") + name + "\t"), 5U) << name;
    EXPECT_TRUE(contains(read_file(folder.path() / "out/index.html"), name)) << name;
  }
}

// The rows of a competitor in Fig. 6 of paper 000, one for each threshold.
class EvalCompetitor : public Eval {
 protected:
  Words rows(const Words& competitor, const std::string& name) {
    write_corpus("docs.jsonl", 24);
    Words words = {"eval", "paper", "000", "--quick", "--corpus", "docs.jsonl", "-o", "out"};
    words.insert(words.end(), competitor.begin(), competitor.end());
    expect(words, 0);
    Words found;
    for (const std::string& line : lines_of(read_file(folder.path() / "out/fig6.tsv"))) {
      if (line.starts_with(name + "\t")) found.push_back(line);
    }
    return found;
  }
};

TEST_F(EvalCompetitor, ASketchAloneIsComparedInFull) {
  const Words full = rows({"--sketch", "fss1:k=256"}, "fss1:k=256,seed=1");
  ASSERT_EQ(full.size(), 5U);
  for (const std::string& row : full) EXPECT_TRUE(contains(row, "\t256.0\t")) << row;
}

TEST_F(EvalCompetitor, AFilterAloneTakesThePlaceOfGoph) {
  EXPECT_EQ(rows({"--filter", "cws1"}, "doph1:k=1000,seed=1, cws1:error=0.0001").size(), 5U);
}

TEST_F(Eval, WhatCannotCompeteIsRefusedAndNothingIsWritten) {
  expect({"eval", "paper", "003", "--filter", "gs1"}, 2,
         {"paper 003 stops no comparison early: leave out --filter"});
  expect({"eval", "paper", "003", "--sketch", "nonsense"}, 2,
         {"\"nonsense:k=16\" is not a sketch"});
  expect({"eval", "paper", "002", "--sketch", "fss1"}, 2,
         {"fss1:k=1024,seed=1 sketches sets without weights: use dart1, icws1 or cws1"});
  expect({"eval", "paper", "002", "--filter", "goph1:groups=7"}, 2, {"7 equal groups"});
  expect({"eval", "paper", "000", "--filter", "nonsense"}, 2, {"\"nonsense\" is not a filter"});
  expect({"eval", "paper", "000", "--sketch", "fss1:k=9999"}, 2, {"k is at most 2048 here"});
  EXPECT_EQ(things(), 0);
}

TEST_F(Eval, TheHelpNamesEveryPaper) {
  const std::string help = expect({"eval", "--help"}, 0).out;
  for (const char* paper : {"000", "002", "003", "004"}) EXPECT_TRUE(contains(help, paper)) << help;
}

TEST_F(Eval, TheFolderIsNamedAfterThePaper) {
  write_corpus("docs.jsonl", 24);
  expect({"eval", "paper", "000", "--quick", "--corpus", "docs.jsonl"}, 0);
  EXPECT_TRUE(exists("eval-000/index.html"));
}

TEST_F(Eval, BadCorporaLeaveNothingBehind) {
  write_corpus("few.jsonl", 5);
  expect({"eval", "paper", "000", "--corpus", "few.jsonl"}, 2, {"few.jsonl", "5 documents", "20"});
  expect({"eval", "paper", "000", "--corpus", "missing.jsonl"}, 2, {"missing.jsonl"});
  EXPECT_EQ(things(), 1);
}

TEST_F(Eval, AFolderThatCannotBeMadeIsAnError) {
  write_corpus("docs.jsonl", 24);
  write("taken", "a file");
  expect({"eval", "paper", "000", "--quick", "--corpus", "docs.jsonl", "-o", "taken/x"}, 2,
         {"taken/x"});
}

}  // namespace
}  // namespace twinsift::cli
