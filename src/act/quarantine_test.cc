// SPDX-License-Identifier: Apache-2.0
#include "act/quarantine.h"

#include <gtest/gtest.h>
#include <sys/mount.h>

#include "act/test_tree.h"
#include "ingest/walk.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

class QuarantineTest : public testing::Test {
 protected:
  QuarantineTest() { use_home(dir.path().string()); }
  TestDir dir;
};

TEST_F(QuarantineTest, IsInTheDataFolderForFilesOfItsFileSystem) {
  const auto file = OpenSpot::open(dir.write("tree/a"));
  Quarantine quarantine("RUN");
  const auto folder = quarantine.folder_for(*file);
  ASSERT_TRUE(folder) << folder.error().message;
  EXPECT_EQ(*folder, dir / "data/twinsift/quarantine/RUN");
  struct stat status {};
  ASSERT_EQ(::stat(folder->c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
}

// Needs the right to mount; the child has its own view of the mounts.
TEST_F(QuarantineTest, IsInTheTopMostFolderOfAnyOtherFileSystem) {
  fs::create_directories(dir / "disk");
  const int result = in_child([&] {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", (dir / "disk").c_str(), "tmpfs", 0, "size=1m") != 0) {
      return 3;
    }
    const std::string file = dir.write("disk/deep/er/a", "1");
    dir.write("disk/k", "1");
    Quarantine quarantine("RUN");
    const auto folder = quarantine.folder_for(*OpenSpot::open(file));
    const std::string own = dir / fmt::format("disk/.twinsift-quarantine-{}/RUN", ::geteuid());
    if (!folder || *folder != own) return 1;
    return applied(plan_of({action_for(file, dir / "disk/k")})).done == 1 ? 0 : 2;
  });
  if (result == 3) GTEST_SKIP() << "no right to mount";
  EXPECT_EQ(result, 0);
}

TEST_F(QuarantineTest, ALinkOrAFolderOpenToOthersIsRefused) {
  const auto file = OpenSpot::open(dir.write("tree/a"));
  fs::create_directories(dir / "data/twinsift");
  fs::create_directories(dir / "elsewhere");
  fs::create_directory_symlink(dir / "elsewhere", dir / "data/twinsift/quarantine");
  EXPECT_FALSE(Quarantine("RUN").folder_for(*file));
  fs::remove(dir / "data/twinsift/quarantine");
  fs::create_directory(dir / "data/twinsift/quarantine");
  ASSERT_EQ(::chmod((dir / "data/twinsift/quarantine").c_str(), 0777), 0);
  const auto open_to_all = Quarantine("RUN").folder_for(*file);
  ASSERT_FALSE(open_to_all);
  EXPECT_NE(open_to_all.error().message.find("belongs to you"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(dir / "elsewhere"));
}

TEST_F(QuarantineTest, AFolderOfAnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  const auto file = OpenSpot::open(dir.write("tree/a"));
  fs::create_directories(dir / "data/twinsift/quarantine");
  ASSERT_EQ(::chmod((dir / "data/twinsift/quarantine").c_str(), 0700), 0);
  ASSERT_EQ(::chown((dir / "data/twinsift/quarantine").c_str(), 1000, 1000), 0);
  EXPECT_FALSE(Quarantine("RUN").folder_for(*file));
}

TEST_F(QuarantineTest, FindDoesNotLookIntoIt) {
  dir.write("tree/a", "same");
  dir.write("tree/b", "same");
  ASSERT_EQ(applied(plan_of({action_for(dir / "tree/b", dir / "tree/a")})).done, 1U);
  fs::create_directories(dir / "tree/.twinsift-quarantine-0/RUN");
  dir.write("tree/.twinsift-quarantine-0/RUN/000000.0", "same");
  WalkOptions options;
  options.hidden = true;
  const auto seen = walk({dir / "tree", dir / "data"}, options, {});
  ASSERT_TRUE(seen);
  ASSERT_EQ(seen->files.size(), 1U);
  EXPECT_EQ(seen->files[0].path, dir / "tree/a");
}

}  // namespace
}  // namespace twinsift
