// SPDX-License-Identifier: Apache-2.0
// apply, undo and purge as their users meet them.
#include <chrono>
#include <fstream>
#include <thread>

#include "act/plan.h"
#include "act/test_tree.h"
#include "command.h"

namespace twinsift::cli {
namespace {

namespace fs = std::filesystem;

class ApplyCommand : public CommandTest {
 protected:
  ApplyCommand() {
    write("tree/a", "content");
    write("tree/b", "content");
  }
  [[nodiscard]] Variables home() const {
    return {{"XDG_STATE_HOME", folder / "state"}, {"XDG_DATA_HOME", folder / "data"}};
  }
  Outcome expect_home(const Words& words, int status, const Words& parts = {}) const {
    return expect(words, status, parts, home());
  }
  void write_plan(const Plan& plan) const {
    std::string text = plan_header_line(plan.header);
    for (const PlannedAction& action : plan.actions) text += plan_action_line(action);
    write("plan", text);
  }
  void write_plan(Action action = Action::kQuarantine) const {
    write_plan(plan_of({action_for(folder / "tree/b", folder / "tree/a", action)}));
  }
  [[nodiscard]] Snapshot tree() const { return snapshot(folder / "tree", true); }
};

TEST_F(ApplyCommand, ShowsThenDoesThenUndoes) {
  write_plan();
  const Snapshot before = tree();
  const Outcome dry = expect_home({"apply", "plan"}, 0, {"dry run: 1 of 1 action", "--yes"});
  EXPECT_EQ(dry.out,
            "would quarantine " + folder / "tree/b" + " (keeps " + folder / "tree/a" + ")\n");
  EXPECT_EQ(tree(), before);
  EXPECT_FALSE(exists("state"));
  const Outcome done = expect_home({"apply", "plan", "--yes"}, 0, {"1 action done", "undo 2"});
  EXPECT_EQ(done.out, "quarantine " + folder / "tree/b" + " (keeps " + folder / "tree/a" + ")\n");
  EXPECT_FALSE(exists("tree/b"));
  EXPECT_TRUE(contains(expect_home({"undo", "--list"}, 0).out, "1 held"));
  expect_home({"undo"}, 0, {"1 action undone"});
  EXPECT_EQ(tree(), before);
  expect_home({"undo"}, 0, {"1 back already"});
}

// A run that was killed before its first action is continued after another one was undone.
TEST_F(ApplyCommand, UndoTakesBackTheRunThatActedLast) {
  write("tree/c", "content");
  const Snapshot before = tree();
  write_plan();
  expect_home({"apply", "plan", "--yes"}, 0);
  expect_home({"undo"}, 0, {"1 action undone"});
  fs::path journal;
  for (const auto& entry : fs::directory_iterator(folder.path() / "state/twinsift/runs")) {
    if (entry.path().extension() == ".ndjson") journal = entry.path();
  }
  const std::string lines = read_file(journal);
  std::ofstream(journal) << lines.substr(0, lines.find('\n') + 1);
  const std::string first = read_file(folder.path() / "plan");
  write_plan(plan_of({action_for(folder / "tree/c", folder / "tree/a", Action::kQuarantine)}));
  expect_home({"apply", "plan", "--yes"}, 0);
  expect_home({"undo"}, 0, {"1 action undone"});
  write("plan", first);
  expect_home({"apply", "plan", "--yes"}, 0, {"1 action done"});
  EXPECT_FALSE(exists("tree/b"));
  expect_home({"undo"}, 0, {"1 action undone"});
  EXPECT_EQ(tree(), before);
}

// The whole way, as a user goes it.
TEST_F(ApplyCommand, FindPlanApplyUndo) {
  write("tree/c", "something else entirely");
  const Snapshot before = tree();
  expect_home({"find", "tree", "--format", "json", "-o", "report.json"}, 0);
  expect_home({"plan", "report.json", "--action", "hardlink", "-o", "plan"}, 0);
  expect_home({"apply", "plan", "--yes"}, 0, {"1 action done"});
  EXPECT_TRUE(fs::equivalent(folder / "tree/a", folder / "tree/b"));
  expect_home({"undo"}, 0, {"1 action undone"});
  EXPECT_EQ(tree(), before);
}

TEST_F(ApplyCommand, JsonSaysTheSame) {
  write_plan();
  EXPECT_TRUE(contains(expect_home({"apply", "plan", "--json"}, 0).out, "\"dry_run\":true"));
  const std::string done = expect_home({"apply", "plan", "--json", "--yes"}, 0).out;
  EXPECT_TRUE(contains(done, "\"type\":\"apply\"")) << done;
  EXPECT_TRUE(contains(done, "\"done\":1,")) << done;
  EXPECT_TRUE(contains(done, "\"outcome\":\"done\"")) << done;
  EXPECT_TRUE(contains(expect_home({"undo", "--list", "--json"}, 0).out, "\"held\":1"));
  EXPECT_TRUE(contains(expect_home({"undo", "--json"}, 0).out, "\"undone\":1"));
  EXPECT_TRUE(
      contains(expect_home({"purge", "--older-than", "1d", "--json"}, 0).out, "\"purged\":0"));
}

TEST_F(ApplyCommand, RefusalsExitWithFourAndTouchNothing) {
  const Snapshot before = tree();
  const std::string a = folder / "tree/a";
  const std::string b = folder / "tree/b";
  write_plan(plan_of({action_for(b, a), action_for(a, b)}));
  expect_home({"apply", "plan", "--yes"}, 4,
              {"the last copy is never touched", "nothing was changed"});
  write_plan();
  expect_home({"apply", "plan", "--yes", "--protect", "tree"}, 4, {"is protected"});
  expect_home({"apply", "plan", "--protect", "tree"}, 4, {"is protected"});
  // A line whose digest was taken out by hand, and one that is no JSON.
  std::string text = folder.read("plan");
  const std::size_t at = text.find("\"digest\"");
  write("plan", text.substr(0, at) + "\"digets\"" + text.substr(at + 8));
  expect_home({"apply", "plan", "--yes"}, 4, {"plan line 2", "digest"});
  write("plan", text + "{\n");
  expect_home({"apply", "plan", "--yes"}, 4, {"plan line 3"});
  EXPECT_EQ(tree(), before);
  EXPECT_FALSE(exists("state"));
}

// The list, or a plan, has taken the place of a file that it is about.
TEST_F(ApplyCommand, NothingIsWrittenOverAFileOfThePlan) {
  expect_home({"find", "tree", "--json", "-o", "report.json"}, 0);
  const Snapshot before = tree();
  for (const std::string target : {"tree/a", "tree/b", "report.json"}) {
    expect_home({"plan", "report.json", "-o", target}, 4, {"would be overwritten"});
  }
  write_plan(Action::kDeleteList);
  const std::string plan = folder.read("plan");
  for (const std::string target : {"tree/a", "tree/b", "plan"}) {
    expect_home({"apply", "plan", "--yes", "-o", target}, 4, {"would be overwritten"});
  }
  EXPECT_EQ(folder.read("plan"), plan);
  EXPECT_EQ(tree(), before);
  expect_home({"apply", "plan", "--yes", "-o", "list"}, 0);
  EXPECT_EQ(folder.read("list"), folder / "tree/b" + "\n");
}

// A plan as 'plan' writes it, and what a person can do to it with an editor.
TEST_F(ApplyCommand, APlanThatWasEditedByHandIsRefused) {
  write("tree/master/c", "content");
  expect_home({"find", "tree", "--json", "-o", "report.json"}, 0);
  expect_home({"plan", "report.json", "--protect", "tree/master", "-o", "plan"}, 0, {"2 files"});
  const std::string text = folder.read("plan");
  const Plan made = *read_plan(folder / "plan");
  const std::string master = folder / "tree/master/c";
  ASSERT_EQ(made.actions.at(0).keeper.path, master);
  const Snapshot before = tree();
  const auto expect_refused = [&](const std::string& part) {
    expect_home({"apply", "plan", "--yes"}, 4, {part});
    expect_home({"apply", "plan"}, 4, {part});
    EXPECT_EQ(tree(), before) << part;
    EXPECT_FALSE(exists("state")) << part;
    EXPECT_FALSE(exists("data/twinsift/quarantine")) << part;
  };
  Plan edited = made;
  edited.actions.push_back(action_for(master, folder / "tree/a"));
  edited.header.protect.clear();
  write_plan(edited);
  expect_refused("the last copy is never touched");
  edited = made;
  edited.actions = {action_for(master, folder / "tree/a")};
  write_plan(edited);
  expect_refused("is protected");
  // The line of the loser, then that of the keeper, without one part of its proof.
  for (const std::string field : {"path", "size", "mtime", "device", "inode", "digest"}) {
    for (const std::string side : {"\"loser\"", "\"keeper\""}) {
      const std::size_t at = text.find("\"" + field + "\"", text.find(side, text.find('\n')));
      write("plan", text.substr(0, at) + "\"x" + text.substr(at + 1));
      expect_refused("plan line 2");
      expect_refused(field);
    }
  }
  for (const std::string field : {"group", "action", "exact", "score", "detector", "reviewed"}) {
    const std::size_t at = text.find("\"" + field + "\"", text.find('\n'));
    write("plan", text.substr(0, at) + "\"x" + text.substr(at + 1));
    expect_refused(field);
  }
  write("plan", text.substr(text.find('\n') + 1));  // without its first line
  expect_refused("plan line 1");
  write("plan", text);
  expect_home({"apply", "plan", "--yes"}, 0, {"2 actions done"});
}

TEST_F(ApplyCommand, AChangedFileIsSkippedWithExitFive) {
  write_plan();
  std::ofstream(folder / "tree/a", std::ios::app) << "more";
  expect_home({"apply", "plan", "--yes"}, 5, {"skipped " + folder / "tree/b", "another size"});
  EXPECT_TRUE(exists("tree/b"));
}

TEST_F(ApplyCommand, WrongUsageIsExplained) {
  expect_home({"apply"}, 2, {"a plan is missing"});
  expect_home({"apply", "nowhere"}, 2, {"nowhere"});
  expect_home({"apply", "--continue", "nonsense"}, 2, {"there is no run 'nonsense'"});
  expect_home({"apply", "plan", "--continue", "x"}, 2, {"either"});
  expect_home({"undo"}, 2, {"nothing was ever applied"});
  expect_home({"purge"}, 2, {"--older-than 30d"});
  expect_home({"purge", "--older-than", "soon"}, 2, {"as in 30d"});
  write_plan();
  expect({"apply", "plan", "--yes"}, 2, {"HOME"});  // nowhere to keep a journal
  EXPECT_TRUE(exists("tree/b"));
}

TEST_F(ApplyCommand, ADeleteListNamesFilesAndTouchesNone) {
  write("tree/c\nd", "content");
  write_plan(plan_of({action_for(folder / "tree/b", folder / "tree/a", Action::kDeleteList),
                      action_for(folder / "tree/c\nd", folder / "tree/a", Action::kDeleteList)}));
  const Snapshot before = tree();
  const Outcome lines = expect_home({"apply", "plan", "--yes"}, 5, {"use --null"});
  EXPECT_EQ(lines.out, folder / "tree/b" + "\n");
  expect_home({"apply", "plan", "--yes", "-0", "-o", "list"}, 0);
  EXPECT_EQ(folder.read("list"),
            folder / "tree/b" + std::string(1, '\0') + folder / "tree/c\nd" + std::string(1, '\0'));
  expect_home({"apply", "plan", "--yes", "--json"}, 2, {"-o"});
  EXPECT_EQ(tree(), before);
  EXPECT_FALSE(exists("state"));
}

TEST_F(ApplyCommand, PurgeAsksForYesAndKeepsTheLastCopy) {
  write_plan();
  expect_home({"apply", "plan", "--yes"}, 0);
  expect_home({"purge", "--older-than", "30d", "--yes"}, 0, {"1 not old enough"});
  expect_home({"purge", "--older-than", "0s"}, 0, {"dry run: 1 action would be freed"});
  fs::rename(folder.path() / "tree/a", folder.path() / "tree/away");
  expect_home({"purge", "--older-than", "0s", "--yes"}, 4, {"may be the last copy"});
  fs::rename(folder.path() / "tree/away", folder.path() / "tree/a");
  expect_home({"purge", "--older-than", "0s", "--yes"}, 0, {"1 action freed"});
  expect_home({"undo"}, 5, {"freed for good by purge"});
}

// R11.  czkawka#1656: the log disappeared with the window.
TEST_F(ApplyCommand, R11TheJournalSurvivesAndCanBeRead) {
  write_plan();
  expect_home({"apply", "plan", "--yes", "-q"}, 0);
  std::string journal;
  for (const auto& entry : fs::directory_iterator(folder.path() / "state/twinsift/runs")) {
    if (entry.path().extension() == ".ndjson") journal = read_file(entry.path());
  }
  const Words lines = lines_of(journal);
  ASSERT_EQ(lines.size(), 4U) << journal;
  EXPECT_TRUE(contains(lines[0], "\"type\":\"run\""));
  EXPECT_TRUE(contains(lines[1], "\"type\":\"intend\""));
  EXPECT_TRUE(contains(lines[1], folder / "tree/b"));
  EXPECT_TRUE(contains(lines[2], "\"type\":\"done\""));
  EXPECT_TRUE(contains(lines[3], "\"type\":\"end\""));
}

// The program itself, killed at random moments; then the same command goes on, and undo undoes.
TEST_F(ApplyCommand, AKilledProgramIsContinuedByTheSameCommand) {
  std::vector<PlannedAction> actions;
  for (int i = 0; i < 40; ++i) {
    const std::string name = std::to_string(i);
    write("tree/keep/" + name, "file " + name);
    write("tree/keep/more" + name, "more " + name);
    write("tree/go/" + name, "file " + name);
    actions.push_back(action_for(folder / ("tree/go/" + name), folder / ("tree/keep/" + name),
                                 i % 2 == 0 ? Action::kHardlink : Action::kSymlink));
  }
  write_plan(plan_of(actions));
  const Snapshot before = snapshot(folder / "tree");
  Rng random(5);
  for (int i = 0; i < 6; ++i) {
    const Program program(folder, {"apply", "plan", "--yes"}, {.variables = home()});
    std::this_thread::sleep_for(std::chrono::milliseconds(4 + random.below(12)));
    ::kill(program.id(), SIGKILL);
    program.wait();
    if (i % 2 == 0) {
      expect_home({"apply", "plan", "--yes"}, 0);
      EXPECT_TRUE(fs::is_symlink(folder / "tree/go/39"));
      expect_home({"undo"}, 0);
    } else {
      const Outcome undone = run({"undo"}, home());
      EXPECT_TRUE(undone.status == 0 || contains(undone.err, "nothing was ever applied"))
          << undone.err;
    }
    ASSERT_EQ(snapshot(folder / "tree"), before) << i;
  }
}

TEST_F(ApplyCommand, CtrlCStopsBetweenActions) {
  std::vector<PlannedAction> actions;
  for (int i = 0; i < 400; ++i) {
    const std::string name = std::to_string(i);
    write("tree/keep/" + name, "file " + name);
    write("tree/go/" + name, "file " + name);
    actions.push_back(action_for(folder / ("tree/go/" + name), folder / ("tree/keep/" + name),
                                 Action::kHardlink));
  }
  write_plan(plan_of(actions));
  const Program program(folder, {"apply", "plan", "--yes"}, {.variables = home()});
  while (!exists("data/twinsift/quarantine")) std::this_thread::yield();
  ::kill(program.id(), SIGINT);
  const Outcome outcome = program.wait();
  const bool too_late = contains(outcome.err, "400 actions done");
  if (too_late) GTEST_SKIP() << "it was done before the signal came";
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "apply --continue")) << outcome.err;
  const std::size_t at = outcome.err.find("--continue ") + 11;
  const std::string name = outcome.err.substr(at, outcome.err.find('\'', at) - at);
  expect_home({"apply", "--continue", name, "--yes"}, 0);
  for (int i = 0; i < 400; ++i) {
    const std::string file = std::to_string(i);
    EXPECT_TRUE(fs::equivalent(folder / ("tree/go/" + file), folder / ("tree/keep/" + file))) << i;
  }
}

}  // namespace
}  // namespace twinsift::cli
