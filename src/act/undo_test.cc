// SPDX-License-Identifier: Apache-2.0
#include "act/undo.h"

#include <gtest/gtest.h>

#include "act/runs.h"
#include "act/test_tree.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

class UndoTest : public testing::Test {
 protected:
  UndoTest() {
    use_home(dir.path().string());
    dir.write("tree/a", "content");
    dir.write("tree/sub/b", "content");
    make_peculiar(dir / "tree/sub/b", 1);
  }
  ApplySummary apply(Action action = Action::kQuarantine) const {
    return applied(plan_of({action_for(dir / "tree/sub/b", dir / "tree/a", action)}));
  }
  // Why the only action could not be undone.
  static std::string failure() {
    std::string reason;
    UndoOptions options;
    options.item = [&](const UndoItem& item) { reason = item.reason; };
    const auto summary = undo_run(options);
    EXPECT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->failed + summary->purged, 1U);
    return reason;
  }
  [[nodiscard]] std::string quarantined() const {
    return read_run(*journal_of(run_names()->back()))->items.at(0).intent.files[0].quarantined;
  }

  TestDir dir;
};

// R10.  hydrus#292: "back" did not bring the file back.
TEST_F(UndoTest, R10BackBringsTheFileBackWithEverythingThatItWas) {
  fs::create_hard_link(dir / "tree/sub/b", dir / "tree/second name");
  const Snapshot before = snapshot(dir / "tree", true);
  for (const Action action : {Action::kQuarantine, Action::kHardlink, Action::kSymlink}) {
    ASSERT_EQ(apply(action).done, 1U);
    ASSERT_NE(snapshot(dir / "tree", true), before);
    const auto summary = undo_run({});
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->undone, 1U);
    EXPECT_EQ(snapshot(dir / "tree", true), before) << action_name(action);
    EXPECT_TRUE(fs::is_empty(dir / "data/twinsift/quarantine") || !fs::exists(quarantined()));
  }
}

TEST_F(UndoTest, TheTimesOfFoldersThatSomebodyElseChangedStay) {
  ASSERT_EQ(apply().done, 1U);
  ::usleep(20'000);  // longer than a tick of the file system's clock
  dir.write("tree/sub/new", "new");
  ASSERT_TRUE(undo_run({}));
  struct stat folder {};
  struct stat file {};
  ASSERT_EQ(::stat((dir / "tree/sub").c_str(), &folder), 0);
  ASSERT_EQ(::stat((dir / "tree/sub/new").c_str(), &file), 0);
  EXPECT_GE(mtime_ns_of(folder), mtime_ns_of(file));
}

TEST_F(UndoTest, UndoingTwiceIsTheSameAsOnce) {
  const Snapshot before = snapshot(dir / "tree");
  apply();
  ASSERT_TRUE(undo_run({}));
  const auto again = undo_run({});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->undone, 0U);
  EXPECT_EQ(again->before, 1U);
  EXPECT_EQ(snapshot(dir / "tree"), before);
}

TEST_F(UndoTest, AFileThatAppearedSinceIsNeverReplaced) {
  for (const Action action : {Action::kQuarantine, Action::kHardlink, Action::kSymlink}) {
    apply(action);
    fs::remove(dir / "tree/sub/b");
    dir.write("tree/sub/b", "new and precious");
    const std::string reason = failure();
    EXPECT_NE(reason.find("something else is at its place now"), std::string::npos) << reason;
    EXPECT_NE(reason.find(quarantined()), std::string::npos) << reason;
    EXPECT_EQ(dir.read("tree/sub/b"), "new and precious");
    EXPECT_EQ(read_file(quarantined()), "content");
    // Once it is out of the way, undo goes on.
    fs::remove(dir / "tree/sub/b");
    ASSERT_TRUE(undo_run({}));
    EXPECT_EQ(dir.read("tree/sub/b"), "content");
  }
}

TEST_F(UndoTest, AHardLinkThatIsTheLastNameOfTheKeeperIsNotTakenAway) {
  apply(Action::kHardlink);
  fs::remove(dir / "tree/a");
  std::ofstream(dir / "tree/sub/b") << "edited";  // the keeper's inode, by its last name
  const std::string reason = failure();
  EXPECT_NE(reason.find("the last copy of"), std::string::npos) << reason;
  EXPECT_EQ(dir.read("tree/sub/b"), "edited");
  EXPECT_EQ(read_file(quarantined()), "content");
}

TEST_F(UndoTest, FoldersThatWereRemovedMeanwhileAreMadeAgain) {
  ASSERT_EQ(::chmod((dir / "tree/sub").c_str(), 0711), 0);
  const Snapshot before = snapshot(dir / "tree");
  apply();
  fs::remove(dir / "tree/sub");
  ASSERT_TRUE(undo_run({}));
  EXPECT_EQ(snapshot(dir / "tree"), before);
}

TEST_F(UndoTest, AFileThatIsGoneFromTheQuarantineIsAFailure) {
  apply();
  fs::remove(quarantined());
  EXPECT_NE(failure().find("neither there nor at"), std::string::npos);
}

TEST_F(UndoTest, TheLastRunIsUndoneUnlessAnotherIsNamed) {
  dir.write("tree/c", "content");
  const ApplySummary first = apply();
  const ApplySummary second = applied(plan_of({action_for(dir / "tree/c", dir / "tree/a")}));
  ASSERT_LT(first.run, second.run);
  ASSERT_EQ(undo_run({})->run, second.run);
  EXPECT_TRUE(fs::exists(dir / "tree/c"));
  EXPECT_FALSE(fs::exists(dir / "tree/sub/b"));
  UndoOptions named;
  named.run = first.run;
  ASSERT_TRUE(undo_run(named));
  EXPECT_TRUE(fs::exists(dir / "tree/sub/b"));
  named.run = "nonsense";
  const auto none = undo_run(named);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("undo --list"), std::string::npos);
}

TEST_F(UndoTest, ThePlanCanBeAppliedAgainAfterAnUndo) {
  const Plan plan = plan_of({action_for(dir / "tree/sub/b", dir / "tree/a")});
  const ApplySummary first = applied(plan);
  ASSERT_TRUE(undo_run({}));
  const ApplySummary second = applied(plan);
  EXPECT_NE(first.run, second.run);
  EXPECT_EQ(second.done, 1U);
}

TEST_F(UndoTest, RunsAreListedWithWhatTheyHold) {
  EXPECT_TRUE(list_runs()->empty());
  EXPECT_FALSE(undo_run({}));
  apply();
  auto runs = list_runs();
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 1U);
  EXPECT_EQ(runs->front().held, 1U);
  EXPECT_EQ(runs->front().bytes, 7U);
  EXPECT_TRUE(runs->front().ended);
  ASSERT_TRUE(undo_run({}));
  EXPECT_EQ(list_runs()->front().back, 1U);
}

}  // namespace
}  // namespace twinsift
