// SPDX-License-Identifier: Apache-2.0
#include "act/purge.h"

#include <gtest/gtest.h>

#include "act/runs.h"
#include "act/steps.h"
#include "act/test_tree.h"
#include "act/undo.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

class PurgeTest : public testing::Test {
 protected:
  PurgeTest() {
    use_home(dir.path().string());
    dir.write("tree/a", "content");
    dir.write("tree/b", "content");
    EXPECT_EQ(applied(plan_of({action_for(dir / "tree/b", dir / "tree/a")})).done, 1U);
    quarantined =
        read_run(*journal_of(run_names()->back()))->items.at(0).intent.files[0].quarantined;
  }
  PurgeSummary purge(std::int64_t age = 0, bool act = true) {
    PurgeOptions options;
    options.act = act;
    options.older_than_s = age;
    options.item = [&](const PurgeItem& item) { reason = item.reason; };
    const auto summary = purge_runs(options);
    EXPECT_TRUE(summary) << summary.error().message;
    return *summary;
  }
  // A purge that was killed after it had said what it would free.
  bool killed_before_freeing() {
    constexpr int kKilled = 7;
    return in_child([&] {
             set_step_hook([](std::string_view step) {
               if (step == "unlink") ::_exit(kKilled);
               return 0;
             });
             purge();
             return 0;
           }) == kKilled;
  }

  TestDir dir;
  std::string quarantined;
  std::string reason;
};

TEST_F(PurgeTest, FreesWhatIsOldEnoughAndNothingElse) {
  EXPECT_EQ(purge(3600).young, 1U);
  EXPECT_TRUE(fs::exists(quarantined));
  EXPECT_EQ(purge(0, false).purged, 1U);  // a dry run
  EXPECT_TRUE(fs::exists(quarantined));
  const PurgeSummary freed = purge();
  EXPECT_EQ(freed.purged, 1U);
  EXPECT_EQ(freed.bytes, 7U);
  EXPECT_FALSE(fs::exists(quarantined));
  EXPECT_FALSE(fs::exists(fs::path(quarantined).parent_path()));
  EXPECT_EQ(purge().purged, 0U);
  EXPECT_EQ(list_runs()->front().purged, 1U);
}

// R1 holds here, too.
TEST_F(PurgeTest, R1TheLastCopyIsNotFreed) {
  fs::rename(dir / "tree/a", dir / "tree/away");
  EXPECT_EQ(purge().refused, 1U);
  EXPECT_NE(reason.find("may be the last copy"), std::string::npos) << reason;
  dir.write("tree/a", "changed");
  EXPECT_EQ(purge().refused, 1U);
  fs::remove(dir / "tree/a");
  fs::create_hard_link(quarantined, dir / "tree/a");  // the quarantined file itself
  EXPECT_EQ(purge().refused, 1U);
  EXPECT_TRUE(fs::exists(quarantined));
  fs::remove(dir / "tree/a");
  fs::rename(dir / "tree/away", dir / "tree/a");
  EXPECT_EQ(purge().purged, 1U);
}

// A program that had the file open goes on writing to it in the quarantine.
TEST_F(PurgeTest, R1BytesThatWereWrittenAfterTheFileWentAreNotFreed) {
  std::ofstream(quarantined, std::ios::app) << " and more";
  EXPECT_EQ(purge().refused, 1U);
  EXPECT_NE(reason.find("was written to after it went"), std::string::npos) << reason;
  fs::create_hard_link(quarantined, dir / "tree/elsewhere");  // then nothing is lost with it
  EXPECT_EQ(purge().purged, 1U);
  EXPECT_EQ(dir.read("tree/elsewhere"), "content and more");
}

// The look at the keeper that came before the kill says nothing about today.
TEST_F(PurgeTest, R1APurgeThatWasKilledLooksAgain) {
  ASSERT_TRUE(killed_before_freeing());
  fs::remove(dir / "tree/a");
  EXPECT_EQ(purge().refused, 1U);
  EXPECT_TRUE(fs::exists(quarantined));
  dir.write("tree/a", "content");
  EXPECT_EQ(purge().purged, 1U);
}

// The RAW that went along with its JPEG has a keeper of its own: the one beside the kept JPEG.
TEST_F(PurgeTest, R1TheLastCopyOfAnotherHalfIsNotFreed) {
  for (const std::string name : {"in/1.jpg", "out/1.jpg"}) dir.write("tree/" + name, "picture");
  for (const std::string name : {"in/1.cr2", "out/1.cr2"}) dir.write("tree/" + name, "raw");
  Plan plan = plan_of({action_for(dir / "tree/out/1.jpg", dir / "tree/in/1.jpg")});
  plan.actions[0].companions = {proof_of(dir / "tree/out/1.cr2")};
  ASSERT_EQ(applied(plan).done, 1U);
  fs::remove(dir / "tree/in/1.cr2");
  const PurgeSummary summary = purge();
  EXPECT_EQ(summary.refused, 1U);
  EXPECT_NE(reason.find("no equal file beside"), std::string::npos) << reason;
  EXPECT_EQ(summary.purged, 1U);  // the other run
  ASSERT_TRUE(undo_run({}));
  EXPECT_EQ(dir.read("tree/out/1.cr2"), "raw");
}

TEST_F(PurgeTest, WhatIsNotTheQuarantinedFileStays) {
  fs::remove(quarantined);
  std::ofstream(quarantined) << "somebody else's";
  fs::create_hard_link(quarantined, quarantined + "x");
  EXPECT_EQ(purge().failed, 1U);
  EXPECT_TRUE(fs::exists(quarantined));
}

TEST_F(PurgeTest, UndoSaysWhatPurgeHasFreed) {
  purge();
  UndoOptions options;
  options.item = [&](const UndoItem& item) { reason = item.reason; };
  const auto summary = undo_run(options);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->purged, 1U);
  EXPECT_NE(reason.find("freed for good by purge"), std::string::npos);
}

TEST_F(PurgeTest, AKillBeforeTheFileIsFreedLeavesItForUndo) {
  ASSERT_TRUE(killed_before_freeing());
  ASSERT_TRUE(undo_run({}));
  EXPECT_EQ(dir.read("tree/b"), "content");
}

TEST_F(PurgeTest, AnUndoneRunHasNothingToFree) {
  ASSERT_TRUE(undo_run({}));
  EXPECT_EQ(purge().purged, 0U);
  EXPECT_EQ(dir.read("tree/b"), "content");
}

}  // namespace
}  // namespace twinsift
