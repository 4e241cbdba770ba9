// SPDX-License-Identifier: Apache-2.0
// Several real peers on loopback, as a person runs them.
#include <csignal>
#include <thread>

#include <sys/stat.h>

#include "peers.h"

namespace twinsift::cli {
namespace {

using namespace std::chrono_literals;

TEST_F(PeerTest, WhatOneHasAnotherFinds) {
  collect("a", 100, 20);
  collect("b", 200, 20);
  const std::string a = start("a");
  start("b", {"--join", a});
  wait_published("a");
  wait_published("b");
  write("question.txt", with_change(random_text(105, 300), 150));

  const Outcome text = expect({"peer", "query", "question.txt", "--state", "b-state"}, 0);
  EXPECT_TRUE(contains(text.out, "text105.txt")) << text.out << text.err;
  EXPECT_TRUE(contains(text.out, a));
  EXPECT_FALSE(contains(text.out, "deep")) << "folders are nobody's business";
  EXPECT_EQ(count(text.out, "\n"), 1U);

  const Outcome lines =
      expect({"peer", "query", "question.txt", "--state", "b-state", "--format", "ndjson"}, 0);
  ASSERT_EQ(lines_of(lines.out).size(), 2U) << lines.out;
  EXPECT_EQ(field(lines_of(lines.out)[0], "type"), "answer");
  EXPECT_EQ(field(lines_of(lines.out)[1], "kept"), "true") << lines.out;

  // Exit codes are those of query; what it has itself is not told unless that is asked for.
  expect({"peer", "query", "question.txt", "--state", "b-state", "--exit-code"}, 1);
  expect({"peer", "query", "question.txt", "--state", "a-state"}, 0, {"no peer has anything"});
  const Outcome own = expect({"peer", "query", "question.txt", "--state", "a-state", "--own"}, 0);
  EXPECT_TRUE(contains(own.out, "text105.txt"));

  // New files are shared without a word.
  write("a-texts/new.txt", random_text(999, 300));
  expect({"index", "add", "--index", "a", "a-texts"}, 0);
  expect({"peer", "publish", "--state", "a-state"}, 0);
  write("again.txt", random_text(999, 300));
  Outcome found;
  for (int i = 0; i < 100 && !contains(found.out, "new.txt"); ++i) {
    std::this_thread::sleep_for(100ms);
    found = run({"peer", "query", "again.txt", "--state", "b-state"});
  }
  EXPECT_TRUE(contains(found.out, "1.0000  new.txt")) << found.out << found.err;
}

TEST_F(PeerTest, AfterKillItIsTheSamePeerAtTheSameAddress) {
  collect("a", 100, 10);
  collect("b", 200, 10);
  const std::string b = start("b");
  const std::string a = start("a", {"--join", b});
  wait_published("a");
  const std::string key = status("a", "key");
  // Who is near is remembered after some seconds.
  for (int i = 0; i < 100 && !contains(folder.read("a-state/nodes"), "node "); ++i) {
    std::this_thread::sleep_for(100ms);
  }
  ASSERT_EQ(::kill(std::stoi(status("a", "pid")), SIGKILL), 0);
  expect({"peer", "status", "--state", "a-state"}, 2, {"no peer is running"});

  EXPECT_EQ(start("a"), a) << "without --join: it knows whom it knew";
  EXPECT_EQ(status("a", "key"), key);
  wait_published("a");
  write("question.txt", random_text(203, 300));
  const Outcome found = expect({"peer", "query", "question.txt", "--state", "a-state"}, 0);
  EXPECT_TRUE(contains(found.out, "text203.txt")) << found.out << found.err;
}

// Whoever tries two peers asks before they have published; "nobody has it" would be believed.
TEST_F(PeerTest, WhoHasYetToPublishSaysSo) {
  collect("a", 100, 2);
  start("a");  // alone: there is nobody to publish to, and nobody who answers
  write("question.txt", random_text(300, 300));
  expect({"peer", "query", "question.txt", "--state", "a-state"}, 3,
         {"has published anything", "ask again in a while"});
}

TEST_F(PeerTest, OneRunsForEachFolder) {
  collect("a", 100, 2);
  start("a");
  expect(start_words("a"), 2, {"a peer is running with this folder already"});
  expect({"peer", "stop", "--state", "a-state"}, 0);
  expect({"peer", "stop", "--state", "a-state"}, 2, {"no peer is running"});
  running_.clear();
}

TEST_F(PeerTest, AClosedNetworkIsForMembers) {
  collect("a", 100, 5);
  collect("b", 200, 5);
  write("secret", "rosebud\n");
  ::chmod((folder / "secret").c_str(), 0644);
  expect(start_words("a", {"--secret-file", "secret"}), 2, {"others can read this secret"});
  ::chmod((folder / "secret").c_str(), 0600);
  const std::string a = start("a", {"--secret-file", "secret"});
  expect(start_words("b", {"--join", a}), 2, {"another network", "--secret-file"});
  start("b", {"--join", a, "--secret-file", "secret"});
  wait_published("a");
  write("question.txt", random_text(103, 300));
  const Outcome found = expect({"peer", "query", "question.txt", "--state", "b-state"}, 0);
  EXPECT_TRUE(contains(found.out, "text103.txt")) << found.out << found.err;
}

// Each line of bad input has its sentence and its exit status.
TEST_F(PeerTest, BadInputIsSaid) {
  collect("a", 100, 3);
  const std::string a = start("a");
  collect("b", 200, 3);
  expect(start_words("b", {"--join", "127.0.0.1:1"}), 2, {"no peer answers at 127.0.0.1:1"});
  expect(start_words("b", {"--listen", a}), 2, {a, "in use"});
  expect(start_words("b", {"--join", a, "--network", "other"}), 2,
         {"another network", "--network"});
  expect(start_words("b", {"--join", a, "--threshold", "0.9"}), 2, {"--threshold 0.8"});
  expect(start_words("b", {"--join", a, "--labels", "pond1"}), 2, {"--labels wide"});
  expect(start_words("b", {"--listen", "example.org"}), 2, {"--listen", "no address"});
  expect(start_words("b", {"--listen", "0.0.0.0:0"}), 2, {"--announce"});
  expect(start_words("b", {"--join", "nonsense"}), 2, {"--join", "HOST:PORT"});
  expect(start_words("b", {"--allow", "abc"}), 2, {"--allow", "no public key"});
  expect(start_words("b", {"--key", "b-texts"}), 2, {"regular file"});
  write("key", "no key at all");
  ::chmod((folder / "key").c_str(), 0600);
  expect(start_words("b", {"--key", "key"}), 2, {"key: is no key of twinsift"});
  std::filesystem::copy(folder / "a-state/key", folder / "open-key");
  ::chmod((folder / "open-key").c_str(), 0640);
  expect(start_words("b", {"--key", "open-key"}), 2, {"open-key"});
  expect(start_words("missing"), 2, {"missing"});
  write("empty-texts/nothing.bin", std::string("\0\1\2", 3));
  expect({"index", "build", "--index", "empty", "empty-texts"}, 0);
  expect(start_words("empty"), 2, {"no items to share", "--share-nothing"});
  expect({"peer"}, 2);
  expect({"peer", "dance"}, 2, {"nothing that a peer does"});
  expect({"peer", "query", "--state", "a-state"}, 2, {"needs an ITEM"});
  expect({"peer", "query", "nowhere.txt", "--state", "a-state"}, 2, {"nowhere.txt"});
  expect({"peer", "query", "x", "--state", "nowhere"}, 2, {"no peer is running"});
}

}  // namespace
}  // namespace twinsift::cli
