// SPDX-License-Identifier: Apache-2.0
#include "run/known_files.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/test_dir.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;
using Mode = CollectionOptions::Mode;

class KnownFilesTest : public testing::Test {
 protected:
  KnownFilesTest() {
    fs::create_directory(dir / "d");
    collection = *Collection::open(dir / "c", {.mode = Mode::kCreate});
  }
  // What a run that began just now knows.
  [[nodiscard]] std::vector<KnownFile> recall(KnownFiles& run) {
    files = walk({dir / "d"}, {}, {})->files;
    std::vector<KnownFile> known;
    std::vector<Digest> digests(files.size());
    EXPECT_TRUE(run.recall(files, std::vector{dir / "d"}, true, known, digests));
    return known;
  }

  TestDir dir;
  std::unique_ptr<Collection> collection;
  std::vector<FileEntry> files;
};

TEST_F(KnownFilesTest, AFileThatHasNotChangedIsKnown) {
  dir.write("d/x", "text");
  usleep(50'000);
  KnownFiles first(*collection);
  EXPECT_FALSE(recall(first).at(0).known);
  ASSERT_TRUE(collection->put(first.record_of(files[0])));
  KnownFiles second(*collection);
  EXPECT_TRUE(recall(second).at(0).known);
}

// It may have been read before its last change, which the clock of the file system cannot tell from
// the one before; that what was read is recorded much later does not matter.
TEST_F(KnownFilesTest, AFileThatChangedAfterTheRunBeganIsNot) {
  KnownFiles first(*collection);
  dir.write("d/x", "text");
  EXPECT_FALSE(recall(first).at(0).known);
  usleep(50'000);
  ASSERT_TRUE(collection->put(first.record_of(files[0])));
  KnownFiles second(*collection);
  EXPECT_FALSE(recall(second).at(0).known);
}

// Its folder is there, by whatever name.
TEST_F(KnownFilesTest, ThePathOfSomethingGoneIsThatWhichItHad) {
  fs::create_directory_symlink(dir / "d", dir / "link");
  dir.write("d/x", "text");
  const std::string there = absolute_path(dir / "link/x");
  EXPECT_EQ(there, fs::canonical(dir / "d").string() + "/x");
  fs::remove(dir / "d/x");
  EXPECT_EQ(absolute_path(dir / "link/x"), there);
  EXPECT_EQ(absolute_path(dir / "link/gone/../x/"), there);
}

}  // namespace
}  // namespace twinsift
