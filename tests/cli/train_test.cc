// SPDX-License-Identifier: Apache-2.0
// twinsift train.
#include "command.h"
#include "feature/test_scene.h"
#include "feature/visual_words.h"

namespace twinsift::cli {
namespace {

class Train : public CommandTest {
 protected:
  void write_picture(const std::string& name, std::uint64_t seed) const {
    const GreyImage image = draw_grey(200, 200, blob_scene(seed, 200));
    write(name, "P5\n200 200\n255\n" + std::string(image.pixels.begin(), image.pixels.end()));
  }
  [[nodiscard]] std::string trained(const std::string& name) const {
    return read_file(folder.path() / name);
  }
};

TEST_F(Train, VocabularyIsWrittenAndDependsOnTheSeedOnly) {
  write_picture("pictures/a.pgm", 1);
  write_picture("pictures/b.pgm", 2);
  write("pictures/notes.txt", "no picture\n");
  const std::vector<std::string> words = {"train",   "vocabulary", "--images", "pictures",
                                          "--words", "20",         "--output"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const Outcome outcome = expect(with({"one.bin"}), 0);
  EXPECT_TRUE(contains(outcome.err, "words1:n=20,id=")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "of 2 pictures")) << outcome.err;
  expect(with({"again.bin", "--threads", "1"}), 0);
  expect(with({"other.bin", "--seed", "2"}), 0);
  const std::string one = trained("one.bin");
  const auto vocabulary = Vocabulary::parse(std::as_bytes(std::span(one)));
  ASSERT_TRUE(vocabulary.has_value());
  EXPECT_EQ(vocabulary->size(), 20U);
  EXPECT_EQ(trained("again.bin"), one);
  EXPECT_NE(trained("other.bin"), one);
}

TEST_F(Train, BadPictureCostsOneLine) {
  write_picture("pictures/a.pgm", 1);
  write("pictures/bad.pgm", "P5\n200 200\n255\nshort");
  const Outcome outcome =
      expect({"train", "vocabulary", "--images", "pictures", "--words", "10", "-o", "words.bin"}, 3,
             {"bad.pgm"});
  EXPECT_EQ(count(outcome.err, "bad.pgm"), 1U) << outcome.err;
  EXPECT_FALSE(trained("words.bin").empty());
}

TEST_F(Train, WhatIsMissingOrWrongIsSaid) {
  write_picture("pictures/a.pgm", 1);
  expect({"train", "poetry", "--images", "pictures", "-o", "x"}, 2, {"'poetry'", "vocabulary"});
  expect({"train", "vocabulary", "-o", "x"}, 2, {"--images"});
  expect({"train", "vocabulary", "--images", "pictures"}, 2, {"--output"});
  expect({"train", "vocabulary", "--images", "pictures", "-o", "x", "--words", "0"}, 2,
         {"--words"});
  expect({"train", "vocabulary", "--images", "pictures", "-o", "x", "--words", "5000"}, 2,
         {"too few for 5000 words"});
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "x"));
}

}  // namespace
}  // namespace twinsift::cli
