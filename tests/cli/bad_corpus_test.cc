// SPDX-License-Identifier: Apache-2.0
// Corpora that are broken, and options that are wrong.
#include <simdjson.h>
#include <sys/stat.h>

#include "command.h"
#include "documents.h"

namespace twinsift::cli {
namespace {

class BadCorpus : public CommandTest {
 protected:
  // A good line, the bad one, another good line: the good ones must stay.
  void expect_malformed(const std::string& line, const std::string& reason) const {
    write("in", good1 + line + "\n" + good2);
    const Outcome outcome = expect({"dedup", "in", "-o", "out"}, 3,
                                   {"twinsift: skipped in:2: malformed: " + reason + "\n",
                                    "twinsift: 1 line could not be read\n"});
    EXPECT_EQ(folder.read("out"), good1 + good2);
  }

  // A line that is repaired for the comparison and written as it is.
  void expect_repaired(const std::string& line) const {
    write("in", good1 + line + "\n" + good2);
    expect({"dedup", "in", "-o", "out"}, 0, {"1 line held invalid UTF-8"});
    EXPECT_EQ(folder.read("out"), good1 + line + "\n" + good2);
  }

  const std::string text = random_text(1, 100);
  const std::string good1 = R"({"text":")" + text + "\"}\n";
  const std::string good2 = R"({"text":")" + random_text(2, 100) + "\"}\n";
};

TEST_F(BadCorpus, MalformedLinesAreCountedListedAndPassedOver) {
  expect_malformed("nonsense", "not valid JSON");
  expect_malformed(R"({"text":1})", "field \"text\" is not a string");
  expect_malformed(R"({"other":"x"})", "no field \"text\"");
  expect_malformed(R"({"text":"x)", "a string is not closed");
  expect_malformed(R"(["text"])", "not a JSON object");
  expect_malformed(std::string(R"({"text":"a)") + '\0' + "b\"}", "control character in a string");
  expect_malformed(R"({"text":)" + std::string(100'000, '['), "not valid JSON");
  expect_malformed(
      R"({"text":"x","deep":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}",
      "nested too deeply");
}

TEST_F(BadCorpus, InvalidUtf8AndLoneSurrogatesAreRepairedForComparisonOnly) {
  expect_repaired("{\"text\":\"" + random_text(3, 50) + " \xFF\xC0\xAF\"}");
  expect_repaired(R"({"text":"lone \ud800 surrogate )" + random_text(4, 50) + "\"}");
}

TEST_F(BadCorpus, OneLongLineIsADocumentAsAnyOther) {
  const std::string words = random_text(9, 1'500'000);
  ASSERT_GT(words.size(), 9'000'000U);
  const std::string line = R"({"text":")" + words + "\"}\n";
  write("in", good1 + line + good2 + line);
  expect({"dedup", "in", "-o", "out"}, 0);
  EXPECT_EQ(folder.read("out"), good1 + line + good2);
}

TEST_F(BadCorpus, WhatComesBeforeTheDamageIsUsed) {
  std::string corpus;
  for (std::uint64_t i = 0; i < 5000; ++i) corpus += R"({"text":")" + random_text(i, 60) + "\"}\n";
  const std::string zst = zstd_of(corpus);
  const std::string gz = gzipped(corpus);
  for (const std::string& whole : {zst, gz}) {
    write("in", whole.substr(0, whole.size() * 3 / 4));
    expect({"dedup", "in", "-o", "out"}, 3, {"skipped in: damaged: in: the compressed data end"});
    const std::string out = folder.read("out");
    EXPECT_GT(out.size(), corpus.size() / 3);
    EXPECT_EQ(out, corpus.substr(0, out.size()));
    EXPECT_TRUE(out.ends_with("\"}\n"));
  }
  std::string flipped = gz;
  flipped[flipped.size() / 2] = static_cast<char>(~flipped[flipped.size() / 2]);
  write("in", flipped);
  expect({"dedup", "in", "-o", "out"}, 3, {"the gzip data are damaged"});
}

TEST_F(BadCorpus, NothingToReadIsNoError) {
  write("in", "");
  write("blank", "\n\n  \n");
  for (const char* name : {"in", "blank", "/dev/null"}) {
    expect({"dedup", name, "-o", "out"}, 0, {"0 documents"});
    EXPECT_EQ(folder.read("out"), "");
  }
}

TEST_F(BadCorpus, AnInputThatCannotBeReadStopsTheRun) {
  write("in", good1);
  write("old", "old");
  std::filesystem::create_directory(folder.path() / "folder");
  expect({"dedup", "in", "missing", "-o", "old"}, 2, {"missing: no such file"});
  expect({"dedup", "in", "folder", "-o", "old"}, 2, {"folder: is a directory"});
  expect({"dedup", "in", "--against", "missing", "-o", "old"}, 2, {"missing: no such file"});
  write("prose", "this is neither\nJSON nor a table\n");
  expect({"dedup", "prose", "-o", "old"}, 2, {"looks neither like JSONL"});
  EXPECT_EQ(folder.read("old"), "old");
}

TEST_F(BadCorpus, WrongOptionsAreNamed) {
  write("in", good1);
  const auto wrong = [&](const Words& more, const Words& parts) {
    Words words = {"dedup", "in", "-o", "out"};
    words.insert(words.end(), more.begin(), more.end());
    expect(words, 2, parts);
    EXPECT_FALSE(exists("out"));
  };
  wrong({"--thresold", "0.5"}, {"--thresold", "--threshold"});
  wrong({"--threshold", "nan"}, {"--threshold"});
  wrong({"--threshold", "1.5"}, {"threshold"});
  wrong({"--recall", "1"}, {"recall"});
  wrong({"--features", "words:0"}, {"words:0"});
  wrong({"--features", "words:x"}, {"words:x"});
  wrong({"--sketch", "nonsense"}, {"nonsense"});
  wrong({"--sketch", "fss1:k=0"}, {"k"});
  wrong({"--memory", "many"}, {"--memory"});
  wrong({"--threads", "-1"}, {"--threads"});
  wrong({"--keep", "last"}, {"first"});
  wrong({"--text-field", "/a~2"}, {"/a~2"});
  wrong({"--temp-dir", "missing", "--memory", "1"}, {"missing"});
}

}  // namespace
}  // namespace twinsift::cli
