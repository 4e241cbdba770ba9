// SPDX-License-Identifier: Apache-2.0
#include "act/companions.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"

namespace twinsift {
namespace {

using Kind = CompanionKind;

TEST(Companions, AreToldByTheirNames) {
  EXPECT_EQ(companion_kind("IMG_1.JPG", "IMG_1.CR2"), Kind::kHalf);
  EXPECT_EQ(companion_kind("IMG_1.cr3", "IMG_1.HEIC"), Kind::kHalf);
  EXPECT_EQ(companion_kind("IMG_1.HEIC", "IMG_1.MOV"), Kind::kHalf);
  EXPECT_EQ(companion_kind("IMG_1.MOV", "IMG_1.HEIC"), Kind::kHalf);
  EXPECT_EQ(companion_kind("IMG_1.JPG", "IMG_1.xmp"), Kind::kSidecar);
  EXPECT_EQ(companion_kind("IMG_1.JPG", "IMG_1.JPG.xmp"), Kind::kSidecar);
  EXPECT_EQ(companion_kind("IMG_1.JPG", "IMG_1.AAE"), Kind::kSidecar);
  EXPECT_EQ(companion_kind("MVI_1.MOV", "MVI_1.THM"), Kind::kSidecar);
  EXPECT_EQ(companion_kind("film.mkv", "film.srt"), Kind::kSidecar);
  EXPECT_EQ(companion_kind("film.mkv", "film.en.srt"), Kind::kSidecar);
  EXPECT_EQ(companion_kind("film.2020.mkv", "film.2020.pt-BR.srt"), Kind::kSidecar);
  EXPECT_EQ(companion_kind("song.mp3", "song.lrc"), Kind::kSidecar);
  EXPECT_EQ(companion_kind("album.flac", "album.cue"), Kind::kSidecar);
  EXPECT_EQ(companion_kind("IMG_1.JPG", "IMG_1.JPG.json"), Kind::kSidecar);
  EXPECT_EQ(companion_kind("IMG_1.xmp", "IMG_1.JPG"), Kind::kOwner);
  EXPECT_EQ(companion_kind("IMG_1.JPG.xmp", "IMG_1.JPG"), Kind::kOwner);
}

TEST(Companions, OfStrangersThereAreNone) {
  EXPECT_EQ(companion_kind("IMG_1.JPG", "IMG_1.JPG"), Kind::kNone);
  EXPECT_EQ(companion_kind("IMG_1.JPG", "IMG_2.xmp"), Kind::kNone);
  EXPECT_EQ(companion_kind("IMG_1.JPG", "IMG_10.xmp"), Kind::kNone);
  EXPECT_EQ(companion_kind("IMG_1.JPG", "IMG_1.png"), Kind::kNone);  // perhaps another picture
  EXPECT_EQ(companion_kind("IMG_1.JPG.xmp", "IMG_1.CR2"), Kind::kNone);
  EXPECT_EQ(companion_kind("IMG_1.JPG", "IMG_1.json"), Kind::kNone);
  EXPECT_EQ(companion_kind("report.txt", "report.srt"), Kind::kNone);
  EXPECT_EQ(companion_kind("report.txt", "report.pdf"), Kind::kNone);
  EXPECT_EQ(companion_kind("film.mkv", "film.directors-cut.srt"), Kind::kNone);
  EXPECT_EQ(companion_kind("song.flac", "song.mp3"), Kind::kNone);
  EXPECT_EQ(companion_kind(".xmp", ".jpg"), Kind::kNone);
}

TEST(Companions, AreFoundInTheFolderOfTheFile) {
  const TestDir folder;
  folder.write_all({"IMG_1.JPG", "IMG_1.CR2", "IMG_1.xmp", "IMG_1.JPG.xmp", "IMG_10.JPG",
                    "other/IMG_1.MOV", "IMG_1.txt", "IMG_1.en.srt"});
  std::filesystem::create_directory(folder / "IMG_1.MOV");
  CompanionFinder finder;
  const auto paths = [&](std::string_view name) {
    const auto found = finder.find(folder / name);
    EXPECT_TRUE(found);
    std::vector<std::string> names;
    for (const Companion& one : *found) names.push_back(one.path.substr(one.path.rfind('/') + 1));
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(paths("IMG_1.JPG"), (Names{"IMG_1.CR2", "IMG_1.JPG.xmp", "IMG_1.en.srt", "IMG_1.xmp"}));
  EXPECT_EQ(paths("IMG_1.JPG.xmp"), (Names{"IMG_1.JPG"}));
  EXPECT_EQ(paths("IMG_1.xmp"), (Names{"IMG_1.CR2", "IMG_1.JPG"}));
  EXPECT_EQ(paths("IMG_1.txt"), Names{});
  EXPECT_FALSE(finder.find(folder / "none/IMG_1.JPG"));
}

}  // namespace
}  // namespace twinsift
