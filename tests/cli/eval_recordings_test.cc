// SPDX-License-Identifier: Apache-2.0
// twinsift eval audio and twinsift eval video.
#include <simdjson.h>

#include "command.h"
#include "eval/av_copies/test_recordings.h"

namespace twinsift::cli {
namespace {

class EvalRecordings : public CommandTest {
 protected:
  void write_tune(const std::string& name, std::uint64_t seed, double seconds = 20) const {
    write(name, tune_file(seconds, seed));
  }
  // The temporary folder is one of the test, so that it can see what was left there.
  Outcome evaluate(Words words, int status = 0, const Words& parts = {}) const {
    std::filesystem::create_directories(folder.path() / "tmp");
    words.insert(words.begin(), "eval");
    Outcome outcome = expect(words, status, parts, {{"TMPDIR", folder / "tmp"}});
    EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "tmp"));
    return outcome;
  }
};

double number_at(const std::string& json, const std::string& pointer) {
  simdjson::dom::parser parser;
  const simdjson::dom::element all = parser.parse(json);
  return double(all.at_pointer(pointer));
}

void expect_shares(const std::string& json, const Words& pointers) {
  for (const std::string& pointer : pointers) {
    EXPECT_GE(number_at(json, pointer), 0) << pointer;
    EXPECT_LE(number_at(json, pointer), 1) << pointer;
  }
}

const Words kSums = {"/same/recall",      "/same/precision", "/edited/recall",
                     "/edited/precision", "/offset_ok",      "/covered"};

TEST_F(EvalRecordings, ScoresEveryAttackOnSoundAndKeepsWhatItIsAskedTo) {
  write_tune("music/a.mka", 1);
  write_tune("music/short.mka", 2, 2);
  write("music/notes.txt", "no recording");
  const std::string out = evaluate({"audio", "music", "--json", "-o", "kept"}).out;
  expect_shares(out, kSums);
  for (const SoundAttack& attack : kSoundAttacks) {
    for (const char* share : {"/same", "/edited", "/precision", "/offset_ok"}) {
      expect_shares(out, {"/per_attack/" + std::string(attack.name) + share});
    }
  }
  EXPECT_EQ(number_at(out, "/originals"), 1);
  EXPECT_EQ(number_at(out, "/distractors"), 1);
  const Words manifest = lines_of(read_file(folder.path() / "kept/manifest.tsv"));
  ASSERT_EQ(manifest.size(), 1 + kSoundAttacks.size());
  for (std::size_t i = 1; i < manifest.size(); ++i) {
    EXPECT_TRUE(exists("kept/copies/" + manifest[i].substr(0, manifest[i].find('\t'))));
  }
  EXPECT_TRUE(contains(read_file(folder.path() / "kept/manifest.tsv"),
                       "000_drop_5.mka\tdrop_5\tmusic/a.mka\t5.000\t1.0000\t1.0000\t15.0"));
  EXPECT_TRUE(exists("kept/wrong.tsv"));
}

TEST_F(EvalRecordings, ScoresEveryAttackOnFilmsAndKeepsNothing) {
  write("films/a.mkv", film_file(4.5, 1, true));
  write("films/b.mkv", film_file(4.5, 2));
  write("films/bad.mkv", film_file(4.5, 3).substr(0, 100));
  constexpr int kSkipped = 3;
  const std::string out = evaluate({"video", "films", "--half", "all"}, kSkipped, {"bad.mkv"}).out;
  for (const FilmAttack& attack : kFilmAttacks) {
    EXPECT_TRUE(contains(out, "\n" + std::string(attack.name) + " ")) << attack.name;
  }
  EXPECT_TRUE(contains(out, "2 originals, 0 other recordings")) << out;
  EXPECT_TRUE(contains(out, "\nall ")) << out;
  EXPECT_FALSE(exists("kept"));
}

// A set of 424 bytes of the whole recording knows nothing of excerpts.
TEST_F(EvalRecordings, JudgesWhatOthersCompare) {
  write_tune("music/a.mka", 1, 30);
  const std::string ours = evaluate({"audio", "music", "--json"}).out;
  const std::string fooid = evaluate({"audio", "music", "--json", "--sound", "fooid"}).out;
  EXPECT_EQ(number_at(ours, "/per_attack/middle_10/edited"), 1);
  EXPECT_EQ(number_at(fooid, "/per_attack/middle_10/edited"), 0);
}

// Copies that are there are not made again, unless they are of something else by now.
TEST_F(EvalRecordings, ARunThatWasCutOffIsGoneOnWith) {
  const auto shares_of = [](const std::string& json) {
    return json.substr(0, json.find("seconds"));
  };
  const auto time_of = [&](const std::string& name) {
    return std::filesystem::last_write_time(folder.path() / "kept/copies" / name);
  };
  write_tune("music/a.mka", 1);
  const Words words = {"audio", "music", "--json", "-o", "kept"};
  const std::string first = shares_of(evaluate(words).out);
  const auto made = time_of("000_volume.mka");
  std::filesystem::remove(folder.path() / "kept/copies/000_drop_5.mka");
  std::filesystem::remove(folder.path() / "kept/notes/000_mp3_96.mp3");
  EXPECT_EQ(shares_of(evaluate(words).out), first);
  EXPECT_TRUE(exists("kept/copies/000_drop_5.mka"));
  EXPECT_TRUE(exists("kept/notes/000_mp3_96.mp3"));
  EXPECT_EQ(time_of("000_volume.mka"), made);
  EXPECT_FALSE(exists("kept/scratch"));
  write_tune("music/a.mka", 2);
  evaluate(words);
  EXPECT_NE(time_of("000_volume.mka"), made);
}

TEST_F(EvalRecordings, AttacksThatNobodyIsFitForAreNamed) {
  write("films/a.mkv", film_file(4.5, 1));
  const Outcome outcome = evaluate({"video", "films", "--json"}, 0, {"left out", "other_pictures"});
  EXPECT_FALSE(contains(outcome.out, "other_pictures"));
  expect_shares(outcome.out, kSums);
}

TEST_F(EvalRecordings, WhatCannotBeEvaluatedIsRefused) {
  write_tune("music/short.mka", 1, 5);
  evaluate({"audio", "music"}, 2, {"no recording to make copies of below music", "20 to 300"});
  evaluate({"video", "music"}, 2, {"no recording to make copies of below music", "4 to 180"});
  evaluate({"audio", "nowhere"}, 2, {"nowhere is not a folder"});
  evaluate({"audio", "music", "--film", "keys"}, 2, {"'eval audio' has no option --film"});
  evaluate({"video", "music", "--sound", "fooid"}, 2, {"'eval video' has no option --sound"});
  evaluate({"images", "music", "--film", "keys"}, 2, {"'eval images' has no option --film"});
  evaluate({"audio", "music", "-o", "music/copies"}, 2, {"would be taken for recordings"});
  EXPECT_FALSE(exists("music/copies"));
  evaluate({"audio", "music", "--corpus", "x"}, 2, {"'eval audio' has no option --corpus"});
  write("same.tsv", "short.mka\tother.mka\n");
  evaluate({"audio", "music", "--same", "same.tsv"}, 2,
           {"same.tsv:1 names other.mka, which is no recording here"});
  expect({"eval", "audio", "music"}, 2, {"twinsift-av-copies", "was not found"},
         {{"TWINSIFT_AV_COPIES", "/nowhere"}});
}

TEST_F(EvalRecordings, StopsWhenAskedAndLeavesNothingBehind) {
  for (std::uint64_t i = 0; i < 3; ++i) write_tune("music/" + std::to_string(i) + ".mka", i);
  std::filesystem::create_directories(folder.path() / "tmp");
  const Program program(folder, {"eval", "audio", "music"},
                        {.variables = {{"TMPDIR", folder / "tmp"}}});
  while (things() < 8) usleep(1000);  // two folders, three tunes, the copies' two, and a copy
  kill(program.id(), SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "tmp"));
}

}  // namespace
}  // namespace twinsift::cli
