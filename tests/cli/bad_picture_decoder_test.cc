// SPDX-License-Identifier: Apache-2.0
// Decoders that are absent, crash or talk nonsense, models of pictures that cannot be read, and
// pictures whose features a collection has lost.
//
// That a decoder which hangs is ended by the time limit is tested beside the decoder
// (media/picture_decoder_test.cc), where the limit can be short.
#include "bad_pictures.h"
#include "base/random.h"

namespace twinsift::cli {
namespace {

class BadPictureDecoder : public BadPictures {
 protected:
  BadPictureDecoder() {
    write("d/copy1.ppm", ppm(leaves(2)));
    write("d/copy2.ppm", ppm(leaves(2)));
    write("d/text1.txt", random_text(1, 300));
    write("d/text2.txt", with_change(random_text(1, 300), 100));
  }

  // Pictures are compared by their bytes and texts as ever; each picture is told of.
  void expect_bytes_only(const Variables& variables, const std::string& reason,
                         const Words& more = {}) const {
    Words words = {"find", "d", "--format", "fdupes", "--no-progress"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = expect(words, 3, {}, variables);
    EXPECT_EQ(outcome.out, "d/copy1.ppm\nd/copy2.ppm\n\nd/text1.txt\nd/text2.txt\n");
    const Words lines = lines_of(outcome.err);
    EXPECT_EQ(lines.size(), 4U);
    for (const std::string& line : lines) {
      EXPECT_TRUE(line.starts_with("twinsift: skipped d/")) << line;
      EXPECT_TRUE(line.ends_with(": " + reason)) << line;
    }
  }
};

constexpr const char* kMissing =
    "pictures are not supported by this build: twinsift-image-decoder was not found";

TEST_F(BadPictureDecoder, WithoutOnePicturesAreComparedByTheirBytes) {
  for (const std::string level : {"same", "edited"}) {
    expect_bytes_only(kNoDecoder, kMissing, {"--level", level});
  }
}

TEST_F(BadPictureDecoder, CrashIsSaidWithItsSignal) {
  expect_bytes_only(decoder("kill -ABRT $$"), "the decoder crashed (signal 6)");
}

TEST_F(BadPictureDecoder, OneThatRefusesIsSaidSo) {
  expect_bytes_only({{"TWINSIFT_IMAGE_DECODER", "/bin/false"}}, "the decoder gave up (status 1)");
}

TEST_F(BadPictureDecoder, NonsenseIsNotBelieved) {
  expect_bytes_only(decoder("exec yes >&0 2>/dev/null"), "the decoder gave a senseless answer");
}

// That a decoder was not there says nothing about a picture; that it died of one does.
TEST_F(BadPictureDecoder, ACollectionLearnsFromItOnceItIsThere) {
  expect_bytes_only(kNoDecoder, kMissing, {"--index", "c"});
  find(0, {"--index", "c"});
  const Variables crash = decoder("kill -ABRT $$");
  expect_bytes_only(crash, "the decoder crashed (signal 6)", {"--index", "e"});
  expect_bytes_only({}, "the decoder crashed (signal 6)", {"--index", "e"});
  find(0, {"--index", "e", "--retry-failed"});
  EXPECT_EQ(find(0, {"--index", "e"}, {.variables = crash}).err, "");
}

// The first look succeeds, and then there is no decoder for the second.
TEST_F(BadPictureDecoder, WhatWasNeverLookedAtCloserIsStillFoundAsAWhole) {
  find(0, {"--index", "c"});
  find(3, {"--index", "c", "--level", "edited"}, {.variables = kNoDecoder});
  find(0, {"--index", "c", "--level", "edited"});  // which is not remembered
}

TEST_F(BadPictureDecoder, CompareAndQuerySayWhichPictureAndWhy) {
  find(0, {"--index", "c"});
  for (const Words& words : {Words{"compare", "d/good1.bmp", "d/good2.ppm"},
                             Words{"query", "d/good1.bmp", "--index", "c"}}) {
    const Outcome missing = expect(words, 2, {}, kNoDecoder);
    EXPECT_EQ(missing.err, "twinsift: d/good1.bmp: " + std::string(kMissing) + "\n");
    const Outcome crash = expect(words, 2, {}, decoder("kill -ABRT $$"));
    EXPECT_EQ(crash.err, "twinsift: d/good1.bmp: the decoder crashed (signal 6)\n");
  }
}

// ---- training

TEST_F(BadPictureDecoder, NothingIsLearntFromBadPicturesAlone) {
  write("bad/a.ppm", "P6\n100 100\n255\nxx");
  write("bad/b.png", encode_png(drawing_of(scene)).substr(0, 500));
  write("bad/c.txt", random_text(1, 50));
  write("bad/dot.ppm", ppm(cropped(scene, 0, 0, 1, 1)));
  write("model", "old");
  for (const std::string model : {"vocabulary", "codes"}) {
    SCOPED_TRACE(model);
    const Outcome outcome = expect({"train", model, "--images", "bad", "-o", "model"}, 2,
                                   {"skipped bad/a.ppm: damaged", "skipped bad/b.png: damaged"});
    EXPECT_EQ(lines_of(outcome.err).size(), 3U) << outcome.err;
    EXPECT_EQ(folder.read("model"), "old");
  }
}

TEST_F(BadPictureDecoder, BadPicturesAreLeftOutOfWhatIsLearnt) {
  write("d/bad.ppm", "P6\n100 100\n255\nxx");
  const Words words = {"train", "vocabulary", "--words", "8", "--images", "d", "-o", "model"};
  const Outcome outcome = expect(words, 3, {"skipped d/bad.ppm: damaged"});
  const std::string model = folder.read("model");
  std::filesystem::remove(folder / "d/bad.ppm");
  expect(words, 0);
  EXPECT_EQ(folder.read("model"), model);
}

// ---- what a collection knows of pictures

TEST_F(BadPictureDecoder, DamagedFeaturesAreFoundAndRepaired) {
  usleep(50'000);  // so that the files are known to be unchanged
  const Words how = {"--level", "edited", "--index", "c"};
  const std::string groups = find(0, how).out;
  std::vector<std::pair<std::string, std::string>> data;  // files, largest part of which are prints
  for (const auto& entry : std::filesystem::directory_iterator(folder / "c")) {
    const std::string name = entry.path().filename();
    if (name.starts_with("data-")) data.emplace_back("c/" + name, folder.read("c/" + name));
  }
  ASSERT_FALSE(data.empty());
  Rng random(3);
  for (const auto& [name, bytes] : data) {
    for (int i = 0; i < 4; ++i) {
      std::string flipped = bytes;
      const std::size_t at = 64 + random.below(static_cast<std::uint32_t>(bytes.size() - 128));
      flipped[at] = static_cast<char>(flipped[at] ^ 0x04);
      write(name, flipped);
      SCOPED_TRACE(name + " byte " + std::to_string(at));
      const Outcome verified = expect({"index", "verify", "--index", "c"}, 6);
      EXPECT_TRUE(contains(verified.out, name)) << verified.out;
      write("d/other.ppm", ppm(leaves(20 + static_cast<std::uint64_t>(i))));  // all are compared
      Words words = {"find", "d", "--format", "fdupes"};
      words.insert(words.end(), how.begin(), how.end());
      const Outcome found = run(words);
      EXPECT_TRUE(found.status == 6 || (found.status == 0 && found.out == groups))
          << found.status << found.err << found.out;
      if (found.status == 6) {
        EXPECT_TRUE(contains(found.err, name)) << found.err;
        EXPECT_TRUE(contains(found.err, "'twinsift index repair --index c'")) << found.err;
      }
      std::filesystem::remove(folder / "d/other.ppm");
      std::filesystem::remove_all(folder / "c");
      find(0, how);
    }
  }
}

}  // namespace
}  // namespace twinsift::cli
