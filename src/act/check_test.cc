// SPDX-License-Identifier: Apache-2.0
// The rules of docs/SAFETY.md by which a whole plan is refused, with the faults they come from.
#include "act/check.h"

#include <functional>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

#include "act/live_file.h"
#include "act/test_tree.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

using CheckTest = ActTest;

// R1.  VDF#864: every matching member was checked, and so every copy went.
TEST_F(CheckTest, R1APlanThatTakesEveryMemberIsRefused) {
  const std::string a = make("a");
  const std::string b = make("b");
  const std::string c = make("c");
  expect_refused(plan_of({action_for(b, a), action_for(c, a), action_for(a, b)}),
                 "the last copy is never touched");
}

TEST_F(CheckTest, R1ACompanionThatAnotherLineKeepsIsRefused) {
  const std::string a = make("a");
  const std::string b = make("b");
  Plan plan = plan_of({action_for(b, a), action_for(make("d", "else"), make("c", "else"))});
  plan.actions[0].companions.push_back(proof_of(dir / "tree/c"));
  expect_refused(plan, "the last copy is never touched");
}

// What purge may free tomorrow keeps nothing today, by whatever way.
TEST_F(CheckTest, R1AFileInAQuarantineIsNoKeeper) {
  make(".twinsift-quarantine-7/run/000000.0");
  fs::create_directory_symlink(".twinsift-quarantine-7/run", dir / "tree/alias");
  const std::string b = make("b");
  for (const std::string way : {".twinsift-quarantine-7/run", "alias"}) {
    expect_refused(plan_of({action_for(b, dir / "tree/" + way + "/000000.0")}),
                   "is in a quarantine");
  }
}

// A file that a hand put among the companions has no keeper at all.
TEST_F(CheckTest, R1ACompanionThatIsNoneIsRefused) {
  make("a.jpg");
  Plan plan = plan_of({action_for(make("b.jpg"), dir / "tree/a.jpg")});
  make("sub/b.xmp", "elsewhere");
  make("b.xmp", "of b");
  for (const std::string name : {"thesis.doc", "c.jpg", "a.xmp", "b.png", "sub/b.xmp"}) {
    plan.actions[0].companions = {proof_of(dir / "tree/b.xmp"),
                                  proof_of(make(name, "the only copy"))};
    expect_refused(plan, "it is no companion of");
  }
}

// Immich#27733 by hand: 'To keep a file, delete its line.'
TEST_F(CheckTest, R12ALineTakenOutDoesNotPartCompanions) {
  for (const std::string name : {"in/1.jpg", "out/1.jpg"}) make(name, "picture");
  for (const std::string name : {"in/1.mov", "out/1.mov"}) make(name, "film");
  const auto picture = action_for(dir / "tree/out/1.jpg", dir / "tree/in/1.jpg");
  const auto film = action_for(dir / "tree/out/1.mov", dir / "tree/in/1.mov");
  expect_refused(plan_of({picture}), "they belong together");
  expect_refused(plan_of({film}), "they belong together");
  make("out/1.xmp", "rating");
  expect_refused(plan_of({picture, film}), "1.xmp would stay, but they belong together");
  Plan all = plan_of({picture, film});
  all.actions[1].companions = {proof_of(dir / "tree/out/1.xmp")};
  auto link = picture;
  link.action = Action::kHardlink;
  EXPECT_TRUE(reasons_to_refuse(plan_of({link}), {}).empty());  // the name stays
  EXPECT_TRUE(reasons_to_refuse(all, {}).empty());
  EXPECT_EQ(applied(all).done, 2U);
}

TEST_F(CheckTest, R1AFileThatWouldGoTwiceIsRefused) {
  const std::string a = make("a");
  const std::string b = make("b");
  expect_refused(plan_of({action_for(b, a), action_for(b, a)}), "would go twice");
  fs::create_directory_symlink(dir / "tree", dir / "alias");
  expect_refused(plan_of({action_for(b, a), action_for(dir / "alias/b", a)}), "would go twice");
}

// R2.  jdupes <= 1.14.1 and `fdupes -H dir dir` found files to be duplicates of themselves.
TEST_F(CheckTest, R2AFileIsNeverItsOwnDuplicate) {
  const std::string a = make("a");
  expect_refused(plan_of({action_for(a, a)}), "the same file");
  fs::create_hard_link(a, dir / "tree/hard");
  expect_refused(plan_of({action_for(dir / "tree/hard", a)}), "the same file");
  fs::create_directory_symlink(dir / "tree", dir / "alias");
  expect_refused(plan_of({action_for(dir / "alias/a", a)}), "the same file");
  // The same with numbers that were edited until they looked different.
  Plan edited = plan_of({action_for(dir / "alias/a", a)});
  edited.actions[0].loser.inode += 1;
  expect_refused(edited, "the same file");
}

// R5.  dupeguru#1073: the state of the reference folders was saved, and stale.
TEST_F(CheckTest, R5ProtectedFilesAreRefusedWhateverPathLeadsToThem) {
  make("other/a");
  make("master/sub/b");
  fs::create_directory_symlink(dir / "tree/master", dir / "tree/alias");
  const std::string keeper = dir / "tree/other/a";
  const CheckOptions by_option{.protect = {dir / "tree/master"}};
  const CheckOptions by_link{.protect = {dir / "tree/alias"}};
  const CheckOptions by_dots{.protect = {dir / "tree/other/../master"}};
  for (const CheckOptions& check : {by_option, by_link, by_dots}) {
    expect_refused(plan_of({action_for(dir / "tree/master/sub/b", keeper)}), "is protected", check);
    expect_refused(plan_of({action_for(dir / "tree/alias/sub/b", keeper)}), "is protected", check);
  }
  Plan by_header = plan_of({action_for(dir / "tree/master/sub/b", keeper)});
  by_header.header.protect = {dir / "tree/master"};
  expect_refused(by_header, "is protected");
  expect_refused(by_header, "it must be there", {.protect = {dir / "tree/nowhere"}});
}

// R6.  rmlint#672: all files without a checksum became one group.
TEST_F(CheckTest, R6LinesWithoutProofAreRefused) {
  const Plan good = plan_of({action_for(make("b"), make("a"))});
  const std::vector<std::function<void(PlannedAction&)>> edits = {
      [](PlannedAction& action) { action.loser.digest.clear(); },
      [](PlannedAction& action) { action.keeper.digest.clear(); },
      [](PlannedAction& action) { action.loser.digest = action.keeper.digest = "0"; },
      [](PlannedAction& action) { action.loser.inode = 0; },
      [](PlannedAction& action) { action.keeper.path = "a"; },
  };
  for (const auto& edit : edits) {
    Plan plan = good;
    edit(plan.actions[0]);
    expect_refused(plan, "proof");
  }
  Plan plan = good;
  plan.actions[0].loser.digest[0] = plan.actions[0].loser.digest[0] == 'a' ? 'b' : 'a';
  expect_refused(plan, "it is called exact");
}

// A folder that is mounted below a protected one is protected by its other name, too.
TEST_F(CheckTest, R5WhatIsMountedBelowAProtectedFolderIsProtected) {
  const std::string keeper = make("kept");
  const std::string file = make("elsewhere/deep/b");
  fs::create_directories(dir / "tree/master/a blank");
  Plan plan = plan_of({action_for(file, keeper)});
  plan.header.protect = {dir / "tree/master"};
  const int status = in_child([&] {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount((dir / "tree/elsewhere").c_str(), (dir / "tree/master/a blank").c_str(), nullptr,
                MS_BIND, nullptr) != 0) {
      return 7;
    }
    const auto reasons = reasons_to_refuse(plan, {});
    const auto folders = ProtectedFolders::make({dir / "tree/master"});
    return reasons.size() == 1 && contains(reasons[0], "is protected") &&
                   folders->contains(proof_of(file))
               ? 0
               : 1;
  });
  if (status == 7) GTEST_SKIP() << "not permitted here";
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(reasons_to_refuse(plan, {}).empty());  // outside nothing is mounted there
}

// R9.  marin#6854: one cluster took 97 % of a source.
TEST_F(CheckTest, R9APlanThatTakesMostOfAFolderIsRefused) {
  std::vector<PlannedAction> actions;
  for (int i = 0; i < 30; ++i) {
    const std::string name = std::to_string(i);
    make("books/" + name, "book " + name);
    make("kept/" + name, "book " + name);
    if (i < 16) {
      actions.push_back(action_for(dir / "tree/books/" + name, dir / "tree/kept/" + name));
    }
  }
  const Plan plan = plan_of(actions);
  expect_refused(plan, dir / "tree/books: the plan takes 16 of the 30 files");
  expect_refused(plan, "--allow-wipeout", {.allow_wipeout = {dir / "tree/kept"}});
  Plan half = plan;
  half.actions.pop_back();  // 15 of 30 are not more than half
  EXPECT_EQ(applied(half).done, 15U);
}

TEST_F(CheckTest, R9ALinkToAFolderDoesNotPartItsLosses) {
  fs::create_directories(dir / "tree/books");
  fs::create_directory_symlink("books", dir / "tree/alias");
  std::vector<PlannedAction> actions;
  for (int i = 0; i < 20; ++i) {
    const std::string name = std::to_string(i);
    make("books/" + name, "book " + name);
    const std::string way = i % 2 == 0 ? "books/" : "alias/";
    actions.push_back(action_for(dir / "tree/" + way + name, make("kept/" + name, "book " + name)));
  }
  expect_refused(plan_of(actions), dir / "tree/books: the plan takes 20 of the 20 files");
  EXPECT_EQ(applied(plan_of(actions), {.allow_wipeout = {dir / "tree/books"}}).done, 20U);
}

TEST_F(CheckTest, R9TheAlarmIsLiftedForAPathAlone) {
  std::vector<PlannedAction> actions;
  for (const std::string folder : {"x", "y"}) {
    for (int i = 0; i < 20; ++i) {
      const std::string name = folder + "/" + std::to_string(i);
      make(name, name);
      make("kept/" + name, name);
      actions.push_back(action_for(dir / "tree/" + name, dir / "tree/kept/" + name));
    }
  }
  const std::string one = refusal(plan_of(actions), {.allow_wipeout = {dir / "tree/x"}});
  EXPECT_TRUE(contains(one, "tree/y: the plan takes 20 of the 20")) << one;
  EXPECT_FALSE(contains(one, "tree/x:")) << one;
  EXPECT_EQ(applied(plan_of(actions), {.allow_wipeout = {dir / "tree/x", dir / "tree/y"}}).done,
            40U);
}

TEST_F(CheckTest, R9ExactLinksTakeNothingAndRaiseNoAlarm) {
  std::vector<PlannedAction> actions;
  for (int i = 0; i < 20; ++i) {
    const std::string name = std::to_string(i);
    actions.push_back(
        action_for(make("x/" + name, name), make("kept/" + name, name), Action::kHardlink));
  }
  EXPECT_EQ(applied(plan_of(actions)).done, 20U);
}

TEST_F(CheckTest, R9AGroupWithMoreThanOnePercentOfAllItemsIsRefused) {
  std::vector<PlannedAction> actions;
  make("a");
  for (int i = 0; i < 21; ++i) {
    actions.push_back(action_for(make(fmt::format("{}/b", i)), dir / "tree/a"));
    for (int j = 0; j < 3; ++j) make(fmt::format("{}/rest{}", i, j));
  }
  Plan plan = plan_of(actions);
  plan.header.items = 2100;
  expect_refused(plan, "group 0 holds 22 of all 2,100 items");
  plan.header.items = 1999;  // too few to mean anything
  EXPECT_EQ(applied(plan).done, 21U);
}

// R14.
TEST_F(CheckTest, R14NearDuplicatesNeedAReview) {
  Plan plan = plan_of({action_for(make("b", prose(5)), make("a", prose(0)))});
  expect_refused(plan, "nobody has reviewed");
  plan.actions[0].action = Action::kHardlink;
  expect_refused(plan, "can only be quarantined", {.unreviewed = true});
  plan.actions[0].action = Action::kQuarantine;
  EXPECT_EQ(applied(plan, {.unreviewed = true}).done, 1U);
}

TEST_F(CheckTest, FilesInAQuarantineAreNoBusinessOfAPlan) {
  make("a");
  const std::string b = make("b");
  const ApplySummary summary = applied(plan_of({action_for(b, dir / "tree/a")}));
  const auto run = read_run(summary.journal);
  make("c");
  const std::string hidden = run->items.at(0).intent.files[0].quarantined;
  EXPECT_TRUE(
      contains(refusal(plan_of({action_for(dir / "tree/c", hidden)})), "is in a quarantine"));
}

}  // namespace
}  // namespace twinsift
