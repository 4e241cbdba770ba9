// SPDX-License-Identifier: Apache-2.0
// The rules of docs/SAFETY.md that hold for each action, with the faults they come from.
#include "act/apply.h"

#include <cstdio>
#include <stop_token>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/runs.h"
#include "act/steps.h"
#include "act/test_tree.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

using ApplyTest = ActTest;

TEST_F(ApplyTest, ADryRunTouchesNothing) {
  const Plan plan = plan_of({action_for(make("b"), make("a"))});
  const Snapshot before = snapshot(dir.path().string(), true);
  const auto summary = apply_plan(plan, {});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->done, 1U);
  EXPECT_EQ(summary->run, "");
  EXPECT_EQ(snapshot(dir.path().string(), true), before);
}

TEST_F(ApplyTest, WhatGoesIsTheSameFileInTheQuarantine) {
  make("a");
  const std::string loser = make("b");
  struct stat before {};
  ASSERT_EQ(::stat(loser.c_str(), &before), 0);
  const ApplySummary summary = applied(plan_of({action_for(loser, dir / "tree/a")}));
  EXPECT_EQ(summary.done, 1U);
  EXPECT_FALSE(fs::exists(loser));
  const auto run = read_run(summary.journal);
  ASSERT_TRUE(run) << run.error().message;
  const TakenFile& file = run->items.at(0).intent.files[0];
  struct stat after {};
  ASSERT_EQ(::stat(file.quarantined.c_str(), &after), 0);
  EXPECT_EQ(after.st_ino, before.st_ino);
  EXPECT_TRUE(
      contains(read_file(fs::path(file.quarantined).parent_path() / "manifest.ndjson"), loser));
}

TEST_F(ApplyTest, R1AKeeperThatIsGoneKeepsItsLosers) {
  const Plan plan = plan_of({action_for(make("b"), make("a"))});
  fs::remove(dir / "tree/a");
  expect_skipped(plan, "vanished");
}

TEST_F(ApplyTest, R5WhatBecomesProtectedBetweenCheckAndActionIsNotTouched) {
  make("a");
  make("master/x", "x");
  make("plain/b");
  Plan plan = plan_of({action_for(dir / "tree/plain/b", dir / "tree/a")});
  // The protected path is a link that is turned round once the plan as a whole has been checked.
  fs::create_directory_symlink("master", dir / "tree/guard");
  plan.header.protect = {dir / "tree/guard"};
  plan.actions.insert(plan.actions.begin(), action_for(make("c", "2"), make("d", "2")));
  ApplyOptions options;
  options.act = true;
  std::string reason;
  options.item = [&](const ItemReport& item) {
    if (item.n == 0) {
      fs::remove(dir / "tree/guard");
      fs::create_directory_symlink("plain", dir / "tree/guard");
    } else {
      reason = item.reason;
    }
  };
  const auto summary = apply_plan(plan, options);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->skipped, 1U);
  EXPECT_TRUE(contains(reason, "it is protected now")) << reason;
  EXPECT_TRUE(fs::exists(dir / "tree/plain/b"));
}

// R7.  jdupes notes that files may change between the look and the action.
TEST_F(ApplyTest, R7ChangedFilesAreSkipped) {
  make("a");
  make("b");
  const Plan plan = plan_of({action_for(dir / "tree/b", dir / "tree/a")});
  const auto restore_time = [&](const std::string& name, const FileProof& proof) {
    const timespec times[2] = {
        {.tv_sec = 0, .tv_nsec = UTIME_OMIT},
        {.tv_sec = proof.mtime_ns / 1'000'000'000, .tv_nsec = proof.mtime_ns % 1'000'000'000}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (dir / name).c_str(), times, 0), 0);
  };
  {
    std::ofstream(dir / "tree/b") << "the other byte";  // the same size, another time
    expect_skipped(plan, "it was written to since");
    restore_time("tree/b", plan.actions[0].loser);
    expect_skipped(plan, "its content is not what the plan says");
    std::ofstream(dir / "tree/b") << "the same bytes";
    restore_time("tree/b", plan.actions[0].loser);
  }
  std::ofstream(dir / "tree/a", std::ios::app) << "more";
  expect_skipped(plan, "another size");
  fs::remove(dir / "tree/a");
  make("a");
  expect_skipped(plan, "another file");
  fs::remove(dir / "tree/b");
  fs::create_symlink("a", dir / "tree/b");
  Plan keeper_again = plan;
  keeper_again.actions[0].keeper = proof_of(dir / "tree/a");
  expect_skipped(keeper_again, "it is a symbolic link now");
}

// A digest is no proof against an attacker; the bytes are.
TEST_F(ApplyTest, R7ExactDuplicatesAreComparedByteByByte) {
  Plan plan = plan_of({action_for(make("b", "other bytes!!!"), make("a"))});
  plan.actions[0].exact = true;
  plan.actions[0].loser.digest = plan.actions[0].keeper.digest;
  expect_skipped(plan, "its content is not what the plan says");
}

TEST_F(ApplyTest, R7AKeeperWrittenToDuringTheActionBringsTheLoserBack) {
  make("a");
  make("b");
  const Plan plan = plan_of({action_for(dir / "tree/b", dir / "tree/a")});
  set_step_hook([&](std::string_view step) {
    if (step == "rename done") std::ofstream(dir / "tree/a", std::ios::app) << "more";
    return 0;
  });
  const ApplySummary summary = applied(plan);
  set_step_hook({});
  EXPECT_EQ(summary.failed, 1U);
  EXPECT_EQ(dir.read("tree/b"), "the same bytes");
}

TEST_F(ApplyTest, R7AFileThatTakesTheLosersPlaceAtTheLastMomentIsNotLost) {
  for (const Action action : {Action::kQuarantine, Action::kHardlink, Action::kSymlink}) {
    make("a");
    make("b");
    const Plan plan = plan_of({action_for(dir / "tree/b", dir / "tree/a", action)});
    const std::string last = action == Action::kQuarantine ? "rename" : "exchange";
    bool swapped = false;
    set_step_hook([&](std::string_view step) {
      if (step != last || std::exchange(swapped, true)) return 0;
      fs::rename(dir / "tree/b", dir / "tree/moved");
      make("b", "new and precious");
      return 0;
    });
    const ApplySummary summary = applied(plan);
    set_step_hook({});
    EXPECT_EQ(summary.failed, 1U);
    EXPECT_EQ(dir.read("tree/b"), "new and precious") << action_name(action);
    EXPECT_EQ(dir.read("tree/moved"), "the same bytes");
  }
}

// R8.  dupeGuru's chained groups; marin#6854.
TEST_F(ApplyTest, R8NearDuplicatesMustStillMatchTheirKeeper) {
  const std::string keeper = make("a", prose(0));
  Plan near = plan_of({action_for(make("b", prose(5)), keeper)});
  near.actions[0].reviewed = true;
  Plan far = plan_of({action_for(make("c", prose(90)), keeper)});
  far.actions[0].reviewed = true;
  far.actions[0].score = 0.99;  // a claim
  expect_skipped(far, "below the threshold 0.8000");
  EXPECT_EQ(applied(near).done, 1U);
}

// The similarity is computed from paths.  Whoever swaps two folders at the right moment must not
// have one file compared and another one taken.
TEST_F(ApplyTest, R8TheFileThatGoesIsTheOneThatWasCompared) {
  const std::string keeper = make("a", prose(0));
  const std::string far = make("x/b", prose(90));
  make("y/b", prose(5));
  Plan plan = plan_of({action_for(far, keeper)});
  plan.actions[0].reviewed = true;
  const std::string x = dir / "tree/x";
  const std::string y = dir / "tree/y";
  const std::jthread swapper([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      ::renameat2(AT_FDCWD, x.c_str(), AT_FDCWD, y.c_str(), RENAME_EXCHANGE);
      std::this_thread::yield();
    }
  });
  for (int i = 0; i < 200; ++i) ASSERT_EQ(applied(plan).done, 0U) << i;
}

// R12.  Immich#27733: half of a Live Photo was deleted.
TEST_F(ApplyTest, R12CompanionsGoWithTheirFileOrNothingGoes) {
  make("a.jpg");
  make("a.mov", "2");
  Plan plan = plan_of({action_for(make("b.jpg"), dir / "tree/a.jpg")});
  plan.actions[0].companions = {proof_of(make("b.xmp", "1")), proof_of(make("b.mov", "2"))};
  fs::remove(dir / "tree/b.mov");
  expect_skipped(plan, "b.mov: vanished");
  plan.actions[0].companions[1] = proof_of(make("b.mov", "2"));
  // The third rename fails: the first two files come back.
  int renames = 0;
  set_step_hook(
      [&](std::string_view step) { return step == "rename" && ++renames == 3 ? EIO : 0; });
  const Snapshot before = snapshot(dir / "tree");
  EXPECT_EQ(applied(plan).failed, 1U);
  set_step_hook({});
  EXPECT_EQ(snapshot(dir / "tree"), before);
  EXPECT_EQ(applied(plan).done, 1U);
  EXPECT_EQ(snapshot(dir / "tree").size(), 2U);
}

// The film beside the kept picture was there when the plan was made.
TEST_F(ApplyTest, R12TheLastCopyOfTheOtherHalfStays) {
  make("a.jpg");
  make("a.mov", "film");
  Plan plan = plan_of({action_for(make("b.jpg"), dir / "tree/a.jpg")});
  plan.actions[0].companions = {proof_of(make("b.mov", "film"))};
  fs::remove(dir / "tree/a.mov");
  expect_skipped(plan, "there is no equal file beside");
  make("a.mov", "flim");
  expect_skipped(plan, "there is no equal file beside");
  fs::remove(dir / "tree/a.mov");
  fs::create_hard_link(dir / "tree/b.mov", dir / "tree/a.mov");
  expect_skipped(plan, "there is no equal file beside");
  fs::remove(dir / "tree/a.mov");
  make("a.MOV", "film");
  EXPECT_EQ(applied(plan).done, 1U);
}

TEST_F(ApplyTest, ApplyingAPlanAgainDoesNothingTwice) {
  const Plan plan = plan_of({action_for(make("b"), make("a"))});
  const ApplySummary first = applied(plan);
  const Snapshot after = tree();
  const ApplySummary again = applied(plan);
  EXPECT_EQ(again.run, first.run);
  EXPECT_EQ(again.before, 1U);
  EXPECT_EQ(again.done + again.skipped + again.failed, 0U);
  EXPECT_EQ(tree(), after);
}

TEST_F(ApplyTest, AnInterruptedRunEndsBetweenActionsAndGoesOnLater) {
  const std::string a = make("a");
  const Plan plan = plan_of({action_for(make("b"), a), action_for(make("c"), a)});
  std::stop_source stop;
  ApplyOptions options;
  options.act = true;
  options.stop = stop.get_token();
  options.item = [&](const ItemReport&) { stop.request_stop(); };
  const auto summary = apply_plan(plan, options);
  ASSERT_TRUE(summary);
  EXPECT_TRUE(summary->interrupted);
  EXPECT_EQ(summary->done, 1U);
  EXPECT_TRUE(contains(read_file(summary->journal), "\"interrupted\":true"));
  const auto copy = plan_of_run(summary->run);
  ASSERT_TRUE(copy) << copy.error().message;
  const ApplySummary rest = applied(*copy);
  EXPECT_EQ(rest.run, summary->run);
  EXPECT_EQ(rest.before, 1U);
  EXPECT_EQ(rest.done, 1U);
}

}  // namespace
}  // namespace twinsift
