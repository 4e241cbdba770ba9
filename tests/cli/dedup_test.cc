// SPDX-License-Identifier: Apache-2.0
// twinsift dedup on corpora that the tests make.
#include <algorithm>
#include <set>
#include <tuple>

#include <simdjson.h>
#include <sys/stat.h>

#include "command.h"
#include "documents.h"

namespace twinsift::cli {
namespace {

std::string json_line(std::uint64_t id, const std::string& text) {
  return R"({"id":)" + std::to_string(id) + R"(,"text":")" + text + "\"}\n";
}

// `groups` texts of `words` words; every third has a near-duplicate and every fifth a copy.
std::string make_corpus(std::uint64_t groups, std::size_t words) {
  std::string corpus;
  std::uint64_t id = 0;
  for (std::uint64_t g = 0; g < groups; ++g) {
    const std::string text = random_text(g + 1, words);
    corpus += json_line(id++, text);
    if (g % 3 == 0) corpus += json_line(id++, with_change(text, g % words));
    if (g % 5 == 0) corpus += json_line(id++, text);
  }
  return corpus;
}

double jaccard(const std::string& a, const std::string& b, std::size_t k) {
  const auto runs_of = [&](const std::string& text) {
    std::vector<std::string> words;
    std::istringstream in(text);
    for (std::string word; in >> word;) words.push_back(word);
    std::set<std::vector<std::string>> runs;
    for (std::size_t i = 0; i + k <= words.size(); ++i) {
      runs.emplace(words.begin() + static_cast<std::ptrdiff_t>(i),
                   words.begin() + static_cast<std::ptrdiff_t>(i + k));
    }
    return runs;
  };
  const auto set_a = runs_of(a);
  const auto set_b = runs_of(b);
  std::size_t shared = 0;
  for (const auto& run : set_a) shared += set_b.count(run);
  return static_cast<double>(shared) / static_cast<double>(set_a.size() + set_b.size() - shared);
}

class Dedup : public CommandTest {
 protected:
  // What a run writes with -o out.
  [[nodiscard]] std::string deduped(Words words, int status = 0) const {
    words.insert(words.begin(), "dedup");
    words.insert(words.end(), {"-o", "out"});
    expect(words, status);
    return folder.read("out");
  }

  std::uint64_t figure(const Outcome& outcome, std::string_view name) {
    return parser_.parse(simdjson::padded_string(outcome.out))[name];
  }

  const std::string a = random_text(1, 100);
  const std::string b = random_text(2, 100);
  const std::string a2 = with_change(a, 50) + " and some more";
  // Lines as somebody might have written them: bytes must not change.
  const std::string line_a = "{ \"text\" : \"" + a + "\" , \"id\":\"x\\u0041\" }\r\n";
  const std::string line_b = R"({"id": "b", "text": ")" + b + "\"}\n";
  const std::string line_a2 = R"({"text": ")" + a2 + R"(", "id": -0})";
  simdjson::dom::parser parser_;
};

TEST_F(Dedup, KeptLinesStayInOrderAndKeepTheirBytes) {
  write("in", line_a + "\n" + line_b + line_a2);
  EXPECT_EQ(deduped({"in"}), line_a + line_b);
  EXPECT_EQ(deduped({"in", "--keep", "longest"}), line_b + line_a2 + "\n");
  EXPECT_EQ(deduped({"in", "--drop", "all"}), line_b);
  EXPECT_EQ(deduped({"in", "--threshold", "0.99"}), line_a + line_b + line_a2 + "\n");
}

TEST_F(Dedup, CompressionGoesInAndOutAndMakesNoDifference) {
  const std::string corpus = line_a + line_b + line_a2 + "\n";
  write("in", corpus);
  write("in.gz", gzipped(corpus));
  write("in.zst", zstd_of(corpus));
  write("two.gz", gzipped(line_a) + gzipped(line_b + line_a2));
  for (const char* input : {"in", "in.gz", "in.zst", "two.gz"}) {
    EXPECT_EQ(deduped({input}), line_a + line_b) << input;
  }
  for (const std::string name : {"out.gz", "out.zst"}) {
    expect({"dedup", "in", "-o", name}, 0);
    expect({"dedup", name, "-o", "again"}, 0);
    EXPECT_NE(folder.read(name).substr(0, 1), "{");
    EXPECT_EQ(folder.read("again"), line_a + line_b) << name;
  }
}

TEST_F(Dedup, SeveralInputsAreReadAsOne) {
  write("1", line_a + line_b);
  write("2", line_b + line_a2 + "\n");
  EXPECT_EQ(deduped({"1", "2", "--clusters", "c", "--pairs", "p"}), line_a + line_b);
  EXPECT_EQ(
      folder.read("c"),
      "{\"id\":0,\"cluster\":0,\"keeper\":true}\n{\"id\":1,\"cluster\":1,\"keeper\":true}\n"
      "{\"id\":2,\"cluster\":1,\"keeper\":false}\n{\"id\":3,\"cluster\":0,\"keeper\":false}\n");
  const Words pairs = lines_of(folder.read("p"));
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].substr(0, 22), R"({"a":0,"b":3,"score":0)");
  EXPECT_EQ(pairs[1], R"({"a":1,"b":2,"score":1.000000})");
}

TEST_F(Dedup, PipesWorkOnBothSides) {
  write("in", line_a + line_b + line_a2);
  const int in = open((folder.path() / "in").c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(Program(folder, {"dedup", "-", "-o", "-"}, {.input = in}).wait().out, line_a + line_b);
  close(in);
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ASSERT_GT(::write(ends[1], line_a.data(), line_a.size()), 0);
  close(ends[1]);
  EXPECT_EQ(Program(folder, {"dedup", "-", "-o", "-"}, {.input = ends[0]}).wait().out, line_a);
  close(ends[0]);
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  const Outcome closed = Program(folder, {"dedup", "in", "-o", "-"}, {.output = ends[1]}).wait();
  close(ends[1]);
  EXPECT_EQ(closed.status, 0) << closed.err;
  EXPECT_EQ(closed.err, "");
}

TEST_F(Dedup, FieldsHaveNames) {
  write("in", R"({"doc":{"body":")" + a + R"("},"key":"ka"})" + "\n" + R"({"doc":{"body":")" + a +
                  R"("},"key":17})" + "\n" + R"({"doc":{"body":")" + a + R"("},"key":1e3})" + "\n");
  expect({"dedup", "in", "--text-field", "doc.body", "--id-field", "key", "--clusters", "-"}, 0);
  EXPECT_EQ(
      run({"dedup", "in", "--text-field", "doc.body", "--id-field", "key", "--clusters", "-"}).out,
      "{\"id\":\"ka\",\"cluster\":\"ka\",\"keeper\":true}\n"
      "{\"id\":17,\"cluster\":\"ka\",\"keeper\":false}\n"
      "{\"id\":1e3,\"cluster\":\"ka\",\"keeper\":false}\n");
  expect({"dedup", "in", "-o", "out"}, 3, {"skipped in:1: malformed: no field \"text\""});
}

TEST_F(Dedup, CsvKeepsItsHeaderOnce) {
  const std::string row_a = "1,\"" + a + "\n\"\"quoted\"\"\"\r\n";
  const std::string row_b = "2," + b + "\r\n";
  write("1.csv", "id,text\r\n" + row_a + row_b);
  write("2.csv", "id,text\r\n" + row_b + row_a);
  EXPECT_EQ(deduped({"1.csv", "2.csv"}), "id,text\r\n" + row_a + row_b);
  write("3.csv", "number,text\r\n" + row_a);
  expect({"dedup", "1.csv", "3.csv", "-o", "out"}, 2, {"different columns"});
}

TEST_F(Dedup, AgainstDropsWhatAnotherCorpusHas) {
  write("train", line_a + line_b + line_b);
  write("test", line_a2 + "\n");
  EXPECT_EQ(deduped({"train", "--against", "test"}), line_b + line_b)
      << "against a corpus, and nothing else";
  EXPECT_EQ(folder.read("test"), line_a2 + "\n");
}

TEST_F(Dedup, FeaturesDecideWhatIsAlike) {
  write("in", json_line(0, "The cats are running to the house of my old friends today again") +
                  json_line(1, "The cat runs to the houses of my older friend today again"));
  EXPECT_EQ(lines_of(deduped({"in", "--features", "words:3"})).size(), 2U);
  EXPECT_EQ(lines_of(deduped({"in", "--features", "chars:9"})).size(), 2U);
  EXPECT_EQ(lines_of(deduped({"in", "--features", "terms", "--threshold", "0.7"})).size(), 1U);
  write("in", line_a + line_a2);
  for (const char* spec : {"words:3", "chars:9", "terms"}) {
    EXPECT_EQ(deduped({"in", "--features", spec}), line_a) << spec;
  }
}

TEST_F(Dedup, EveryPairIsListedWithItsExactSimilarity) {
  std::vector<std::string> texts;
  std::string corpus;
  for (std::uint64_t i = 0; i < 120; ++i) {
    std::string text = random_text(i / 6 + 1, 40);
    for (std::uint64_t j = 0; j < i % 6; ++j) text = with_change(text, 6 * j + i % 5);
    corpus += json_line(i, text);
    texts.push_back(std::move(text));
  }
  write("in", corpus);
  std::string expected;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      const double score = jaccard(texts[i], texts[j], 3);
      char line[80];
      std::snprintf(line, sizeof line, "{\"a\":%zu,\"b\":%zu,\"score\":%.6f}\n", i, j, score);
      if (score >= 0.6) expected += line;
    }
  }
  EXPECT_GT(lines_of(expected).size(), 50U);
  EXPECT_EQ(run({"dedup", "in", "--features", "words:3", "--threshold", "0.6", "--pairs", "-"}).out,
            expected);
}

TEST_F(Dedup, GroupsDoNotChain) {
  // Each text is like its neighbours, but the ends are not like each other.
  std::vector<std::string> texts = {random_text(7, 60)};
  for (std::size_t i = 1; i < 8; ++i) texts.push_back(with_change(texts.back(), 7 * i));
  std::string corpus;
  for (std::size_t i = 0; i < texts.size(); ++i) corpus += json_line(i, texts[i]);
  write("in", corpus);
  ASSERT_LT(jaccard(texts.front(), texts.back(), 5), 0.7);
  const Words clusters =
      lines_of(expect({"dedup", "in", "--threshold", "0.8", "--clusters", "-"}, 0).out);
  ASSERT_EQ(clusters.size(), texts.size());
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const auto line = parser_.parse(simdjson::padded_string(clusters[i]));
    const auto keeper = std::size_t(std::uint64_t(line["cluster"]));
    EXPECT_EQ(bool(line["keeper"]), keeper == i);
    EXPECT_GE(jaccard(texts[i], texts[keeper], 5), 0.8) << i;
    dropped += keeper == i ? 0U : 1U;
  }
  EXPECT_GE(dropped, 2U);
}

TEST_F(Dedup, AParagraphThatComesAgainAndAgainTakesLinearTime) {
  std::string corpus;
  for (std::uint64_t i = 0; i < 20000; ++i) corpus += json_line(i, a);
  for (std::uint64_t i = 0; i < 100; ++i) corpus += json_line(i, with_change(a, i));
  write("in", corpus);
  const Outcome outcome = expect({"dedup", "in", "-o", "out", "--json"}, 0);
  EXPECT_LT(outcome.processor_time, std::chrono::seconds(20));
  EXPECT_EQ(figure(outcome, "kept"), 1U);
  EXPECT_EQ(figure(outcome, "dropped"), 20099U);
  EXPECT_EQ(folder.read("out"), json_line(0, a));
}

TEST_F(Dedup, NeitherThreadsNorMemoryChangeTheResult) {
  write("in", make_corpus(16000, 200));  // 30 MB
  const auto all = [&](const Words& more) {
    Words words = {"dedup", "in",         "-o",       "out",   "--pairs",
                   "pairs", "--clusters", "clusters", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = expect(words, 0);
    const std::uint64_t rss = figure(outcome, "peak_rss");
    return std::pair(folder.read("out") + folder.read("pairs") + folder.read("clusters"), rss);
  };
  const auto [usual, usual_rss] = all({"--threads", "2"});
  const auto [small, small_rss] = all({"--threads", "1", "--memory", "16M"});
  EXPECT_TRUE(small == usual);
  EXPECT_TRUE(all({"--threads", "5", "--memory", "16M"}).first == usual);
  EXPECT_LT(small_rss, usual_rss);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they need memory themselves
  EXPECT_LT(small_rss, std::uint64_t{80} << 20U);
#endif
}

TEST_F(Dedup, WeightedTermsGiveTheSameForAnyThreadsAndMemory) {
  write("in", make_corpus(500, 120));
  const std::string usual = deduped({"in", "--features", "tfidf", "--threads", "1"});
  EXPECT_EQ(std::ranges::count(usual, '\n'), 500);
  EXPECT_EQ(deduped({"in", "--features", "tfidf", "--threads", "3", "--memory", "16M"}), usual);
  EXPECT_EQ(deduped({"in", "--features", "tfidf", "--sketch", "icws1:k=128"}), usual);
  const Outcome outcome = expect({"dedup", "in", "-o", "out", "--features", "tfidf", "--json"}, 0);
  EXPECT_TRUE(contains(outcome.out, "\"idf1:smooth,documents="));
  expect({"dedup", "in", "-o", "out", "--features", "tfidf", "--sketch", "fss1"}, 2, {"dart1"});
}

// Whatever the sketch and the filter, what is reported was verified; copies are always found.
TEST_F(Dedup, AnySketchAndAnyFilterCanBeChosen) {
  write("in", make_corpus(3000, 120));  // too large for the exact join
  for (const char* sketch : {"minhash1", "oph1", "doph1", "hoph1:ratio=2:1,groups=4,k=256",
                             "superminhash1", "dart1", "fss1:k=192,seed=9"}) {
    const std::string kept = deduped({"in", "--sketch", sketch});
    EXPECT_EQ(std::ranges::count(kept, '\n'), 3000) << sketch;
  }
  for (const char* sketch : {"oph1", "doph1", "hoph1"}) {
    const Outcome outcome = expect({"dedup", "in", "-o", "out", "--json", "--sketch", sketch}, 0);
    EXPECT_TRUE(contains(outcome.out, "that is no promise")) << sketch;
  }
  for (const char* sketch : {"fss1", "minhash1", "dart1"}) {
    const Outcome outcome = expect({"dedup", "in", "-o", "out", "--json", "--sketch", sketch}, 0);
    EXPECT_FALSE(contains(outcome.out, "no promise")) << sketch;
  }
  for (const char* filter : {"gs1", "bayes1", "none"}) {
    const std::string kept = deduped({"in", "--filter", filter});
    EXPECT_EQ(std::ranges::count(kept, '\n'), 3000) << filter;
  }
  for (const char* filter : {"gs1:full", "goph1", "hoph1", "hoph1:ratio=1:2,groups=4", "cws1"}) {
    const std::string kept = deduped({"in", "--filter", filter});
    EXPECT_GE(std::ranges::count(kept, '\n'), 3000) << filter;
    EXPECT_LE(std::ranges::count(kept, '\n'), 4000) << filter;
  }
  expect({"dedup", "in", "-o", "out", "--filter", "sieve"}, 2, {"sieve", "gs1"});
  expect({"dedup", "in", "-o", "out", "--sketch", "oph1:k=0"}, 2, {"oph1"});
}

// Exact joins give the same, whatever the memory; sketches do on this corpus.
TEST_F(Dedup, CandidatesCanBeFoundInAnyWay) {
  for (const std::uint64_t groups : {300U, 3000U}) {  // features are stored; too large for that
    write("in", make_corpus(groups, 120));
    const auto all = [&](const Words& more) {
      Words words = {"dedup", "in",         "-o",       "out",   "--pairs",
                     "pairs", "--clusters", "clusters", "--json"};
      words.insert(words.end(), more.begin(), more.end());
      const Outcome outcome = expect(words, 0);
      return std::pair(folder.read("out") + folder.read("pairs") + folder.read("clusters"),
                       outcome.out);
    };
    const auto [exact, exact_summary] = all({"--candidates", "prefix1"});
    EXPECT_TRUE(contains(exact_summary, "exact prefix join, P(found at 0.80) = 1"));
    EXPECT_TRUE(all({"--candidates", "auto"}).first == exact);
    const auto [banding, banding_summary] = all({"--candidates", "banding1"});
    EXPECT_TRUE(banding == exact);
    EXPECT_TRUE(contains(banding_summary, "\"banding1:b="));
    const auto [merged, summary] = all({"--candidates", "sortmerge1"});
    EXPECT_TRUE(merged == exact);
    EXPECT_TRUE(contains(summary, groups == 300 ? "exact sort-merge join, P(found at 0.80) = 1"
                                                : "sort-merge of components, P(found at 0.80) >="));
    EXPECT_TRUE(contains(summary, "\"sortmerge1:max=1000\""));
    EXPECT_TRUE(contains(summary, "\"values_left_out\":0"));
    for (const char* threads : {"1", "2"}) {
      EXPECT_TRUE(all({"--candidates", "sortmerge1", "--threads", threads, "--memory", "16M",
                       "--temp-dir", "."})
                      .first == exact);
    }
  }
}

TEST_F(Dedup, SortMergeTakesWeightsReferencesAndSaysWhatItLeftOut) {
  write("in", make_corpus(300, 120));
  const Words weighted = {"in", "--features", "tfidf", "--filter", "none"};
  const auto with = [](Words words, const char* spec) {
    words.insert(words.end(), {"--candidates", spec});
    return words;
  };
  EXPECT_EQ(deduped(with(weighted, "sortmerge1")), deduped(with(weighted, "banding1")));
  write("against", make_corpus(100, 120));
  const Words against = {"in", "--against", "against"};
  EXPECT_EQ(deduped(with(against, "sortmerge1")), deduped(with(against, "prefix1")));
  const Outcome told =
      expect({"dedup", "in", "-o", "out", "-v", "--candidates", "sortmerge1:max=10"}, 0);
  EXPECT_TRUE(contains(told.err, "values_left_out")) << told.err;
  EXPECT_TRUE(contains(told.err, "sharing_pairs")) << told.err;
  // Eleven texts that differ in one word share more than ten documents may.
  std::string crowd;
  for (std::uint64_t i = 0; i < 11; ++i) crowd += json_line(i, a + " x" + std::to_string(i));
  write("crowd", crowd);
  EXPECT_EQ(lines_of(deduped({"crowd", "--candidates", "sortmerge1"})).size(), 1U);
  const Outcome lost =
      expect({"dedup", "crowd", "-o", "out", "-v", "--candidates", "sortmerge1:max=10"}, 0);
  EXPECT_EQ(folder.read("out"), crowd);
  EXPECT_TRUE(contains(lost.err, "but for 11 documents")) << lost.err;
  EXPECT_TRUE(contains(lost.err, "for these the recall is not promised: 0 1 2")) << lost.err;
}

TEST_F(Dedup, WaysToFindCandidatesThatCannotBeAreRefused) {
  write("in", line_a);
  const auto refused = [&](const Words& more, const std::string& message) {
    Words words = {"dedup", "in", "-o", "out"};
    words.insert(words.end(), more.begin(), more.end());
    expect(words, 2, {message});
  };
  refused({"--candidates", "sieve"}, "try auto, banding1, prefix1 or sortmerge1");
  refused({"--candidates", "sortmerge1:max=1"}, "max=N, from 10 to 1000000");
  refused({"--candidates", "prefix1", "--features", "tfidf"},
          "prefix1 compares sets without weights");
  refused({"--candidates", "sortmerge1", "--threshold", "0.01", "--sketch", "fss1:k=64"},
          "sortmerge1 with 64 components");
}

TEST_F(Dedup, NothingIsWrittenIfControlCStopsTheRun) {
  ASSERT_EQ(mkfifo((folder.path() / "fifo").c_str(), 0600), 0);
  const Program program(folder, {"dedup", "fifo", "-o", "out", "--temp-dir", "."});
  const int fifo = open((folder.path() / "fifo").c_str(), O_WRONLY | O_CLOEXEC);
  // More than the pipe holds: once it is written, the program reads, and it never ends.
  const std::string corpus = make_corpus(400, 200);
  ASSERT_EQ(::write(fifo, corpus.data(), corpus.size()), static_cast<ssize_t>(corpus.size()));
  kill(program.id(), SIGINT);
  const Outcome outcome = program.wait();
  close(fifo);
  EXPECT_EQ(outcome.status, 130);
  EXPECT_EQ(outcome.err, "twinsift: interrupted; nothing was changed\n");
  EXPECT_EQ(things(), 1) << "the FIFO";
}

TEST_F(Dedup, AnInputOrAnotherOutputIsNeverOverwritten) {
  write("in", line_a);
  std::filesystem::create_hard_link(folder.path() / "in", folder.path() / "link");
  expect({"dedup", "in", "-o", "in"}, 4, {"refused"});
  expect({"dedup", "in", "-o", "out", "--clusters", "link"}, 4, {"refused"});
  expect({"dedup", "in", "-o", "out", "--pairs", "./out"}, 2, {"different files"});
  expect({"dedup", "in"}, 2, {"-o OUT"});
  EXPECT_EQ(folder.read("in"), line_a);
  EXPECT_FALSE(exists("out"));
}

}  // namespace
}  // namespace twinsift::cli
