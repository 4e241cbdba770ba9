// SPDX-License-Identifier: Apache-2.0
#include "ingest/folder_files.h"

#include <filesystem>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/test_dir.h"
#include "ingest/file_system.h"

namespace twinsift {
namespace {

FolderFiles batch_of(const TestDir& dir, std::initializer_list<std::string> names) {
  FolderFiles batch;
  batch.dir = open_dir(open_path(dir.path(), O_RDONLY | O_DIRECTORY));
  batch.path = dir / "";
  for (const std::string& name : names) batch.names.append(name).push_back('\0');
  batch.count = names.size();
  batch.origin = {.argument = 3, .root = 5, .relative = batch.path.size()};
  return batch;
}

TEST(FolderFiles, GetTheirEntriesInTheOrderOfTheNames) {
  const TestDir dir;
  dir.write("b", "four");
  dir.write("a", "12");
  FolderFiles batch = batch_of(dir, {"b", "a"});
  look_at_files(batch, {}, {});
  ASSERT_EQ(batch.files.size(), 2U);
  EXPECT_TRUE(batch.skipped.empty());
  const FileEntry& b = batch.files[0];
  struct stat status {};
  ASSERT_EQ(::stat((dir / "b").c_str(), &status), 0);
  EXPECT_EQ(b.path, dir / "b");
  EXPECT_EQ(b.size, 4U);
  EXPECT_EQ(b.inode, status.st_ino);
  EXPECT_EQ(b.device, status.st_dev);
  EXPECT_EQ(b.mtime_ns, mtime_ns_of(status));
  EXPECT_EQ(b.ctime_ns, ctime_ns_of(status));
  EXPECT_EQ(b.argument, 3U);
  EXPECT_EQ(b.root, 5U);
  EXPECT_FALSE(b.through_link);
  EXPECT_EQ(batch.files[1].path, dir / "a");
}

TEST(FolderFiles, WhatIsNoFileAnyMoreIsSkipped) {
  const TestDir dir;
  dir.write("x");
  std::filesystem::create_directory(dir / "folder");
  std::filesystem::create_symlink("x", dir / "link");
  ASSERT_EQ(::mkfifo((dir / "fifo").c_str(), 0600), 0);
  FolderFiles batch = batch_of(dir, {"gone", "folder", "link", "x", "fifo"});
  look_at_files(batch, {}, {});
  ASSERT_EQ(batch.files.size(), 1U);
  EXPECT_EQ(batch.files[0].path, dir / "x");
  ASSERT_EQ(batch.skipped.size(), 4U);
  EXPECT_EQ(batch.skipped[0].path, dir / "gone");
  for (const Skipped& skipped : batch.skipped) EXPECT_EQ(skipped.reason, "vanished");
}

TEST(FolderFiles, OptionsLeaveOutSizesAndNames) {
  const TestDir dir;
  dir.write("small.txt", "1");
  dir.write("good.txt", "22");
  dir.write("good.jpg", "22");
  dir.write("large.txt", "333");
  FolderFiles batch = batch_of(dir, {"small.txt", "good.txt", "good.jpg", "large.txt"});
  look_at_files(batch, {.min_size = 2, .max_size = 2, .names = {"*.txt"}, .exclude = {}}, {});
  ASSERT_EQ(batch.files.size(), 1U);
  EXPECT_EQ(batch.files[0].path, dir / "good.txt");
  EXPECT_TRUE(batch.skipped.empty());
}

TEST(FolderFiles, TheFolderIsLetGo) {
  const TestDir dir;
  dir.write("x");
  FolderFiles batch = batch_of(dir, {"x"});
  const std::weak_ptr<DIR> folder = batch.dir;
  look_at_files(batch, {}, {});
  EXPECT_TRUE(folder.expired());
}

TEST(FolderFiles, NothingIsLookedAtOnceAskedToStop) {
  const TestDir dir;
  dir.write("x");
  FolderFiles batch = batch_of(dir, {"x", "gone"});
  std::stop_source source;
  source.request_stop();
  look_at_files(batch, {}, source.get_token());
  EXPECT_TRUE(batch.files.empty());
  EXPECT_TRUE(batch.skipped.empty());
}

}  // namespace
}  // namespace twinsift
