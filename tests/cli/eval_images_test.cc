// SPDX-License-Identifier: Apache-2.0
// twinsift eval images.
#include <set>

#include <simdjson.h>

#include "command.h"
#include "eval/copies/test_photo.h"
#include "eval/copies/versions.h"

namespace twinsift::cli {
namespace {

class EvalImages : public CommandTest {
 protected:
  void write_photo(const std::string& name, std::uint64_t seed, std::uint32_t width = 400) const {
    const RgbImage photo = draw_photo(width, width * 3 / 4, seed);
    std::string file =
        "P6\n" + std::to_string(photo.width) + " " + std::to_string(photo.height) + "\n255\n";
    file.append(reinterpret_cast<const char*>(photo.bytes.data()), photo.bytes.size());
    write(name, file);
  }
  // The temporary folder is one of the test, so that it can see what was left there.
  Outcome evaluate(Words words, int status = 0, const Words& parts = {}) const {
    std::filesystem::create_directories(folder.path() / "tmp");
    words.insert(words.begin(), {"eval", "images"});
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

TEST_F(EvalImages, ScoresEveryVersionAtBothLevelsAndKeepsNothing) {
  write_photo("photos/a.ppm", 1);
  write_photo("photos/below/b.ppm", 2);
  write_photo("photos/small.ppm", 3, 200);
  write("photos/notes.txt", "no photo");
  const std::string out = evaluate({"photos", "--format", "json"}).out;
  for (const char* level : {"/same", "/edited"}) {
    for (const char* set : {"/standard", "/hard"}) {
      for (const char* share : {"/recall", "/precision"}) {
        const double value = number_at(out, std::string(level) + set + share);
        EXPECT_GE(value, 0) << level << set << share;
        EXPECT_LE(value, 1) << level << set << share;
      }
    }
    for (const CopyVersion& version : kCopyVersions) {
      const std::string path = "/per_transform/" + std::string(version.name) + level;
      EXPECT_GE(number_at(out, path), 0) << path;
    }
  }
  EXPECT_EQ(number_at(out, "/originals"), 2);
  EXPECT_EQ(number_at(out, "/distractors"), 1);
  EXPECT_GE(number_at(out, "/seconds/copies"), 0);
  EXPECT_TRUE(exists("photos/a.ppm"));
  EXPECT_EQ(things(), 7);  // two folders, three photos, a text, and the temporary folder
}

TEST_F(EvalImages, TheTableHasARowForEachVersion) {
  write_photo("photos/a.ppm", 1);
  const std::string out = evaluate({"photos"}).out;
  for (const CopyVersion& version : kCopyVersions) {
    EXPECT_TRUE(contains(out, "\n" + std::string(version.name) + " ")) << version.name;
  }
  EXPECT_TRUE(contains(out, "1 originals, 0 other photos")) << out;
  EXPECT_TRUE(contains(out, "\nstandard ")) << out;
  EXPECT_TRUE(contains(out, "\nhard ")) << out;
}

TEST_F(EvalImages, AKeptFolderHoldsTheCopiesAndAListOfThem) {
  write_photo("photos/a.ppm", 1);
  write_photo("photos/b.ppm", 2);
  evaluate({"photos", "-o", "kept", "--quiet"});
  const Words manifest = lines_of(read_file(folder.path() / "kept/manifest.tsv"));
  ASSERT_EQ(manifest.size(), 1U + 2 * 27);
  std::set<std::string> originals;
  for (std::size_t i = 1; i < manifest.size(); ++i) {
    const std::string& line = manifest[i];
    EXPECT_TRUE(exists("kept/copies/" + line.substr(0, line.find('\t')))) << line;
    originals.insert(line.substr(line.rfind('\t') + 1));
  }
  EXPECT_EQ(originals, (std::set<std::string>{"photos/a.ppm", "photos/b.ppm"}));
  EXPECT_TRUE(exists("kept/copies/000_jpeg75.jpg"));
  EXPECT_TRUE(exists("kept/copies/001_webp60.webp"));
  EXPECT_TRUE(exists("kept/wrong.tsv"));
  evaluate({"photos", "-o", "kept"}, 2, {"kept is not an empty folder"});
}

TEST_F(EvalImages, TheSamePhotosUnderOtherNamesGetTheSameCopies) {
  for (const char* photos : {"one", "two"}) {
    const bool first = photos == std::string("one");
    write_photo(photos + std::string(first ? "/a.ppm" : "/z/x.ppm"), 1);
    write_photo(photos + std::string(first ? "/b.ppm" : "/c.ppm"), 2);
    evaluate({photos, "-o", photos + std::string(".kept"), "--threads", "1"});
  }
  for (const char* name : {"000_noise25.jpg", "000_crop50.jpg", "001_meme.jpg", "001_png.png"}) {
    const std::string one = read_file(folder.path() / "one.kept/copies" / name);
    EXPECT_FALSE(one.empty()) << name;
    EXPECT_EQ(one, read_file(folder.path() / "two.kept/copies" / name)) << name;
  }
}

TEST_F(EvalImages, HalvesHaveTheCopiesOfEvenOrOddOriginals) {
  for (std::uint64_t i = 0; i < 3; ++i) write_photo("photos/" + std::to_string(i) + ".ppm", i);
  const std::string even =
      evaluate({"photos", "--half", "even", "-o", "even", "--format", "json"}).out;
  EXPECT_EQ(number_at(even, "/originals"), 2);
  EXPECT_EQ(number_at(even, "/distractors"), 1);
  EXPECT_TRUE(exists("even/copies/002_png.png"));
  EXPECT_FALSE(exists("even/copies/001_png.png"));
  const std::string odd = evaluate({"photos", "--half", "odd", "--format", "json"}).out;
  EXPECT_EQ(number_at(odd, "/originals"), 1);
}

TEST_F(EvalImages, EqualPhotosGetCopiesOnce) {
  write_photo("photos/a.ppm", 1);
  write_photo("photos/b.ppm", 1);
  const std::string out = evaluate({"photos", "--json"}).out;
  EXPECT_EQ(number_at(out, "/originals"), 1);
  EXPECT_EQ(number_at(out, "/distractors"), 1);
}

TEST_F(EvalImages, ABadPhotoCostsOneLine) {
  write_photo("photos/a.ppm", 1);
  write("photos/bad.ppm", "P6\n4000 4000\n255\nnothing");
  const Outcome outcome = evaluate({"photos", "--json", "--no-progress"}, 3, {"photos/bad.ppm"});
  EXPECT_EQ(count(outcome.err, "photos/bad.ppm"), 1U) << outcome.err;
  EXPECT_EQ(number_at(outcome.out, "/originals"), 1);
  EXPECT_EQ(number_at(outcome.out, "/distractors"), 0);
}

TEST_F(EvalImages, PairsThatShowTheSameAreReadFromAFile) {
  write_photo("photos/a.ppm", 1);
  write_photo("photos/b.ppm", 2);
  write("good.tsv", "# a comment\na.ppm\tphotos/b.ppm\tmore\n\n");
  evaluate({"photos", "--same", "good.tsv"});
  write("bad.tsv", "a.ppm\tc.ppm\n");
  evaluate({"photos", "--same", "bad.tsv"}, 2, {"bad.tsv:1 names c.ppm, which is no photo here"});
  write("worse.tsv", "\na.ppm b.ppm\n");
  evaluate({"photos", "--same", "worse.tsv"}, 2, {"worse.tsv:2 is not two paths"});
  evaluate({"photos", "--same", "none.tsv"}, 2, {"none.tsv"});
}

TEST_F(EvalImages, WhatCannotBeEvaluatedIsRefused) {
  write_photo("photos/small.ppm", 1, 399);
  evaluate({"photos"}, 2, {"no photo to make copies of below photos", "400"});
  evaluate({"nowhere"}, 2, {"nowhere is not a folder"});
  evaluate({"photos", "-o", "photos/copies"}, 2, {"would be taken for photos"});
  EXPECT_FALSE(exists("photos/copies"));
  evaluate({"."}, 2, {"would be taken for photos"});  // the temporary folder lies below
  evaluate({"photos", "--corpus", "x"}, 2, {"'eval images' has no option --corpus"});
  expect({"eval", "paper", "003", "--half", "odd"}, 2, {"'eval paper' has no option --half"});
  expect({"eval", "photos", "photos"}, 2, {"'twinsift eval images DIR'"});
  expect({"eval", "images", "photos"}, 2, {"twinsift-copy-set", "was not found"},
         {{"TWINSIFT_COPY_SET", "/nowhere"}});
}

TEST_F(EvalImages, StopsWhenAskedAndLeavesNothingBehind) {
  for (std::uint64_t i = 0; i < 12; ++i) {
    write_photo("photos/" + std::to_string(i) + ".ppm", i, 1200);
  }
  write("tmp/begun", "");
  std::filesystem::remove(folder.path() / "tmp/begun");
  const Program program(folder, {"eval", "images", "photos"},
                        {.variables = {{"TMPDIR", folder / "tmp"}}});
  while (things() < 15) usleep(1000);  // until there is a folder for copies
  kill(program.id(), SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "tmp"));
}

}  // namespace
}  // namespace twinsift::cli
