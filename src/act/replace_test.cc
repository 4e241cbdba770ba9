// SPDX-License-Identifier: Apache-2.0
// Links: new before old, and no second choice.
#include "act/replace.h"

#include <gtest/gtest.h>

#include "act/runs.h"
#include "act/steps.h"
#include "act/test_tree.h"
#include "act/undo.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

class ReplaceTest : public testing::Test {
 protected:
  ReplaceTest() {
    use_home(dir.path().string());
    dir.write("tree/a", "content");
    dir.write("tree/sub/b", "content");
    make_peculiar(dir / "tree/sub/b", 1);
    before = snapshot(dir / "tree");
  }
  [[nodiscard]] Plan plan(Action action) const {
    return plan_of({action_for(dir / "tree/sub/b", dir / "tree/a", action)});
  }
  // Applies a plan of one action that fails; the reason.
  std::string failure(const Plan& plan) const {
    std::string reason;
    ApplyOptions options;
    options.act = true;
    options.item = [&](const ItemReport& item) {
      EXPECT_EQ(item.outcome, Outcome::kFailed);
      reason = item.reason;
    };
    const auto summary = apply_plan(plan, options);
    EXPECT_TRUE(summary) << summary.error().message;
    return reason;
  }

  TestDir dir;
  Snapshot before;
};

TEST_F(ReplaceTest, AHardLinkLeadsToTheKeeperAndUndoBringsTheFileBack) {
  ASSERT_EQ(applied(plan(Action::kHardlink)).done, 1U);
  EXPECT_TRUE(fs::equivalent(dir / "tree/sub/b", dir / "tree/a"));
  EXPECT_EQ(fs::hard_link_count(dir / "tree/a"), 2U);
  ASSERT_TRUE(undo_run({}));
  EXPECT_EQ(snapshot(dir / "tree"), before);
}

TEST_F(ReplaceTest, ASymlinkIsRelativeSoThatTheTreeCanMove) {
  ASSERT_EQ(applied(plan(Action::kSymlink)).done, 1U);
  EXPECT_EQ(fs::read_symlink(dir / "tree/sub/b"), "../a");
  fs::rename(dir / "tree", dir / "moved");
  EXPECT_EQ(dir.read("moved/sub/b"), "content");
  fs::rename(dir / "moved", dir / "tree");
  ASSERT_TRUE(undo_run({}));
  EXPECT_EQ(snapshot(dir / "tree"), before);
}

TEST_F(ReplaceTest, ASymlinkBelowALinkedFolderLeadsToTheKeeper) {
  fs::create_directories(dir / "tree/x/y");
  fs::create_directory_symlink("x/y", dir / "tree/alias");
  dir.write("tree/x/y/c", "content");
  const Plan odd = plan_of({action_for(dir / "tree/alias/c", dir / "tree/a", Action::kSymlink)});
  ASSERT_EQ(applied(odd).done, 1U);
  EXPECT_EQ(dir.read("tree/x/y/c"), "content");
  EXPECT_EQ(fs::read_symlink(dir / "tree/x/y/c"), "../../a");
}

// R4.  fclones#196: 23,000 symbolic links, because hard links failed across disks.
TEST_F(ReplaceTest, R4AHardLinkAcrossFileSystemsFailsAndNothingElseIsDone) {
  std::string name = fs::temp_directory_path() / "twinsift-test-XXXXXX";
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  const std::string other = name + "/a";
  std::ofstream(other) << "content";
  struct stat here {};
  struct stat there {};
  ASSERT_EQ(::stat((dir / "tree").c_str(), &here), 0);
  ASSERT_EQ(::stat(other.c_str(), &there), 0);
  if (here.st_dev != there.st_dev) {
    const Plan across = plan_of({action_for(dir / "tree/sub/b", other, Action::kHardlink)});
    EXPECT_NE(failure(across).find("a hard link cannot lead to another file system"),
              std::string::npos);
    EXPECT_EQ(snapshot(dir / "tree"), before);
    const Plan symlink = plan_of({action_for(dir / "tree/sub/b", other, Action::kSymlink)});
    EXPECT_EQ(applied(symlink).done, 1U);
    EXPECT_EQ(fs::read_symlink(dir / "tree/sub/b"), fs::canonical(other));
  }
  fs::remove_all(name);
  if (here.st_dev == there.st_dev) GTEST_SKIP() << "there is only one file system";
}

TEST_F(ReplaceTest, R4AReflinkIsMadeOrFailsAndNothingElseIsDone) {
  std::string reason;
  ApplyOptions options;
  options.act = true;
  options.item = [&](const ItemReport& item) { reason = item.reason; };
  const auto summary = apply_plan(plan(Action::kReflink), options);
  ASSERT_TRUE(summary);
  if (summary->done == 0) {
    EXPECT_NE(reason.find("the file system has no reflinks"), std::string::npos) << reason;
    EXPECT_EQ(snapshot(dir / "tree"), before);
    return;
  }
  EXPECT_FALSE(fs::equivalent(dir / "tree/sub/b", dir / "tree/a"));
  EXPECT_EQ(dir.read("tree/sub/b"), "content");
  ASSERT_TRUE(undo_run({}));
  EXPECT_EQ(snapshot(dir / "tree"), before);
}

// R3.  czkawka#1656: the file was removed first, the link then failed, and all copies were lost.
// rdfind#5: the same by interruption.  Each step fails once.
TEST_F(ReplaceTest, R3WhateverStepFailsTheFileIsStillThere) {
  for (const Action action : {Action::kHardlink, Action::kSymlink}) {
    for (const std::string step : {"link", "symlink", "exchange", "unlink"}) {
      bool failed = false;
      set_step_hook([&](std::string_view name) {
        if (name != step || failed) return 0;
        failed = true;
        return ENOSPC;
      });
      const ApplySummary summary = applied(plan(action));
      set_step_hook({});
      if (failed) {
        EXPECT_EQ(summary.failed, 1U) << step;
        EXPECT_EQ(snapshot(dir / "tree"), before) << step;
      } else {
        ASSERT_TRUE(undo_run({}));
        EXPECT_EQ(snapshot(dir / "tree"), before) << step;
      }
    }
  }
}

// czkawka#1991: the error of going back was swallowed.
TEST_F(ReplaceTest, R3IfGoingBackFailsTooTheMessageAndTheJournalNameThePlaces) {
  bool broken = false;
  set_step_hook([&](std::string_view step) {
    if (step == "exchange") broken = true;
    return broken && step != "write" && step != "fsync" && !step.ends_with("done") ? EIO : 0;
  });
  const std::string reason = failure(plan(Action::kHardlink));
  set_step_hook({});
  EXPECT_NE(reason.find("going back failed, too"), std::string::npos) << reason;
  const auto run = read_run(*journal_of(run_names()->back()));
  ASSERT_TRUE(run);
  const RunItem& item = run->items.at(0);
  EXPECT_EQ(item.state, ItemState::kOpen);
  EXPECT_NE(reason.find(item.intent.files[0].temp), std::string::npos) << reason;
  EXPECT_NE(reason.find(item.intent.files[0].quarantined), std::string::npos) << reason;
  EXPECT_NE(read_file(run->path).find("\"restored\":false"), std::string::npos);
  // With the disk mended, undo finishes what is left.
  ASSERT_TRUE(undo_run({}));
  EXPECT_EQ(snapshot(dir / "tree"), before);
}

// File systems that cannot exchange two names (NFS) get a plain rename.
TEST_F(ReplaceTest, WithoutExchangeTheLinkIsRenamedOver) {
  for (const Action action : {Action::kHardlink, Action::kSymlink}) {
    set_step_hook([](std::string_view step) { return step == "exchange" ? EINVAL : 0; });
    EXPECT_EQ(applied(plan(action)).done, 1U);
    EXPECT_TRUE(fs::equivalent(dir / "tree/sub/b", dir / "tree/a"));
    EXPECT_TRUE(undo_run({}));
    set_step_hook({});
    EXPECT_EQ(snapshot(dir / "tree"), before);
  }
}

TEST_F(ReplaceTest, WithoutNoReplaceAFileIsLinkedAndItsOldNameRemoved) {
  set_step_hook([](std::string_view step) { return step == "rename" ? EINVAL : 0; });
  EXPECT_EQ(applied(plan(Action::kQuarantine)).done, 1U);
  EXPECT_FALSE(fs::exists(dir / "tree/sub/b"));
  EXPECT_TRUE(undo_run({}));
  set_step_hook({});
  EXPECT_EQ(snapshot(dir / "tree"), before);
}

}  // namespace
}  // namespace twinsift
