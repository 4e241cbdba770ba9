// SPDX-License-Identifier: Apache-2.0
// The collection as a user meets it: find a second time, index and query.
#include <fstream>

#include <simdjson.h>
#include <sys/stat.h>

#include "command.h"

namespace twinsift::cli {
namespace {

class Index : public CommandTest {
 protected:
  // A file is known only if it did not change just before it was seen.
  void settle() const { usleep(50'000); }

  [[nodiscard]] Words with_index(Words words) const {
    words.emplace_back("--index");
    words.emplace_back("c");
    return words;
  }

  // What find printed, and how many files it took from the collection.
  struct Found {
    std::string groups;
    std::uint64_t files = 0;
    std::uint64_t known = 0;
  };
  Found find(Words options = {}) {
    Words words = with_index({"find", "d", "--json"});
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = expect(words, 0);
    simdjson::dom::parser parser;
    const simdjson::dom::element report = parser.parse(simdjson::padded_string(outcome.out));
    Found found;
    found.groups = simdjson::minify(report["groups"]);
    for (const auto stage : report["stats"]["stages"]) {
      const std::string_view name = stage["name"];
      if (name == "walk") found.files = stage["items"];
      if (name == "recall") found.known = stage["items"];
    }
    return found;
  }

  void write_usual() const {
    write("d/a.txt", text + " and the longest of them");
    write("d/b.txt", text);
    write("d/sub/c.txt", with_change(text, 100));
    write("d/other.txt", random_text(2, 200));
    write("d/x.bin", std::string("\0\1\2", 3) + "bytes");
    write("d/sub/y.bin", std::string("\0\1\2", 3) + "bytes");
    settle();
  }

  const std::string text = random_text(1, 200);
};

TEST_F(Index, ASecondRunReadsNothingAndSaysTheSame) {
  write_usual();
  const Found first = find();
  EXPECT_EQ(first.known, 0U);
  const Found second = find();
  EXPECT_EQ(second.known, second.files);
  EXPECT_EQ(second.groups, first.groups);
  EXPECT_EQ(find({"--no-index"}).groups, first.groups);
}

TEST_F(Index, OnlyWhatHasChangedIsReadAgain) {
  write_usual();
  find();
  write("d/b.txt", random_text(9, 200));
  write("d/new.txt", with_change(text, 7));
  settle();
  const Found found = find();
  EXPECT_EQ(found.files, 7U);
  EXPECT_EQ(found.known, 5U);
  EXPECT_EQ(find({"--no-index"}).groups, found.groups);
}

// rsync and archives give files the time they had elsewhere.
TEST_F(Index, AChangeThatKeepsSizeAndTimeIsSeen) {
  write_usual();
  find();
  struct stat before {};
  const auto path = folder.path() / "d/other.txt";
  ASSERT_EQ(stat(path.c_str(), &before), 0);
  const std::string other =
      with_change(text, 3).substr(0, static_cast<std::size_t>(before.st_size));
  write("d/other.txt",
        other + std::string(static_cast<std::size_t>(before.st_size) - other.size(), ' '));
  const timespec times[2] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  settle();
  const Found found = find();
  EXPECT_EQ(found.known, 5U);
  EXPECT_TRUE(contains(found.groups, "other.txt")) << found.groups;
}

TEST_F(Index, ThresholdsChangeWithoutReading) {
  write_usual();
  find();
  const Found loose = find({"--threshold", "0.3"});
  EXPECT_EQ(loose.known, loose.files);
  EXPECT_EQ(find({"--no-index", "--threshold", "0.3"}).groups, loose.groups);
}

// Other features need other eyes: the files are as they were, but nobody has looked at them so.
TEST_F(Index, OtherFeaturesAreTakenFromTheFilesAgain) {
  write_usual();
  const Found words = find();
  const Found chars = find({"--features", "chars:5"});
  EXPECT_EQ(chars.groups, find({"--no-index", "--features", "chars:5"}).groups);
  EXPECT_NE(chars.groups, words.groups);
  EXPECT_EQ(find().groups, words.groups);
  EXPECT_EQ(find({"--features", "tfidf"}).groups,
            find({"--no-index", "--features", "tfidf"}).groups);
}

// What comes from the memory of a whole run must be that run's in every respect.
TEST_F(Index, ARememberedOutcomeIsThatOfTheSameQuestion) {
  write_usual();
  write("e/a.txt", text);
  write("e/z.txt", random_text(5, 200));
  settle();
  const auto check = [&](const Words& words) {
    const auto shown = [&](const Words& more) {
      Words all = words;
      all.insert(all.end(), more.begin(), more.end());
      const Outcome outcome = run(all);
      const std::size_t stats = outcome.out.find("\"stats\"");
      const std::size_t groups = outcome.out.find("\"groups\"");
      return outcome.out.substr(groups, stats - groups);
    };
    const std::string fresh = shown({"--no-index"});
    EXPECT_EQ(shown({"--index", "c"}), fresh);
    EXPECT_EQ(shown({"--index", "c"}), fresh);
    return fresh;
  };
  std::set<std::string> all;
  for (const Words& words :
       std::vector<Words>{{"find", "d", "e", "--json"},
                          {"find", "d", "e", "--json", "--cross"},
                          {"find", "d", "--ref", "e", "--json"},
                          {"find", "d", "--json"},
                          {"find", "./d", "--json"},
                          {"find", "d", "e", "--json", "--exact"},
                          {"find", "d", "e", "--json", "--threshold", "0.999"}}) {
    EXPECT_TRUE(all.insert(check(words)).second);
  }
  check({"find", "e", "d", "--json", "--no-folders"});
}

TEST_F(Index, WhatCouldNotBeDecodedIsToldEveryTimeAndTriedAgainIfAsked) {
  write("d/broken.pdf", "%PDF-1.7\nthis is no document");
  settle();
  const Words retry = with_index({"find", "d", "--retry-failed"});
  for (int i = 0; i < 3; ++i) expect(with_index({"find", "d"}), 3, {"broken.pdf: "});
  // It is tried indeed: without a decoder the reason is another.
  const std::map<std::string, std::string> none = {{"TWINSIFT_DECODER", "/nonexistent/decoder"}};
  expect(with_index({"find", "d"}), 3, {"damaged PDF"}, none);
  const Outcome tried = expect(retry, 3, {"broken.pdf: "}, none);
  EXPECT_FALSE(contains(tried.err, "damaged PDF")) << tried.err;
  expect(retry, 3, {"damaged PDF"});
}

TEST_F(Index, AMovedFileIsNotDecodedAgain) {
  write("d/broken.pdf", "%PDF-1.7\nthis is no document");
  settle();
  const Outcome first = expect(with_index({"find", "d"}), 3, {"broken.pdf: "});
  const std::string reason = first.err.substr(first.err.find("broken.pdf: ") + 12);
  std::filesystem::rename(folder.path() / "d/broken.pdf", folder.path() / "d/moved.pdf");
  settle();
  // Why it could not be decoded is known; there is not even a decoder that could be asked.
  expect(with_index({"find", "d"}), 3, {"moved.pdf: " + reason.substr(0, reason.find('\n'))},
         {{"TWINSIFT_DECODER", "/nonexistent/decoder"}});
}

TEST_F(Index, WhatIsGoneIsForgotten) {
  write_usual();
  find();
  std::filesystem::remove(folder.path() / "d/b.txt");
  find();
  const Outcome stat = expect(with_index({"index", "stat", "--json"}), 0);
  EXPECT_TRUE(contains(stat.out, "\"items\":5")) << stat.out;
}

// Also if the folder is empty now; but what was left out, or cannot be reached, is still there.
TEST_F(Index, OnlyWhatIsGoneIsForgotten) {
  const auto items = [&] {
    const std::string out = expect(with_index({"index", "stat", "--json"}), 0).out;
    return std::stoull(out.substr(out.find("\"items\":") + 8));
  };
  write_usual();
  write("d/.hidden.txt", random_text(5, 200));
  settle();
  const Words all = {"--hidden"};
  find(all);
  EXPECT_EQ(items(), 7U);
  for (const Words& less :
       {Words{}, Words{"--exclude", "*.txt"}, Words{"--exclude", "sub"}, Words{"--max-depth", "1"},
        Words{"--name", "nothing"}, Words{"--min-size", "1M"}, Words{"--max-size", "10"}}) {
    find(less);
    EXPECT_EQ(items(), 7U) << (less.empty() ? "hidden" : less[0]);
  }
  // A file that is named says nothing about its neighbours.
  std::filesystem::remove(folder.path() / "d/a.txt");
  expect(with_index({"find", "d/b.txt"}), 0);
  EXPECT_EQ(items(), 7U);
  // Nor does an argument that is not there.
  expect(with_index({"find", "nowhere", "d/b.txt"}), 3, {"nowhere"});
  EXPECT_EQ(items(), 7U);
  find(all);
  EXPECT_EQ(items(), 6U);
  // An empty folder, by whatever name, beside one that is not.
  std::filesystem::remove_all(folder.path() / "d/sub");
  write("other/e.txt", random_text(6, 200));
  std::filesystem::create_directory(folder.path() / "d/sub");
  expect(with_index({"find", "d/../d/sub/", "other"}), 0);
  EXPECT_EQ(items(), 5U);
  std::filesystem::rename(folder.path() / "d", folder.path() / "moved");
  expect(with_index({"find", "d", "other"}), 3);  // a disk that is not plugged in looks like this
  EXPECT_EQ(items(), 5U);
  std::filesystem::create_directory(folder.path() / "d");
  expect(with_index({"find", "d", "--exclude", "*.txt"}), 0);
  EXPECT_EQ(items(), 1U);
}

// Nobody may read the folder, so nobody knows what is in it.  Root may, and becomes somebody else.
TEST_F(Index, WhatCannotBeReadIsNotForgotten) {
  write_usual();
  find();
  constexpr uid_t kNobody = 65534;
  const bool root = geteuid() == 0;
  if (root) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
      ASSERT_EQ(chown(entry.path().c_str(), kNobody, kNobody), 0);
    }
    ASSERT_EQ(chown(folder.path().c_str(), kNobody, kNobody), 0);
  }
  ASSERT_EQ(chmod((folder / "d").c_str(), 0), 0);
  const auto become_nobody = [root] {
    if (root && setuid(kNobody) != 0) _exit(126);
  };
  const Outcome found =
      Program(folder, with_index({"find", "d"}), {.before = become_nobody}).wait();
  ASSERT_EQ(chmod((folder / "d").c_str(), 0755), 0);
  if (found.status >= 126) GTEST_SKIP() << "the program cannot be run as somebody else";
  EXPECT_EQ(found.status, 3) << found.err;
  EXPECT_TRUE(contains(found.err, "permission denied")) << found.err;
  EXPECT_FALSE(contains(found.err, "not be remembered")) << found.err;
  EXPECT_TRUE(contains(expect(with_index({"index", "stat", "--json"}), 0).out, "\"items\":6"));
}

TEST_F(Index, AQueryFindsFilesByTheirText) {
  write_usual();
  expect(with_index({"index", "add", "d"}), 0);
  write("question.txt", with_change(text, 50));
  const Outcome answer = expect(with_index({"query", "question.txt"}), 0);
  const Words lines = lines_of(answer.out);
  ASSERT_EQ(lines.size(), 3U) << answer.out;
  EXPECT_TRUE(contains(lines[0], "d/b.txt")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "d/sub/c.txt"));
  EXPECT_EQ(lines_of(expect(with_index({"query", "question.txt", "--limit", "1"}), 0).out).size(),
            1U);
  expect(with_index({"query", "question.txt", "--exit-code"}), 1);
  write("stranger.txt", random_text(77, 200));
  expect(with_index({"query", "stranger.txt", "--exit-code"}), 0, {"nothing in the collection"});
}

TEST_F(Index, ASignatureAsksWithoutTheItem) {
  write_usual();
  expect(with_index({"index", "add", "d"}), 0);
  const Outcome shown = expect(with_index({"query", "d/b.txt", "--show-signature"}), 0);
  const std::string signature = lines_of(shown.out).back().substr(11);
  ASSERT_TRUE(signature.starts_with("sig1;text1:words:5;fss1:")) << shown.out;
  const Outcome answer = expect(with_index({"query", "--signature", signature}), 0);
  const Words lines = lines_of(answer.out);
  ASSERT_EQ(lines.size(), 3U) << answer.out;
  EXPECT_TRUE(contains(lines[0], "1.0000")) << answer.out;
  EXPECT_TRUE(contains(lines[0], "d/b.txt")) << answer.out;
  EXPECT_TRUE(contains(lines[2], " +- ")) << answer.out;
  expect(with_index({"query", "--signature", signature.substr(0, signature.size() - 2)}), 2,
         {"too short"});
  expect(with_index({"query", "--signature", "sig9;" + signature}), 2, {"version"});
  expect(with_index({"query", "--signature", signature + ";00"}), 2, {"too many parts"});
  expect(with_index({"query", "--signature", "sig1;"}), 2, {"too few"});
}

TEST_F(Index, ACollectionCanHaveAnotherSketch) {
  write_usual();
  const auto sketch = [&] {
    const Outcome shown = expect(with_index({"query", "d/b.txt", "--show-signature"}), 0);
    EXPECT_EQ(lines_of(shown.out).size(), 4U) << shown.out;  // as ever
    return shown.out.substr(shown.out.find("fss1"), shown.out.rfind(';') - shown.out.find("fss1"));
  };
  expect(with_index({"index", "build", "d", "--sketch", "oph1"}), 2, {"a collection cannot use"});
  expect(with_index({"index", "build", "d", "--sketch", "nosuch1"}), 2, {"nosuch1"});
  EXPECT_FALSE(exists("c"));
  expect(with_index({"index", "build", "d", "--sketch", "fss1:k=1024"}), 0);
  const std::string large = sketch();
  EXPECT_TRUE(contains(large, "fss1:k=1024")) << large;
  write("e/e.txt", random_text(9, 200));
  expect(with_index({"index", "add", "e"}), 0);  // keeps what is there
  EXPECT_EQ(sketch(), large);
  expect(with_index({"index", "compact", "--sketch", "fss1:k=128"}), 0);
  EXPECT_TRUE(contains(sketch(), "fss1:k=128")) << sketch();
  expect(with_index({"index", "verify"}), 0);
}

TEST_F(Index, EqualBytesAreFoundWhateverTheyAre) {
  write_usual();
  expect(with_index({"index", "add", "d"}), 0);
  const Outcome answer = expect(with_index({"query", "d/x.bin"}), 0);
  EXPECT_EQ(lines_of(answer.out).size(), 2U) << answer.out;
  EXPECT_TRUE(contains(answer.out, "(identical)"));
  // Even if it has been the only one of its size.
  write("d/alone.bin", std::string("\0\1\2", 3) + "other bytes");
  expect(with_index({"index", "add", "d"}), 0);
  EXPECT_TRUE(contains(expect(with_index({"query", "d/alone.bin"}), 0).out, "(identical)"));
}

TEST_F(Index, AnEndlessQuestionIsRefused) {
  write_usual();
  expect(with_index({"index", "add", "d"}), 0);
  expect(with_index({"query", "/dev/zero"}), 2, {"/dev/zero: has more than 1.1 GB"});
}

TEST_F(Index, ACorpusIsIndexedDocumentByDocument) {
  std::string corpus;
  for (std::uint64_t i = 0; i < 50; ++i) {
    corpus += "{\"text\": \"" + random_text(100 + i, 60) + "\"}\n";
  }
  corpus += "not json\n";
  write("corpus.jsonl", corpus);
  settle();
  expect(with_index({"index", "add", "--corpus", "corpus.jsonl"}), 3, {"corpus.jsonl:51"});
  const Outcome again =
      expect(with_index({"index", "add", "--corpus", "corpus.jsonl", "--json"}), 0);
  EXPECT_TRUE(contains(again.out, "\"items\":50,\"known\":50")) << again.out;
  write("question.txt", random_text(117, 60));
  const Outcome answer = expect(with_index({"query", "question.txt"}), 0);
  EXPECT_TRUE(contains(answer.out, "corpus.jsonl:18")) << answer.out;
}

TEST_F(Index, RemovedPathsAreForgotten) {
  write_usual();
  expect(with_index({"index", "add", "d"}), 0);
  const Outcome removed = expect(with_index({"index", "remove", "d/sub"}), 0);
  EXPECT_EQ(removed.out, "2 items forgotten\n");
  const Outcome answer = expect(with_index({"query", "d/b.txt"}), 0);
  EXPECT_FALSE(contains(answer.out, "d/sub/c.txt")) << answer.out;
  expect(with_index({"index", "compact"}), 0);
  expect(with_index({"index", "verify"}), 0);
}

TEST_F(Index, WhatAPersonToldApartIsNotGroupedAgain) {
  write_usual();
  EXPECT_TRUE(contains(find().groups, "c.txt"));
  expect(with_index({"index", "mark", "d/a.txt", "d/sub/c.txt", "--as", "not-duplicate"}), 0);
  EXPECT_FALSE(contains(find().groups, "c.txt"));
  expect(with_index({"index", "mark", "d/a.txt", "d/sub/c.txt", "--as", "none"}), 0);
  EXPECT_TRUE(contains(find().groups, "c.txt"));
}

TEST_F(Index, ADamagedCollectionIsRefusedAndCanBeRepaired) {
  write_usual();
  const Found before = find();
  std::fstream manifest(folder.path() / "c/MANIFEST", std::ios::in | std::ios::out);
  manifest.seekp(30);
  manifest.put('~');
  manifest.close();
  expect(with_index({"find", "d"}), 6, {"index repair"});
  expect(with_index({"query", "d/a.txt"}), 6);
  expect(with_index({"index", "verify"}), 6);
  expect(with_index({"index", "repair"}), 0);
  const Found after = find();
  EXPECT_EQ(after.groups, before.groups);
  EXPECT_EQ(after.known, after.files);
}

TEST_F(Index, WrongUseIsExplained) {
  expect(with_index({"index", "polish"}), 2, {"polish"});
  expect(with_index({"index", "add"}), 2, {"needs a path"});
  expect(with_index({"index", "mark", "a"}), 2, {"two files"});
  expect({"index", "stat"}, 2, {"--index"});
  expect(with_index({"query"}), 2, {"ITEM"});
  write("a.txt", text);
  expect(with_index({"query", "a.txt"}), 2, {"no collection"});
  expect(with_index({"index", "build", "a.txt"}), 0);
  expect(with_index({"index", "build", "a.txt"}), 2, {"index add"});
}

}  // namespace
}  // namespace twinsift::cli
