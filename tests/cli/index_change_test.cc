// SPDX-License-Identifier: Apache-2.0
// What has changed since the collection saw it: answers are those of somebody without one.
#include <fstream>

#include <simdjson.h>
#include <sys/stat.h>

#include "command.h"
#include "documents.h"

namespace twinsift::cli {
namespace {

namespace fs = std::filesystem;

class IndexChange : public CommandTest {
 protected:
  // A file is known only if it did not change just before it was seen.
  static void settle() { usleep(50'000); }

  static std::string groups_of(const Outcome& outcome) {
    simdjson::dom::parser parser;
    const simdjson::dom::element report = parser.parse(simdjson::padded_string(outcome.out));
    return simdjson::minify(report["groups"]);
  }
  std::string groups(const Words& options = {}, const Variables& variables = {}) const {
    Words words = {"find", "d", "--json", "--index", "c"};
    words.insert(words.end(), options.begin(), options.end());
    return groups_of(run(words, variables));
  }
  void expect_same_as_without() const { EXPECT_EQ(groups(), groups({"--no-index"})); }

  [[nodiscard]] std::string places_of(const std::string& item, const Words& options = {}) const {
    write("question.txt", item);
    Words words = {"query", "question.txt", "--index", "c"};
    words.insert(words.end(), options.begin(), options.end());
    return run(words).out;
  }

  void add_corpus(int status = 0, const Words& options = {}) const {
    settle();
    Words words = {"index", "add", "--corpus", "corpus.jsonl", "--index", "c"};
    words.insert(words.end(), options.begin(), options.end());
    expect(words, status);
  }

  const std::string text = random_text(1, 200);
};

// Such files are compared by their first bytes, and have no digest by which a change could be seen;
// archives and rsync give them the time of another.
TEST_F(IndexChange, AFileThatNoMediumReadsMayBecomeEqualToAnother) {
  const std::string binary = std::string("\0\1\2", 3) + std::string(100'000, 'x');
  write("d/a.bin", binary);
  write("d/b.bin", std::string("\0\1\3", 3) + std::string(100'000, 'x'));
  const timespec times[2] = {{1'600'000'000, 0}, {1'600'000'000, 0}};
  const auto set_times = [&](const std::string& name) {
    ASSERT_EQ(utimensat(AT_FDCWD, (folder / name).c_str(), times, 0), 0);
  };
  set_times("d/a.bin");
  set_times("d/b.bin");
  settle();
  EXPECT_EQ(groups(), "[]");
  EXPECT_EQ(groups(), "[]");
  write("d/b.bin", binary);
  set_times("d/b.bin");
  settle();
  EXPECT_TRUE(contains(groups(), "b.bin"));
  expect_same_as_without();
}

TEST_F(IndexChange, ThatThereWasNoDecoderIsNotTheFilesFault) {
  write("d/a.rtf", rtf_of(text));
  write("d/b.rtf", rtf_of(text + " "));
  settle();
  const Variables none = {{"TWINSIFT_DECODER", "/nonexistent/decoder"}};
  EXPECT_EQ(groups({}, none), "[]");
  EXPECT_TRUE(contains(groups(), "b.rtf"));
  expect_same_as_without();
}

// What could not be decoded is remembered, and so is what a run found without it.
TEST_F(IndexChange, WhatCanBeDecodedNowIsFoundAtOnce) {
  write("d/a.rtf", rtf_of(text));
  write("d/b.rtf", rtf_of(text + " "));
  write("decoder", "#!/bin/sh\nexit 1\n");
  fs::permissions(folder.path() / "decoder", fs::perms::owner_all);
  settle();
  const Variables bad = {{"TWINSIFT_DECODER", folder / "decoder"}};
  EXPECT_EQ(groups({}, bad), "[]");
  EXPECT_EQ(groups(), "[]");  // nobody has asked for another attempt
  expect({"index", "add", "d", "--retry-failed", "--index", "c"}, 0);
  EXPECT_TRUE(contains(groups(), "b.rtf"));
  expect_same_as_without();
}

// A file is listed by its first name; what the collection has of the others is of before.
TEST_F(IndexChange, AFurtherNameOfAFileIsNotTakenForWhatItWas) {
  write("d/b.txt", text);
  settle();
  expect({"index", "add", "d", "--index", "c"}, 0);
  fs::create_hard_link(folder.path() / "d/b.txt", folder.path() / "d/a.txt");
  std::ofstream(folder / "d/b.txt") << random_text(2, 200);  // the same file
  settle();
  expect({"index", "add", "d", "--index", "c"}, 0);
  EXPECT_EQ(places_of(text), "");
  EXPECT_TRUE(contains(places_of(random_text(2, 200)), "d/a.txt"));
}

TEST_F(IndexChange, WhatIsLeftOutAndIsSomethingElseNowIsForgotten) {
  write("d/a.txt", text);
  write("d/b.txt", text);
  settle();
  expect({"index", "add", "d", "--index", "c"}, 0);
  write("d/a.txt", "");
  expect({"index", "add", "d", "--name", "none", "--index", "c"}, 0);
  const std::string places = places_of(text);
  EXPECT_FALSE(contains(places, "d/a.txt")) << places;
  EXPECT_TRUE(contains(places, "d/b.txt")) << places;
}

TEST_F(IndexChange, WhatIsGoneCanBeRemovedByAnyOfItsNames) {
  write("d/a.txt", text);
  fs::create_directory_symlink("d", folder.path() / "link");
  expect({"index", "add", "d", "--index", "c"}, 0);
  fs::remove(folder.path() / "d/a.txt");
  EXPECT_EQ(expect({"index", "remove", "link/a.txt", "--index", "c"}, 0).out, "1 item forgotten\n");
}

// The digests of large files take hours: they are remembered, whoever needed them.
TEST_F(IndexChange, DigestsAreRememberedEvenIfNothingElseIsLookedAt) {
  const std::string binary = std::string("\0\1\2", 3) + std::string(100'000, 'x');
  write("d/a.bin", binary);
  write("d/b.bin", binary);
  settle();
  EXPECT_TRUE(contains(groups({"--exact"}), "b.bin"));
  const Outcome again = run({"find", "d", "--exact", "--verbose", "--index", "c"});
  EXPECT_TRUE(contains(again.err, "recall: 2 items")) << again.err;
  EXPECT_EQ(groups({"--exact"}), groups({"--exact", "--no-index"}));
  expect_same_as_without();
  write("d/c.txt", text);
  write("d/d.txt", with_change(text, 7));
  settle();
  groups({"--exact"});
  EXPECT_TRUE(contains(groups(), "d.txt"));
  expect_same_as_without();
}

std::string line_of(const std::string& text, const std::string& body) {
  return "{\"text\": \"" + text + "\", \"body\": \"" + body + "\"}\n";
}

TEST_F(IndexChange, OtherFeaturesOfACorpusAreTakenFromItAgain) {
  write("corpus.jsonl", line_of(text, "x"));
  add_corpus();
  add_corpus(0, {"--features", "chars:5"});
  EXPECT_TRUE(
      contains(places_of(with_change(text, 3), {"--features", "chars:5"}), "corpus.jsonl:1"));
  EXPECT_TRUE(contains(places_of(with_change(text, 3)), "corpus.jsonl:1"));
}

TEST_F(IndexChange, AnotherFieldOfACorpusIsAnotherText) {
  const std::string body = random_text(2, 200);
  write("corpus.jsonl", line_of(text, body));
  add_corpus();
  add_corpus(0, {"--text-field", "body"});
  EXPECT_EQ(places_of(text), "");
  EXPECT_TRUE(contains(places_of(body), "corpus.jsonl:1"));
}

TEST_F(IndexChange, ALineOfACorpusThatIsNoDocumentAnyMoreIsForgotten) {
  const std::string other = random_text(2, 200);
  write("corpus.jsonl", line_of(other, "") + line_of(text, ""));
  add_corpus();
  write("corpus.jsonl", line_of(other, "") + "not json\n");
  add_corpus(3);
  EXPECT_EQ(places_of(text), "");
  EXPECT_TRUE(contains(places_of(other), "corpus.jsonl:1"));
  expect({"index", "verify", "--index", "c"}, 0);
}

}  // namespace
}  // namespace twinsift::cli
