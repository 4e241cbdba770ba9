// SPDX-License-Identifier: Apache-2.0
// What a person removed stays known: apply tells the collection, find and query say it.
#include <chrono>
#include <fstream>
#include <thread>

#include <sys/file.h>

#include "command.h"

namespace twinsift::cli {
namespace {

namespace fs = std::filesystem;

class Removed : public CommandTest {
 protected:
  Removed() {
    write("d/kept.txt", text + " and the longest of them");
    write("d/near.txt", near);
    write("d/exact.txt", text + " and the longest of them");
  }
  [[nodiscard]] Variables home() const {
    return {{"XDG_STATE_HOME", folder / "state"}, {"XDG_DATA_HOME", folder / "data"}};
  }
  Outcome in_home(const Words& words, int status, const Words& parts = {}) const {
    return expect(words, status, parts, home());
  }
  // A plan by which near.txt and exact.txt go, made with the collection or without.
  void plan(const Words& options = {}) const {
    Words words = {"find", "d", "--json", "-o", "report.json"};
    words.insert(words.end(), options.begin(), options.end());
    in_home(words, 0);
    in_home({"plan", "report.json", "--keep", "not-in:exact.txt,longest-text", "--reviewed", "-o",
             "plan"},
            0, {"2 files"});
  }
  // The number that `index stat` prints for a name.
  [[nodiscard]] std::uint64_t stat(const std::string& name, const Words& options = {}) const {
    Words words = {"index", "stat", "--json"};
    words.insert(words.end(), options.begin(), options.end());
    const std::string out = in_home(words, 0).out;
    const std::size_t at = out.find("\"" + name + "\":");
    return at == std::string::npos ? UINT64_MAX : std::stoull(out.substr(at + name.size() + 3));
  }

  const std::string text = random_text(1, 200);
  const std::string near = with_change(random_text(1, 200), 100);
};

TEST_F(Removed, WhatWasRemovedIsKnownWhenItTurnsUpAgain) {
  plan();
  EXPECT_EQ(stat("items"), 3U);
  in_home({"apply", "plan", "--yes"}, 0, {"2 actions done"});
  EXPECT_EQ(stat("items"), 1U);
  EXPECT_EQ(stat("removed"), 1U);  // the keeper has the bytes of exact.txt
  const Outcome clean = in_home({"find", "d"}, 0);
  EXPECT_FALSE(contains(clean.out, "removed before")) << clean.out;

  write("new/again.txt", near);
  in_home({"query", "new/again.txt"}, 0, {"seen before and removed: " + folder / "d/near.txt"});
  EXPECT_TRUE(contains(in_home({"query", "new/again.txt", "--json"}, 0).out,
                       "\"removed\":\"" + folder / "d/near.txt" + "\""));
  const Outcome found = in_home({"find", "d", "new"}, 0, {"1 file was removed before"});
  EXPECT_TRUE(contains(found.out, "1 file was removed before: new/again.txt")) << found.out;
  EXPECT_TRUE(contains(in_home({"find", "new", "--json"}, 0).out,
                       "\"notes\":[\"1 file was removed before: new/again.txt\"]"));
  for (const std::string name : {"1", "2", "3", "4", "5", "6"}) write("new/" + name, near);
  in_home({"find", "new"}, 0, {"7 files were removed before: new/1, ", "new/5 and 2 more"});
  EXPECT_FALSE(contains(in_home({"find", "new", "--no-index"}, 0).err, "removed before"));
}

TEST_F(Removed, UndoForgetsItAndPurgeDoesNot) {
  plan();
  in_home({"apply", "plan", "--yes"}, 0);
  in_home({"undo"}, 0, {"2 actions undone"});
  EXPECT_EQ(stat("items"), 3U);
  EXPECT_EQ(stat("removed"), 0U);
  EXPECT_TRUE(contains(in_home({"query", "d/near.txt"}, 0).out, folder / "d/near.txt"));
  in_home({"apply", "plan", "--yes"}, 0);
  in_home({"purge", "--older-than", "0s", "--yes"}, 0, {"2 actions freed"});
  EXPECT_EQ(stat("removed"), 1U);
  in_home({"index", "compact"}, 0);
  EXPECT_EQ(stat("removed"), 1U);
  in_home({"index", "verify"}, 0);
}

TEST_F(Removed, AnotherCollectionIsToldIfItIsNamed) {
  plan({"--index", "mine"});
  in_home({"apply", "plan", "--yes", "--index", "mine"}, 0);
  EXPECT_EQ(stat("removed", {"--index", "mine"}), 1U);
  in_home({"undo", "--index", "mine"}, 0);
  EXPECT_EQ(stat("removed", {"--index", "mine"}), 0U);
  in_home({"apply", "plan", "--yes", "--no-index"}, 0);
  EXPECT_EQ(stat("removed", {"--index", "mine"}), 0U);
  EXPECT_EQ(stat("items", {"--index", "mine"}), 3U);
  in_home({"undo", "--no-index"}, 0);
  EXPECT_FALSE(exists("data/twinsift/collection"));
}

TEST_F(Removed, ADryRunTellsNothing) {
  plan();
  in_home({"apply", "plan"}, 0, {"dry run"});
  EXPECT_EQ(stat("items"), 3U);
  EXPECT_EQ(stat("removed"), 0U);
}

// Whatever is wrong with the collection, the action is done, the exit status is the same, and one
// line says what to do.
TEST_F(Removed, TheActionDoesNotDependOnTheCollection) {
  plan();
  const std::string place = folder / "data/twinsift/collection";
  const auto expect_note = [&](const std::string& part) {
    const Outcome done = in_home({"apply", "plan", "--yes"}, 0,
                                 {"2 actions done", "the collection was not told: ", part});
    EXPECT_EQ(count(done.err, "the collection was not told"), 1U) << done.err;
    EXPECT_FALSE(exists("d/near.txt"));
    in_home({"undo"}, 0, {"2 actions undone"});
    EXPECT_TRUE(exists("d/near.txt"));
  };
  {
    const int lock = open((place + "/LOCK").c_str(), O_RDWR);
    ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);
    expect_note("is writing it; wait until that has ended");
    close(lock);
  }
  EXPECT_EQ(stat("items"), 3U);
  const std::string manifest = read_file(place + "/MANIFEST");
  std::ofstream(place + "/MANIFEST") << manifest.substr(0, manifest.size() / 2);
  expect_note("index repair");
  EXPECT_TRUE(contains(in_home({"apply", "plan", "--yes", "--json"}, 0).out,
                       "\"trouble\":\"" + place + "/MANIFEST: is damaged"));
  EXPECT_TRUE(contains(in_home({"undo", "--json"}, 0).out, "\"trouble\":\"" + place));
  fs::remove_all(place);
  expect_note("there is no collection");
  EXPECT_FALSE(exists("data/twinsift/collection"));
}

// A disk that is full for the collection alone cannot be had without mounting one; a file that may
// not grow is the next best thing.
TEST_F(Removed, AFullDiskCostsOnlyTheMemory) {
  plan();
  const std::string place = folder / "data/twinsift/collection";
  std::uintmax_t size = 0;
  for (const auto& entry : fs::directory_iterator(place)) {
    if (entry.path().filename().string().starts_with("data-")) size = fs::file_size(entry);
  }
  ASSERT_GT(size, 4000U);  // the journal needs less
  const auto limited = [&](const Words& words) {
    const auto limit = [size] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit most = {.rlim_cur = size, .rlim_max = size};
      setrlimit(RLIMIT_FSIZE, &most);
    };
    return Program(folder, words, {.variables = home(), .before = limit}).wait();
  };
  const Outcome done = limited({"apply", "plan", "--yes"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(contains(done.err, "2 actions done")) << done.err;
  EXPECT_EQ(count(done.err, "the collection was not told: "), 1U) << done.err;
  EXPECT_FALSE(exists("d/near.txt"));
  in_home({"index", "verify"}, 0);
  // With room again the same command tells it.
  in_home({"apply", "plan", "--yes"}, 0, {"2 done before"});
  EXPECT_EQ(stat("removed"), 1U);
  EXPECT_EQ(stat("items"), 1U);
}

// The program killed at random moments, then continued: the same collection as if nobody had.
TEST_F(Removed, AKilledRunThatIsContinuedTellsTheSame) {
  for (int i = 0; i < 30; ++i) {
    const std::string name = std::to_string(i);
    const std::string one = random_text(static_cast<std::uint64_t>(100 + i), 60);
    write("d/k" + name, one + " with some words more");
    write("d/n" + name, one);
    write("d/o" + name, with_change(one, 30));
  }
  in_home({"find", "d", "--json", "--threshold", "0.6", "-o", "report.json"}, 0);
  in_home({"plan", "report.json", "--keep", "not-in:exact.txt,longest-text", "--reviewed", "-o",
           "plan"},
          0, {"62 files"});
  Rng random(5);
  for (int round = 0; round < 5; ++round) {
    const Program program(folder, {"apply", "plan", "--yes", "--allow-wipeout", "d"},
                          {.variables = home()});
    std::this_thread::sleep_for(std::chrono::milliseconds(random.below(120)));
    kill(program.id(), SIGKILL);
    program.wait();
    in_home({"apply", "plan", "--yes", "--allow-wipeout", "d"}, 0);
    ASSERT_EQ(stat("removed"), 61U) << round;
    ASSERT_EQ(stat("items"), 31U) << round;
    const Program undo(folder, {"undo"}, {.variables = home()});
    std::this_thread::sleep_for(std::chrono::milliseconds(random.below(120)));
    kill(undo.id(), SIGKILL);
    undo.wait();
    in_home({"undo"}, 0);
    ASSERT_EQ(stat("removed"), 0U) << round;
    ASSERT_EQ(stat("items"), 93U) << round;
    in_home({"index", "verify"}, 0);
  }
}

}  // namespace
}  // namespace twinsift::cli
