// SPDX-License-Identifier: Apache-2.0
// twinsift train siamese.
#include <csignal>
#include <filesystem>
#include <thread>

#include "command.h"
#include "feature/hash_model.h"
#include "feature/test_scene.h"

namespace twinsift::cli {
namespace {

class TrainSiamese : public CommandTest {
 protected:
  void write_picture(const std::string& name, std::uint64_t seed, std::uint32_t side = 160) const {
    const GreyImage image = draw_grey(side, side, blob_scene(seed, side));
    const std::string size = std::to_string(side);
    write(name, "P5\n" + size + " " + size + "\n255\n" +
                    std::string(image.pixels.begin(), image.pixels.end()));
  }
  void write_pictures(int n) const {
    for (int i = 0; i < n; ++i) {
      write_picture("pictures/p" + std::to_string(i) + ".pgm", static_cast<std::uint64_t>(i) + 1);
    }
  }
  void write_classes() const {
    for (int i = 0; i < 12; ++i) {
      write_picture(
          "classes/" + std::string(i % 2 == 0 ? "a/" : "b/deep/") + std::to_string(i) + ".pgm",
          static_cast<std::uint64_t>(i) + 1, 40);
    }
  }
  [[nodiscard]] Words small(Words more) const {
    Words all = {"train",    "siamese", "--widths",        "8,8,8", "--bits",  "16",
                 "--epochs", "2",       "--feature-width", "8",     "--batch", "8"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    return read_file(folder.path() / name);
  }
  [[nodiscard]] Result<HashModel> model(const std::string& name) const {
    const std::string bytes = file(name);
    return HashModel::parse(std::as_bytes(std::span(bytes)));
  }
};

TEST_F(TrainSiamese, ModelDependsOnTheSeedOnlyAndComesWithItsCurves) {
  write_pictures(6);
  write("pictures/notes.txt", "no picture\n");
  const Outcome outcome =
      expect(small({"--images", "pictures", "-o", "one.bin", "--plot", "curves.svg"}), 0);
  EXPECT_TRUE(contains(outcome.err, "siamese1:bits=16,features=8,id=")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "of 6 pictures")) << outcome.err;
  const auto one = model("one.bin");
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->shape().side, 64U);
  EXPECT_TRUE(contains(file("curves.svg"), "kept apart"));
  expect(small({"--images", "pictures", "-o", "again.bin", "--threads", "1"}), 0);
  expect(small({"--images", "pictures", "-o", "other.bin", "--seed", "2"}), 0);
  EXPECT_EQ(file("again.bin"), file("one.bin"));
  EXPECT_NE(file("other.bin"), file("one.bin"));
  EXPECT_FALSE(exists("one.bin.part"));
}

TEST_F(TrainSiamese, LearnsFromFoldersAndFromPairs) {
  write_classes();
  const Words more = {"--images", "classes", "--class-epochs", "1"};
  const auto with = [&](Words words) {
    words.insert(words.end(), more.begin(), more.end());
    return small(words);
  };
  expect(with({"--labels", "by-folder", "-o", "folders.bin"}), 0, {"of 12 pictures"});
  const auto folders = model("folders.bin");
  ASSERT_TRUE(folders);
  EXPECT_EQ(folders->shape().side, 32U);
  EXPECT_EQ(folders->shape().colours, 3U);
  write("pairs.tsv", "# two pairs\n0.pgm\t2.pgm\t1\n1.pgm\tdeep/3.pgm\t1\n0.pgm\t1.pgm\t0\n");
  expect(with({"--labels", "pairs.tsv", "-o", "pairs.bin", "--loss", "paper"}), 0,
         {"of 4 pictures"});
  EXPECT_TRUE(model("pairs.bin"));
}

TEST_F(TrainSiamese, WhatIsMissingOrWrongIsSaidAndNothingIsWritten) {
  write_classes();
  write_picture("one/only/a.pgm", 1);
  write_picture("one/only/b.pgm", 2);
  write_picture("single/a.pgm", 1);
  const auto fails = [&](Words words, const Words& parts) {
    words.insert(words.end(), {"-o", "x"});
    expect(small(words), 2, parts);
    EXPECT_FALSE(exists("x"));
    EXPECT_FALSE(exists("x.part"));
  };
  const Words by_folder = {"--labels", "by-folder", "--images"};
  const auto labelled = [&](const std::string& images) {
    Words words = by_folder;
    words.push_back(images);
    return words;
  };
  fails(labelled("one"), {"2 pictures in 1 class"});
  fails(labelled("single"), {"nothing to learn from"});
  fails({"--images", "single"}, {"nothing to learn from", "1 are pictures"});
  fails({"--images", "classes"}, {"128 pixels"});  // too small for photos to be made of
  fails({"--images", "nowhere"}, {"nowhere"});
  fails({"--images", "classes", "--labels", "nofile"}, {"nofile", "by-folder"});
  write("unknown.tsv", "0.pgm\tz.pgm\t1\n");
  fails({"--images", "classes", "--labels", "unknown.tsv"}, {"line 1", "z.pgm"});
  write("bad.tsv", "0.pgm 2.pgm 1\n");
  fails({"--images", "classes", "--labels", "bad.tsv"}, {"line 1", "TAB"});
  write("both.tsv", "0.pgm\t2.pgm\t1\n2.pgm\t4.pgm\t1\n0.pgm\t4.pgm\t0\n");
  fails({"--images", "classes", "--labels", "both.tsv"}, {"line 3", "duplicates"});
  fails({"--images", "classes", "--bits", "0"}, {"--bits"});
  fails({"--images", "classes", "--widths", "8,8"}, {"--widths"});
  fails({"--images", "classes", "--widths", "8,8,5000"}, {"sizes"});
}

TEST_F(TrainSiamese, BadPictureCostsOneLine) {
  write_pictures(4);
  write("pictures/bad.pgm", "P5\n200 200\n255\nshort");
  const Outcome outcome = expect(small({"--images", "pictures", "-o", "net.bin"}), 3, {"bad.pgm"});
  EXPECT_EQ(count(outcome.err, "bad.pgm"), 1U) << outcome.err;
  EXPECT_TRUE(model("net.bin"));
}

// Trains until its checkpoint is there, then ends it by a signal.
TEST_F(TrainSiamese, GoesOnAfterCtrlCAndAfterKill) {
  write_classes();
  const auto words = [&](const std::string& name) {
    return small({"--images", "classes", "--labels", "by-folder", "--class-epochs", "12",
                  "--epochs", "12", "--patience", "0", "--checkpoint-every", "0s", "-o", name});
  };
  expect(words("whole.bin"), 0);
  for (const int signal : {SIGINT, SIGKILL}) {
    const std::string name = signal == SIGINT ? "stopped.bin" : "killed.bin";
    const Program program(folder, words(name));
    for (int i = 0; i < 600 && !exists(name + ".part") && !exists(name); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    kill(program.id(), signal);
    const Outcome ended = program.wait();
    if (ended.status == 0) GTEST_SKIP() << "it was too fast to be interrupted";
    EXPECT_FALSE(exists(name));
    expect(words(name), 0);
    EXPECT_EQ(file(name), file("whole.bin"));
    EXPECT_FALSE(exists(name + ".part"));
  }
}

TEST_F(TrainSiamese, RefusesACheckpointThatIsDamagedOrOfAnotherTraining) {
  write_pictures(4);
  write("net.bin.part", "no checkpoint");
  expect(small({"--images", "pictures", "-o", "net.bin"}), 2,
         {"net.bin.part", "damaged", "remove it"});
  EXPECT_EQ(file("net.bin.part"), "no checkpoint");
  expect(small({"--images", "pictures", "-o", "net.bin", "--checkpoint", "fresh.part"}), 0);
}

TEST_F(TrainSiamese, DiskThatIsFullAtACheckpointIsToldAndNothingIsLost) {
  write_classes();
  write("small/place.txt", "");
  const std::string small_disk = (folder.path() / "small").string();
  const Outcome outcome = Program(folder,
                                  {"train",
                                   "siamese",
                                   "--images",
                                   "classes",
                                   "--labels",
                                   "by-folder",
                                   "--widths",
                                   "16,24,32",
                                   "--class-epochs",
                                   "3",
                                   "--epochs",
                                   "3",
                                   "--patience",
                                   "0",
                                   "--batch",
                                   "8",
                                   "--checkpoint-every",
                                   "0s",
                                   "--checkpoint",
                                   "small/part",
                                   "-o",
                                   "net.bin"},
                                  {.before = [&] { limit_disk(small_disk); }})
                              .wait();
  // Where files are limited, not the disk, the model is small enough and a checkpoint is not.
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "small/part")) << outcome.err;
  EXPECT_TRUE(model("net.bin"));
}

TEST_F(TrainSiamese, ModelFindsPictures) {
  write_pictures(6);
  write("pictures/again.pgm", file("pictures/p1.pgm") + "\n");  // other bytes, the same pixels
  expect(small({"--images", "pictures", "-o", "net.bin"}), 0);
  const Outcome outcome =
      expect({"find", "pictures", "--pictures", "siamese:net.bin", "--no-index", "--json"}, 0);
  EXPECT_TRUE(contains(outcome.out, "again.pgm")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "image1:siamese1:bits=16,features=8,id=")) << outcome.out;
  expect({"compare", "pictures/p1.pgm", "pictures/again.pgm", "--pictures", "siamese:net.bin"}, 0);
  expect({"find", "pictures", "--pictures", "siamese:net.bin", "--index", "c"}, 0);
  const Outcome again =
      expect({"query", "pictures/p1.pgm", "--pictures", "siamese:net.bin", "--index", "c"}, 0);
  EXPECT_TRUE(contains(again.out, "again.pgm")) << again.out;
}

TEST_F(TrainSiamese, BadModelIsRefusedInOneSentence) {
  write_pictures(2);
  expect(small({"--images", "pictures", "-o", "net.bin"}), 0);
  const std::string good = file("net.bin");
  const auto refused = [&](const std::string& name, const std::string& bytes, const Words& parts) {
    if (!bytes.empty()) write(name, bytes);
    const Outcome outcome =
        expect({"find", "pictures", "--pictures", "siamese:" + name, "--no-index"}, 2, parts);
    EXPECT_EQ(count(outcome.err, "\n"), 1U) << outcome.err;
  };
  refused("nowhere.bin", "", {"nowhere.bin", "cannot be read"});
  refused("cut.bin", good.substr(0, good.size() / 2), {"cut.bin", "too short"});
  refused("text.bin", "no model at all, but long enough to be one", {"does not begin"});
  std::string newer = good;
  newer[6] = '9';
  refused("newer.bin", newer, {"another version"});
  std::string damaged = good;
  damaged[damaged.size() - 3] = static_cast<char>(damaged[damaged.size() - 3] ^ 0x40);
  refused("damaged.bin", damaged, {"is damaged"});
  expect(small({"--images", "pictures", "-o", "long.bin", "--bits", "300"}), 0);
  refused("long.bin", "", {"300 bits"});
}

TEST_F(TrainSiamese, BeginsWithAModel) {
  write_classes();
  write_pictures(6);
  const Words classes = {"--images", "classes", "--labels", "by-folder", "--no-progress"};
  const auto with = [&](Words more) {
    Words all = classes;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  expect(small(with({"-o", "first.bin", "--class-epochs", "1"})), 0);
  // Hardly a step: what comes out is what went in, and other bits fit, too.
  Words again = {"train", "siamese", "--from", "first.bin", "--epochs",
                 "1",     "--batch", "8",      "--rate",    "1e-9"};
  const Words same = with({"-o", "same.bin"});
  again.insert(again.end(), same.begin(), same.end());
  expect(again, 0);
  const auto first = model("first.bin");
  const auto second = model("same.bin");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->shape(), second->shape());
  for (std::size_t i = 0; i < first->weights().features.size(); ++i) {
    EXPECT_NEAR(first->weights().features[i], second->weights().features[i], 1e-3);
  }
  expect(small(with({"--from", "first.bin", "--bits", "24", "-o", "longer.bin"})), 0);
  EXPECT_EQ(model("longer.bin")->shape().bits, 24U);
  const Outcome wider =
      expect(small(with({"--from", "first.bin", "--widths", "8,8,16", "-o", "x.bin"})), 2);
  EXPECT_TRUE(contains(wider.err, "has other sizes")) << wider.err;
  const Outcome self =
      expect(small({"--images", "pictures", "--from", "first.bin", "-o", "x.bin"}), 2);
  EXPECT_TRUE(contains(self.err, "was trained with labels")) << self.err;
  const Outcome none = expect(small(with({"--from", "classes/a/0.pgm", "-o", "x.bin"})), 2);
  EXPECT_TRUE(contains(none.err, "0.pgm")) << none.err;
  expect(small(with({"--rho", "0", "-o", "x.bin"})), 2);
  expect(small(with({"--epochs", "0", "--class-epochs", "0", "-o", "x.bin"})), 2);
  expect(small(with({"--epochs", "0", "--class-epochs", "1", "-o", "classes.bin"})), 0);
}

TEST_F(TrainSiamese, SharesAreAFeatureForEachClass) {
  write_classes();
  write_pictures(2);
  const auto classes = [&](Words more) {
    Words all = {"--images",       "classes", "--labels", "by-folder",
                 "--class-epochs", "1",       "--cutout", "8"};
    all.insert(all.end(), more.begin(), more.end());
    return small(all);
  };
  expect(classes({"--shares", "--shifted", "-o", "shares.bin"}), 0, {"features=2,"});
  const auto shares = model("shares.bin");
  ASSERT_TRUE(shares);
  EXPECT_TRUE(shares->shape().shares && shares->shape().shifted && !shares->shape().mirrored);
  expect(classes({"-o", "plain.bin"}), 0, {"features=8,"});
  expect({"train", "siamese", "--images", "classes", "--labels", "by-folder", "--from",
          "shares.bin", "--epochs", "1", "--bits", "24", "--latent", "alone", "-o", "longer.bin"},
         0, {"bits=24,features=2,"});
  EXPECT_TRUE(model("longer.bin")->sees_as(*shares));
  write_picture("classes/c/12.pgm", 12, 40);
  write_picture("classes/c/13.pgm", 13, 40);
  expect({"train", "siamese", "--images", "classes", "--labels", "by-folder", "--from",
          "shares.bin", "--class-epochs", "1", "-o", "x.bin"},
         2, {"has 2 classes, and there are 3"});
  expect(classes({"--shares", "--from", "plain.bin", "-o", "x.bin"}), 2, {"has other sizes"});
  expect(small({"--images", "pictures", "--shares", "-o", "x.bin"}), 2, {"takes classes"});
  expect(classes({"--cutout", "-1", "-o", "x.bin"}), 2, {"--cutout"});
  EXPECT_FALSE(exists("x.bin"));
}

}  // namespace
}  // namespace twinsift::cli
